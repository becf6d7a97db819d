"""The library's answers are the command line's, byte for byte, and as `planner schema` says."""

import json
import os
import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema
import planner
from planner import _library

EXECUTABLE = os.environ["PLANNER_EXECUTABLE"]
SOURCE = Path(__file__).parents[2]
# What keeps a command short whose options are right: a fit of three rows.
SHORT = {"calibrate": {"data": str(SOURCE / "tests/golden/own/runs.jsonl")}}
COMMANDS = {
    schema["title"]: schema
    for schema in planner.schema("request").result["oneOf"]
}


def from_library(command, options=None, arguments=()):
    request = {"command": command, "options": options or {}, "arguments": list(arguments)}
    return _library.call(json.dumps(request))


def from_command_line(command, options=None, arguments=()):
    line = [EXECUTABLE, command, *arguments, "--json"]
    line += [f"--{name}={value}" for name, value in (options or {}).items()]
    return subprocess.run(line, capture_output=True, text=True, check=False).stdout


def validator(type_):
    schema = planner.schema(type_).result
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def value_options(command):
    options = COMMANDS[command]["properties"]["options"]["properties"]
    return [name for name, schema in options.items() if "boolean" not in schema.get("type", [])]


class EqualsTheCommandLine(unittest.TestCase):
    def same(self, *request):
        self.assertEqual(from_library(*request), from_command_line(*request))

    def test_every_command_without_anything(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.same(command)

    def test_every_option_with_values_of_all_kinds(self):
        def differ(case):
            command, name, value = case
            options = {**SHORT.get(command, {}), name: value}
            ours = from_library(command, options)
            return None if ours == from_command_line(command, options) else (case, ours)

        cases = [
            (command, name, value)
            for command in COMMANDS
            for name in value_options(command)
            for value in ("nonsense", "8")
        ]
        with ThreadPoolExecutor(2) as pool:
            self.assertEqual([found for found in pool.map(differ, cases) if found], [])

    def test_unknown_options_and_arguments(self):
        for command, schema in COMMANDS.items():
            with self.subTest(command):
                self.same(command, {"no-such-option": 1})
                if schema["properties"]["arguments"].get("maxItems") != 0:
                    self.same(command, {}, ["no-such-thing"])


class FollowsTheSchema(unittest.TestCase):
    def test_requests_and_answers(self):
        request, answer = validator("request"), validator("answer")
        cluster = ["gpt1t-32768-rail-only"]
        plan = {"model": "gpt22b", "gpus": 8, "tp": [8]}
        good = {
            "optimize": (plan, []),
            "estimate": ({**plan, "explain": True}, []),
            "network": ({"topology": "fat-tree", "prices": "street-2026"}, []),
            "cost": ({}, cluster),
            "compare": ({}, ["gpt1t-32768-fat-tree", *cluster]),
            "validate": ({}, ["published"]),
            "sweep": ({"vary": ["gpus=8,16"], "model": "gpt22b", "all-axes": True}, ["optimize"]),
            "list": ({}, ["models"]),
            "show": ({}, ["h100-sxm"]),
            "schema": ({}, ["answer"]),
        }
        for command in COMMANDS:
            options, arguments = good.get(command, ({}, []))
            asked = {"command": command, "options": options, "arguments": arguments}
            with self.subTest(command):
                request.validate(asked)
                text = json.loads(_library.call(json.dumps(asked)))
                answer.validate(text)
                if command in good:
                    self.assertTrue(text["ok"], text)
        for bad in ({"command": "optimise"}, {"command": "list", "options": {"gpus": 1}},
                    {"command": "sweep", "options": {"gpu": 8}}):
            self.assertFalse(request.is_valid(bad))
            answer.validate(json.loads(_library.call(json.dumps(bad))))

    def test_a_wrong_answer_is_seen(self):
        """So that the schema says something."""
        answer = json.loads(_library.call(json.dumps(
            {"command": "estimate", "options": {"model": "gpt22b", "gpus": 8, "tp": 8}})))
        good = validator("answer")
        good.validate(answer)
        self.assertFalse(good.is_valid({**answer, "ok": False}))
        self.assertTrue(good.is_valid({**answer, "of_a_later_version": 1}))
        self.assertFalse(good.is_valid({**answer, "result": {**answer["result"], "mfu": "40 %"}}))
        del answer["result"]["strategy"]["placement"]
        self.assertFalse(good.is_valid(answer))

    def test_every_shipped_file(self):
        """What `show` prints and the file itself, by the schema of its type."""
        shown = 0
        types = [name for name in self.schema_types() if name not in ("request", "answer")]
        validators = {type_: validator(type_) for type_ in types}
        folders = {"model": "models", "price_book": "catalog/prices", "cluster": "examples/clusters",
                   "economics": "catalog/economics", "switch": "catalog/switches"}
        for type_ in types:
            folder = SOURCE / folders.get(type_, f"catalog/{type_}s")
            for file in sorted(folder.glob("*.json")):
                with self.subTest(str(file)):
                    validators[type_].validate(json.loads(file.read_text()))
                    validators[type_].validate(planner.show(file).result if type_ == "model" else
                                               planner.show(type_of(type_), file.stem).result)
                    shown += 1
        self.assertGreater(shown, 80)

    def schema_types(self):
        with self.assertRaises(planner.PlannerError) as caught:
            planner.schema("no-such-type-at-all")
        return re.split(", ", caught.exception.hint)


def type_of(type_):
    """As `show` calls it."""
    return {"price_book": "price book", "nic": "network card",
            "economics": "economics"}.get(type_, type_)


if __name__ == "__main__":
    unittest.main()
