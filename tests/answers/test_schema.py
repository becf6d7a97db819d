"""The JSON of every command is as `planner schema answer` says: no key missing, none of another
type, and none that the schema does not know."""

import copy
import json
import os
import shlex
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema

EXECUTABLE = os.environ["PLANNER_EXECUTABLE"]
HERE = Path(__file__).parent
LINES = [line for line in (HERE / "commands.txt").read_text().splitlines()
         if not line.startswith("#")]

NOT_ALWAYS = {
    "optimize": ("training", "cost", "explanation", "nearest_runs", "gpu_counts", "expected", "pareto",
                  "traffic", "fastest", "fastest_surely_fits",
                  "exposed_network"),  # newer than some saved answers
    "estimate": ("training", "cost", "explanation", "nearest_runs", "expected", "traffic", "sync_by",
                 "iteration_time_interval_s", "evidence", "p_fits",  # of the calibrated model
                 "communication", "exposed_network"),  # newer than some saved answers
    "traffic": ("zones", "heat_map"),  # of up to 512 ranks
    # Keys of money are those of the book's unit; the ranges and whether performance is computed are
    # newer than some saved answers.
    "cost": ("expected", "capex_usd", "capex_range_usd", "tco_range_usd", "residual_usd",
             "cost_per_gpu_hour_range_usd", "performance_computed", "rent_or_buy",
             "opex_range_usd_per_year", "days_range", "cost_per_run_range_usd", "at_confidence",
             "outlook", "used_gpus", "not_priced", "expected_cost_per_million_tokens_usd",
             "expected_energy_MWh", "expected_co2_kg"),
    # The last three are newer than some saved answers.
    "network": ("cost_usd", "price_book", "price_book_notes", "unpriced_lines", "lines",
                "switch_tiers", "link_layers", "port_gbps"),
    "build": ("bill", "halls"),
    "design": ("front_search", "opex_left_out", "buying_pays"),
    "calibrate": ("new_constants",),  # newer than some saved answers
    # The ranges are newer than some saved answers.
    "reliability": ("cost", "availability_range", "availability_by_hazard", "gpu_counts"),
    "validate": ("sources_of_3_rows_or_more", "by_metric"),
}


def answer_to(line):
    run = subprocess.run([EXECUTABLE, *shlex.split(line), "--json"], capture_output=True, text=True,
                         cwd=HERE.parent / "golden", check=False)
    return json.loads(run.stdout)


def closed(schema):
    """The same schema, with every object that lists its keys closed to others: what planner writes
    has to be described, though readers must put up with more."""
    if isinstance(schema, list):
        return [closed(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: value if key == "enum" else closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        result.setdefault("additionalProperties", False)
    return result


def answer_schema():
    schema = answer_to("schema answer")["result"]
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


VALIDATOR = jsonschema.Draft202012Validator(closed(answer_schema()))


def deepest(error):
    """The reason behind "is not valid under any of the given schemas"."""
    while error.context:
        error = max(error.context, key=lambda found: (len(found.absolute_path), found.validator != "type"))
    return f"{error.json_path}: {error.message[:300]}"


def faults(answer):
    return [deepest(error) for error in VALIDATOR.iter_errors(answer)]


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with ThreadPoolExecutor(2) as pool:
            cls.answers = dict(zip(LINES, pool.map(answer_to, LINES)))

    def test_of_every_command_follow_the_schema(self):
        for line, answer in self.answers.items():
            with self.subTest(line):
                self.assertEqual(faults(answer), [])

    def test_cover_every_command(self):
        commands = VALIDATOR.schema["properties"]["command"]["anyOf"][0]["enum"]
        answered = {answer["command"] for answer in self.answers.values() if "result" in answer}
        self.assertEqual(set(commands) - answered, {"diff", "report"})  # which take saved answers

    def test_that_were_saved(self):
        one, other = (f"/tmp/planner-schema-{os.getpid()}-{i}.json" for i in (1, 2))
        saved = [line for line in LINES if "result" in self.answers[line]]
        for i, line in enumerate(saved):
            again = {answer["command"]: other for other, answer in self.answers.items()}
            second = again[self.answers[line]["command"]]
            if "result" not in self.answers[second]:
                second = line
            Path(one).write_text(json.dumps(self.answers[line]))
            Path(other).write_text(json.dumps(self.answers[second]))
            with self.subTest(line):
                self.assertEqual(answer_to(f"report {one}"), self.answers[line])
                difference = answer_to(f"diff {one} {other}")
                self.assertTrue(difference["ok"])
                self.assertEqual(faults(difference), [])
        for file in (one, other):
            os.unlink(file)

    def test_of_older_programs_are_rendered(self):
        """Which lack every key that the schema does not ask for."""
        file = Path(f"/tmp/planner-schema-{os.getpid()}-older.json")
        for line, answer in self.answers.items():
            if not answer["ok"]:
                continue
            older = {**answer, "result": least(answer["result"],
                                              {"$ref": f"#/$defs/result_{answer['command']}"})}
            file.write_text(json.dumps(older))
            with self.subTest(line):
                self.assertEqual(answer_to(f"report {file}").get("errors", []), [])
        file.unlink()

    def test_with_a_key_of_another_type_are_refused(self):
        """Each key of each result in turn, down to the innermost."""
        checked = 0
        for command, answer in self.one_of_each():
            for path in paths_of(answer["result"]):
                changed = copy.deepcopy(answer)
                at(changed["result"], path[:-1])[path[-1]] = [[[0]]]  # of no key: some are lists of lists
                with self.subTest(f"{command} {path}"):
                    self.assertFalse(VALIDATOR.is_valid(changed))
                checked += 1
        self.assertGreater(checked, 300)

    def test_without_a_key_are_refused(self):
        """Each key at the top of each result, but those that come with an option."""
        for command, answer in self.one_of_each():
            for key in answer["result"]:
                changed = copy.deepcopy(answer)
                del changed["result"][key]
                with self.subTest(f"{command} {key}"):
                    self.assertEqual(VALIDATOR.is_valid(changed),
                                     key in NOT_ALWAYS.get(command, ()))

    def one_of_each(self):
        """But of `show` and `schema`, whose results are any of many files: see python/answers."""
        found = {answer["command"]: answer for answer in self.answers.values() if answer["ok"]}
        for command, answer in found.items():
            if command in ("show", "schema"):
                continue
            short = shortened(answer)
            self.assertEqual(faults(short), [])
            yield command, short


ROW = ("inputs", "result", "emitted")


def least(value, schema):
    """`value` with only the keys that its schema asks for, in the fullest of the forms that it may have;
    and with what only some rows of a sweep have."""
    while "$ref" in schema:
        schema = VALIDATOR.schema["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    forms = [form for form in schema.get("anyOf", ()) if VALIDATOR.evolve(schema=form).is_valid(value)]
    if forms:
        return max((least(value, form) for form in forms), key=lambda form: len(json.dumps(form)))
    if isinstance(value, list):
        return [least(element, schema.get("items", {})) for element in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    return {key: least(inner, schema["properties"].get(key, {})) for key, inner in value.items()
            if key not in schema["properties"] or key in (*schema.get("required", ()), *ROW)}


def shortened(value):
    """With the first row alone of each list of rows: all rows are checked by the same schema."""
    if isinstance(value, list):
        return [shortened(row) for row in (value[:1] if value and isinstance(value[0], dict) else value)]
    if isinstance(value, dict):
        return {key: shortened(inner) for key, inner in value.items()}
    return value


def at(value, path):
    for key in path:
        value = value[key]
    return value


def paths_of(value, path=()):
    """Every key of every object, of the first element of a list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from paths_of(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from paths_of(value[0], (*path, 0))


if __name__ == "__main__":
    unittest.main()
