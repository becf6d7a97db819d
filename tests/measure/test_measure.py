#!/usr/bin/env python3
"""tools/measure on recorded logs, without a GPU: what it writes, that `planner calibrate` reads it,
and that logs which were cut off, or whose clock runs backwards, are refused.

    test_measure.py PLANNER MEASURE
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DATA = Path(__file__).with_name("data")
PLANNER, MEASURE = sys.argv[1:3]


def run(*arguments):
    return subprocess.run([sys.executable, MEASURE, *map(str, arguments)], capture_output=True,
                          text=True, check=False)


def planner(*arguments):
    done = subprocess.run([PLANNER, *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def shipped(constant):
    calibration = DATA.parents[2] / "catalog" / "calibrations" / "default.json"
    return json.loads(calibration.read_text())["constants"][constant]["value"]


class Measure(unittest.TestCase):
    def refused(self, words, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        self.assertEqual(done.stdout, "")

    def written(self, name, *arguments):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        file = Path(self.folder.name) / name
        done = run(*arguments, "-o", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return file

    def test_collectives(self):
        file = self.written("nccl.log", "collectives", DATA / "all_reduce.log")
        code, out, err = planner("calibrate", "--nccl-tests", file, "--system", "dgx-h100", "--json")
        self.assertEqual(code, 0, err)
        new = json.loads(out)["result"]
        self.assertEqual([c["name"] for c in new["new_constants"]], ["nvlink_efficiency"])
        value = new["calibration"]["constants"]["nvlink_efficiency"]["value"]
        self.assertAlmostEqual(value, 348 / 450, places=3)  # the median of 330 to 366

    def test_collectives_refused(self):
        self.refused("cut off", "collectives", DATA / "all_reduce_cut.log")
        self.refused("all_reduce_cut_line.log:20: the line is cut off", "collectives",
                     DATA / "all_reduce_cut_line.log")
        self.refused("the clock ran backwards", "collectives", DATA / "all_reduce_backwards.log")
        self.refused("No such file", "collectives", DATA / "none.log")
        for name in ("all_reduce_cut.log", "all_reduce_cut_line.log", "all_reduce_backwards.log"):
            code, _, err = planner("calibrate", "--nccl-tests", DATA / name, "--system", "dgx-h100")
            self.assertEqual(code, 3, name)
            self.assertIn(name, err)

    def altered(self, name, old, new):
        """A log of the data with the first `old` of it in other words."""
        text = (DATA / name).read_text()
        self.assertIn(old, text)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        file = Path(self.folder.name) / name
        file.write_text(text.replace(old, new, 1))
        return file

    def test_collectives_that_lack_sizes_or_went_wrong(self):
        lines = (DATA / "all_reduce.log").read_text().splitlines(keepends=True)
        first = next(i for i, line in enumerate(lines) if line.startswith("    67108864"))
        for file, words in (
                (self.altered("all_reduce.log", "".join(lines[first + 1:first + 5]), ""),
                 "lines are missing: 3 sizes, of 7"),
                (self.altered("all_reduce.log", "values : 0 OK", "values : 12 FAILED"), "wrong"),
                (self.altered("all_reduce.log", "366.00      0", "366.00     12"), "wrong")):
            self.refused(words, "collectives", file)
            code, _, err = planner("calibrate", "--nccl-tests", file, "--system", "dgx-h100")
            self.assertEqual(code, 3, err)
            self.assertIn(words, err)

    def test_collectives_of_another_machine(self):
        for system in ("tpu-v5p", "fire-flyer-2", "dgx-a100"):
            code, _, err = planner("calibrate", "--nccl-tests", DATA / "all_reduce.log",
                                   "--system", system)
            self.assertEqual(code, 3, err)
            self.assertIn("ranks ran on NVIDIA H100 80GB HBM3", err)

    def test_impossible_runs(self):
        run_of = json.loads((DATA / "run.json").read_text())
        for seconds, precision, words in ((0.26, "bf16", "of the peak of"), (5.2, "foo", 'precision: "foo"')):
            with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
                file.write(json.dumps({**run_of, "precision": precision,
                                       "derived_iteration_time_s": seconds}) + "\n")
                file.flush()
                code, out, err = planner("calibrate", "--data", file.name)
                self.assertEqual((code, out), (3, ""), err)
                self.assertIn(words, err)

    def test_attention(self):
        attention = self.written("attention.csv", "attention", "--log", DATA / "h100" / "attention.log")
        self.assertEqual(attention.read_text().splitlines()[0],
                         "batch,sequence,heads,head_dim,kernel,tflops,gpu")
        code, out, err = planner("calibrate", "--attention", attention, "--accelerator", "h100-sxm",
                                 "--json")
        self.assertEqual(code, 0, err)
        constants = json.loads(out)["result"]["calibration"]["constants"]
        # 327 to 344 TFLOP/s of 989: what the shipped constant stands for, which stays.
        self.assertAlmostEqual(constants["attention_efficiency.flash2.Hopper"]["value"],
                               shipped("attention_efficiency.flash2.Hopper"), places=3)

    def test_gemms(self):
        gemms = self.written("gemms.csv", "gemms", "--log", DATA / "h100" / "gemms.log")
        code, out, err = planner("calibrate", "--gemms", gemms, "--accelerator", "h100-sxm",
                                 "--json")
        self.assertEqual(code, 0, err)
        value = json.loads(out)["result"]["calibration"]["constants"][
            "gemm_efficiency.bf16.Hopper"]["value"]
        # 720 to 798 TFLOP/s: as those recorded
        self.assertAlmostEqual(value, shipped("gemm_efficiency.bf16.Hopper"), places=3)
        faster = gemms.with_name("faster.csv")
        head, *lines = gemms.read_text().splitlines()
        self.assertTrue(all(line.endswith(",NVIDIA H100 80GB HBM3") for line in lines))
        faster.write_text("\n".join([head, *(line.replace("bf16,", "bf16,1") for line in lines)]))
        for file, part, words in ((gemms, "mi300x", "it was measured on NVIDIA H100 80GB HBM3"),
                                  (gemms, "a100-80gb-sxm", "it was measured on NVIDIA H100"),
                                  (faster, "h100-sxm", "more than the peak of NVIDIA H100")):
            code, _, err = planner("calibrate", "--gemms", file, "--accelerator", part)
            self.assertEqual(code, 3, err)
            self.assertIn(words, err)
        bare = gemms.with_name("bare.csv")
        bare.write_text("\n".join(line.rsplit(",", 1)[0] for line in (head, *lines)))
        code, _, err = planner("calibrate", "--gemms", bare, "--accelerator", "h100-sxm")
        self.assertEqual(code, 0, err)
        self.assertIn('no column "gpu"', err)
        code, _, err = planner("calibrate", "--gemms", bare, "--accelerator", "mi300x")
        self.assertEqual(code, 3, err)
        self.assertIn("no constant of its own", err)

    def rows_told(self, rows):
        """What `calibrate --data` says of rows that differ from one of 1.85 s in what is given."""
        base = json.loads(run("step", "--log", DATA / "step_1.log").stdout)
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for i, changed in enumerate(rows):
                row = {**base, "id": f"own-{i}", **changed}
                file.write(json.dumps({k: v for k, v in row.items() if v is not None}) + "\n")
            file.flush()
            code, out, err = planner("calibrate", "--data", file.name, "--json")
        return code, json.loads(out), err

    def test_every_row_counts_once_and_none_is_dropped(self):
        same = [{"id": "a"}, {"id": "a"}]
        for rows, line, words in (
                (same, 2, "row a: its id is that of line 1"),
                ([{}, {"derived_iteration_time_s": -1}], 2, "derived_iteration_time_s"),
                ([{}, {}, {"gpu": "Z80"}], 3, 'gpu: no accelerator is called "Z80"'),
                ([{"dp": 3}, {}], 1, "gpus: not tp·pp·cp·dp"),
                ([{}, {"derived_iteration_time_s": None, "measured_peak_gb": None}], 2,
                 "derived_iteration_time_s is missing")):
            code, answer, _ = self.rows_told(rows)
            self.assertEqual(code, 3, words)
            told = answer["errors"][0]
            self.assertEqual((told["line"], words in told["message"]), (line, True), told)

    def test_a_factor_that_no_calibration_has(self):
        code, answer, _ = self.rows_told([{"derived_iteration_time_s": 1850}] * 3)
        self.assertEqual(code, 3)
        self.assertIn("outside of 0.05 to 20", answer["errors"][0]["message"])

    def test_runs_of_one_machine_are_own_whatever_their_sources(self):
        code, answer, _ = self.rows_told([{"source_key": name} for name in "abc"])
        self.assertEqual(code, 0)
        result = answer["result"]
        self.assertEqual(result["new_constants"], [])
        self.assertEqual(result["own_runs"][0]["rows"], 3)
        shipped = DATA.parents[2] / "catalog" / "calibrations" / "default.json"
        self.assertEqual(result["calibration"]["residuals"],
                         json.loads(shipped.read_text())["residuals"])

    def test_recordings_refused(self):
        self.refused("cut off", "gemms", "--log", DATA / "gemms_cut.log")
        for log in ("gemms", "attention"):
            text = (DATA / "h100" / f"{log}.log").read_text()
            with tempfile.NamedTemporaryFile("w", suffix=".log") as file:
                file.write(re.sub('"repeats": [0-9]+', '"repeats": 0', text))
                file.flush()
                self.refused(":2: repeats must be a whole number above 0", log, "--log", file.name)
        self.refused("the clock runs backwards", "gemms", "--log", DATA / "gemms_backwards.log")
        self.refused("cut off", "step", "--log", DATA / "step_cut.log")
        self.refused("step_backwards.log:5: the clock runs backwards", "step", "--log",
                     DATA / "step_backwards.log")
        self.refused("fewer than 3", "step", "--log", DATA / "step_few.log")
        self.refused("a recording of gemms, not of step", "step", "--log", DATA / "h100" / "gemms.log")

    def test_three_steps_halve_the_bias(self):
        file = self.written("runs.jsonl", "step", "--log", DATA / "step_1.log")
        with file.open("a", encoding="utf-8") as rows:
            for size in (2, 4):
                rows.write(run("step", "--log", DATA / f"step_{size}.log").stdout)
        row = json.loads(file.read_text().splitlines()[0])
        self.assertAlmostEqual(row["derived_iteration_time_s"], 1.85, places=2)
        code, out, err = planner("calibrate", "--data", file, "--json")
        self.assertEqual(code, 0, err)
        answer = json.loads(out)["result"]
        own = answer["own_runs"][0]
        self.assertEqual((own["accelerator"], own["software"], own["rows"]),
                         ("h100-sxm", "torch", 3))
        before, after = own["before"]["bias_pct"], own["after"]["bias_pct"]
        self.assertLess(abs(after), abs(before) / 2)
        self.assertLess(own["high"] - own["low"], own["high_before"] - own["low_before"])
        self.assertEqual(answer["new_constants"], [])

    def test_runs_on_an_h100(self):
        """Readings of an H100 that nobody's fit has seen, and what docs/accuracy.md says of them."""
        rows = [run("step", "--log", log).stdout for log in sorted((DATA / "h100").glob("step_*"))]
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file, own = Path(folder.name) / "runs.jsonl", Path(folder.name) / "own.json"
        file.write_text("".join(rows))

        def validated(*arguments):
            code, out, err = planner("validate", "measured", "--data", file, "--json", *arguments)
            self.assertEqual(code, 0, err)
            return json.loads(out)["result"]
        docs = (DATA.parents[2] / "docs" / "accuracy.md").read_text()
        before, memory = validated(), validated("--peak-memory")
        for line, row, peak in zip(map(json.loads, rows), before["rows"], memory["rows"]):
            model, accumulated = line["model"], line["global_batch"] // line["micro_batch"]
            self.assertIn(f"| {model['name']}, {model['layers']} layers | {accumulated} x "
                          f"{line['micro_batch']} x {model['seq']:,} | {row['measured']:.3f} | "
                          f"{row['predicted']:.3f} | {row['error_pct']:+.1f} % | "
                          f"{'yes' if row['inside_interval'] else 'no'} | {peak['measured']:.1f} | "
                          f"{peak['predicted']:.1f} |", docs)
        self.assertIn(f"median {before['total']['median_abs_pct']:.1f} %", docs)

        file.write_text("".join(rows[i] for i in (0, 1, 3)))
        self.assertEqual(planner("calibrate", "--data", file, "-o", own)[0], 0)
        file.write_text("".join(rows[i] for i in range(len(rows)) if i not in (0, 1, 3)))
        after, before = validated("--calibration", own)["total"], validated()["total"]
        self.assertLess(abs(after["bias_pct"]), abs(before["bias_pct"]))
        self.assertIn(f"bias of the other eight goes from {before['bias_pct']:+.1f} to "
                      f"{after['bias_pct']:+.1f} %", docs)

    def test_megatron(self):
        done = run("step", "--megatron", DATA / "megatron.log", "--run", DATA / "run.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(json.loads(done.stdout)["derived_iteration_time_s"], 5.243,
                               places=2)
        for name, words in (("megatron_cut", "cut off"), ("megatron_backwards", "backwards")):
            self.refused(words, "step", "--megatron", DATA / f"{name}.log", "--run",
                         DATA / "run.json")
        ramp = self.altered("megatron.log", "global batch size:   256 | lm loss",
                            "global batch size:   512 | lm loss")
        self.refused("a global batch of 512 at iteration 1, and 256", "step", "--megatron", ramp,
                     "--run", DATA / "run.json")
        other = self.altered("run.json", '"global_batch": 256', '"global_batch": 1024')
        self.refused("a global batch of 256", "step", "--megatron", DATA / "megatron.log", "--run",
                     other)

    def test_usage(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("step", "--megatron", DATA / "megatron.log").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
