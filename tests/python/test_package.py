"""The Python package: functions, tables, charts, errors, threads."""

import ast
import builtins
import inspect
import json
import os
import pickle
import pydoc
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Optional
from unittest import mock

import pandas
import planner
from planner import _answer


class Functions(unittest.TestCase):
    def test_one_for_every_command(self):
        """That answers as JSON: what only prints for a shell is the program's own."""
        text = subprocess.run([os.environ["PLANNER_EXECUTABLE"], "--help"], capture_output=True,
                              text=True, check=True).stdout
        commands = planner.schema("answer").result["properties"]["command"]["anyOf"][0]["enum"]
        self.assertGreater(len(commands), 9)
        for command in commands:
            self.assertRegex(text, f"(?m)^  {command} ")
            self.assertTrue(callable(getattr(planner, command)), command)

    def test_the_version_is_the_library_s(self):
        project = (Path(planner.__file__).parents[1] / "pyproject.toml").read_text()
        self.assertIn(f'version = "{planner.version()}"', project)
        self.assertEqual(planner.__version__, planner.version())

    def test_signatures_say_what_there_is(self):
        parameters = inspect.signature(planner.optimize).parameters
        self.assertIn("global_batch", parameters)
        self.assertNotIn("no_sequence_parallel", parameters)
        self.assertEqual(parameters["all_axes"].annotation, Optional[bool])
        self.assertIn("global_batch (N): sequences per iteration", planner.optimize.__doc__)

    def test_a_command_is_described_when_it_is_first_asked_for(self):
        script = ("import planner; from planner import _commands; described = _commands._described;"
                  "asked = []; _commands._described = lambda *of: asked.append(of) or described(*of);"
                  "planner.optimize, planner.optimize, planner.list; print(asked)")
        text = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                              check=True).stdout
        self.assertEqual(text, "[('optimize',), ('list',)]\n")
        self.assertIs(planner.optimize, planner.optimize)
        with self.assertRaisesRegex(AttributeError, 'unknown command "optimise"'):
            planner.optimise
        self.assertFalse(hasattr(planner, "__path_to_nowhere__"))
        self.assertLessEqual({"optimize", "list", "call"}, set(dir(planner)))
        self.assertIn("optimize", planner.__all__)
        self.assertNotIn("list", planner.__all__)

    def test_help_begins_with_what_the_function_is_for(self):
        lines = pydoc.render_doc(planner.sweep, renderer=pydoc.plaintext).splitlines()
        self.assertLess(max(map(len, lines)), 100)
        self.assertEqual(lines[2], "sweep(*arguments, option=value, …) -> Answer")
        self.assertIn("    vary (OPTION=…): values 1,2,4, or", lines[7])

    def test_tables_have_numbers_beside_words(self):
        table = planner.compare(
            "gpt1t-32768-fat-tree", "gpt1t-32768-rail-only", prices="rail-only-paper"
        ).table()
        figures = table.set_index("figure")["rail-only"]
        self.assertEqual(figures["switches"], 1536)
        self.assertEqual(figures["network cost"], 122552320)
        self.assertEqual(figures["capex, compute"], "not priced")

    def test_the_stubs_are_up_to_date(self):
        package = Path(planner.__file__).parent
        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder) / "stubs.pyi"
            subprocess.run([sys.executable, package.parents[1] / "tools/python-stubs", written],
                           check=True)
            self.assertEqual((package / "__init__.pyi").read_text(), written.read_text(),
                             "run tools/python-stubs")

    def test_type_checkers_know_the_parameters(self):
        stubs = ast.parse((Path(planner.__file__).parent / "__init__.pyi").read_text())
        known = {node.name: node.args for node in stubs.body if isinstance(node, ast.FunctionDef)}
        self.assertGreater(len(known), 9)
        for name, arguments in known.items():
            parameters = inspect.signature(getattr(planner, name)).parameters.values()
            keywords = [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
            self.assertEqual([argument.arg for argument in arguments.kwonlyargs], keywords, name)
            self.assertEqual(arguments.vararg is not None, len(keywords) < len(parameters), name)

    def test_values_of_all_kinds(self):
        one = planner.optimize(model="gpt22b", gpus=8.0, tp=(4, 8), sequence_parallel=False)
        other = planner.optimize(model="gpt22b", gpus=pandas.Series([8])[0],
                                 tp=pandas.Series([4, 8]), sequence_parallel=False, pp=None)
        self.assertEqual(one, other)
        self.assertFalse(one.result["best"]["strategy"]["sequence_parallel"])

    def test_a_sweep_takes_the_options_of_its_command(self):
        self.assertIn("precision", inspect.signature(planner.sweep).parameters)
        times = [planner.sweep("estimate", vary="pp=32,64", model="gpt1t", gpus=512, tp=8,
                               global_batch=512, precision=precision).table()["iteration (s)"]
                 for precision in ("bf16", "fp8")]
        self.assertTrue((times[1] < times[0]).all())
        with self.assertRaisesRegex(planner.PlannerError, 'unexpected argument "--precision"'):
            planner.sweep("estimate", "--precision", "fp8", vary="pp=32,64", model="gpt1t", gpus=512)

    def test_errors_cross_processes(self):
        with self.assertRaises(planner.PlannerError) as raised:
            planner.optimize(model="nosuch", gpus=8)
        copy = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual((str(copy), copy.hint), (str(raised.exception), raised.exception.hint))

    def test_control_characters_end_no_path(self):
        with self.assertRaisesRegex(planner.PlannerError, "control characters"):
            planner.estimate(model="gpt22b\0.json", gpus=8)
        with self.assertRaisesRegex(planner.PlannerError, "control characters"):
            planner.cost("h100-16k\0")

    def test_what_no_option_takes_is_a_type_error(self):
        with self.assertRaisesRegex(TypeError, r"optimize\(\) takes its options by name"):
            planner.optimize("gpt22b", 64)
        with self.assertRaisesRegex(TypeError, "model must be text, .* not dict"):
            planner.optimize(model={"name": "gpt22b"}, gpus=8)
        with self.assertRaisesRegex(TypeError, "gpus must be text, .* not object"):
            planner.optimize(model="gpt22b", gpus=[8, object()])
        with self.assertRaisesRegex(TypeError, r"arguments must be a list, not text: \['models'\]"):
            planner.call("list", arguments="models")

    def test_a_star_leaves_the_builtins(self):
        names = {}
        exec("from planner import *", names)
        self.assertIn("optimize", names)
        self.assertEqual([name for name in names if hasattr(builtins, name)], [])

    def test_commands_of_the_command_line_say_so(self):
        for command in ("completion", "manual"):
            with self.assertRaisesRegex(planner.PlannerError,
                                        f'"{command}" is a command of the command line only'):
                planner.call(command)

    def test_text_and_numbers_of_other_libraries(self):
        self.assertEqual(planner.estimate(model=b"gpt22b", gpus=Decimal(8), tp=8),
                         planner.estimate(model="gpt22b", gpus=8, tp=8))

    def test_a_path_is_a_file(self):
        file = Path(__file__).parents[2] / "models" / "gpt22b.json"
        self.assertEqual(planner.estimate(model=file, gpus=8, tp=8).result,
                         planner.estimate(model="gpt22b", gpus=8, tp=8).result)


class Answers(unittest.TestCase):
    def test_are_the_json(self):
        answer = planner.list("models")
        text = subprocess.run([os.environ["PLANNER_EXECUTABLE"], "list", "models", "--json"],
                              capture_output=True, text=True, check=True).stdout
        self.assertEqual(answer, json.loads(text))
        self.assertEqual(answer.result, answer["result"])

    def test_have_a_table(self):
        answer = planner.optimize(model="gpt22b", gpus=8, top=3)
        table = answer.table()
        self.assertIsInstance(table, pandas.DataFrame)
        self.assertEqual(len(table), len(answer.result["top"]))
        self.assertIn("<table", answer._repr_html_())
        with mock.patch.object(_answer, "_pandas", lambda: None):
            self.assertEqual(len(answer.table()), len(answer.result["top"]))
            self.assertIsNone(answer._repr_html_())

    def test_without_a_table_say_so(self):
        with self.assertRaisesRegex(TypeError, "schema has no table"):
            planner.schema("model").table()

    def test_saved_ones_are_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for answer in (planner.list("models"), planner.show("h100-sxm")):
                file = Path(folder) / "saved.json"
                file.write_text(json.dumps(answer))
                self.assertEqual(planner.report(file), answer)

    def test_have_charts(self):
        charts = planner.compare("gpt1t-32768-fat-tree", "gpt1t-32768-rail-only").charts
        self.assertGreater(len(charts), 0)
        bundle = charts[0]._repr_mimebundle_()
        self.assertIn("vega-lite/v5",
                      bundle["application/vnd.vegalite.v5+json"]["$schema"])
        self.assertIs(charts[charts[0].name], charts[0])
        with self.assertRaisesRegex(KeyError, charts[0].name):
            charts["no such chart"]

    def test_have_charts_whatever_these_gain(self):
        chart = {"name": "n", "title": "t", "spec": {}, "size": 3}
        self.assertEqual(repr(planner.Answer(charts=[chart]).charts[0]), "<planner chart n: t>")

    def test_as_text(self):
        answer = planner.call("network", {"topology": "fat-tree", "gpus": 1024}, format="md")
        self.assertIn("|", answer.rendered)
        self.assertNotIn("rendered", answer)

    def test_what_is_emitted_is_a_text(self):
        options = {"model": "gpt22b", "gpus": 8, "tp": 8, "emit": "megatron"}
        answer = planner.call("estimate", options, format="table")
        self.assertIn("--tensor-model-parallel-size 8", answer.rendered)
        with self.assertRaisesRegex(planner.PlannerError, "cannot be shown as csv"):
            planner.call("estimate", options, format="csv")


class Errors(unittest.TestCase):
    def test_carry_the_hint(self):
        with self.assertRaises(planner.PlannerError) as caught:
            planner.optimize(model="gpt1t", gpu=8)
        self.assertEqual(str(caught.exception),
                         'unknown flag "--gpu"\n  hint: did you mean "--gpus"?')
        self.assertEqual((caught.exception.code, caught.exception.hint),
                         ("usage", 'did you mean "--gpus"?'))

    def test_name_the_place(self):
        bad = Path(__file__).parents[1] / "golden" / "bad" / "misspelt-key.json"
        with self.assertRaisesRegex(planner.PlannerError, r"misspelt-key\.json:\d+:\d+: unknown key"):
            planner.estimate(model=bad, gpus=8)

    def test_keep_the_result(self):
        with self.assertRaises(planner.PlannerError) as caught:
            planner.estimate(model="gpt1t", gpus=8, tp=8)
        self.assertFalse(caught.exception.answer.result["fits"])

    def test_of_what_json_cannot_say(self):
        for value in (float("nan"), float("inf"), -float("inf")):
            with self.assertRaisesRegex(planner.PlannerError, "--gpus: must be a whole number"):
                planner.network(topology="fat-tree", gpus=value)


class Threads(unittest.TestCase):
    def test_eight_give_the_same(self):
        def ask(_):
            return planner.optimize(model="gpt1t", gpus=4096)

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(ask, range(16)))
        self.assertTrue(all(answer == answers[0] for answer in answers))


if __name__ == "__main__":
    unittest.main()
