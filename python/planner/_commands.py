"""A Python function for every command of the library, made from its own description of them."""

from __future__ import annotations

import inspect
import json
import math
from decimal import Decimal
from os import PathLike, fsdecode, fspath
from typing import Any, Callable, Iterable, Optional, Union

from . import _library
from ._answer import Answer, PlannerError

Value = Union[str, int, float, PathLike[str], Iterable[Union[str, int, float]]]


def _plain(name: str, value: Any) -> Any:
    """What JSON can say: numbers of NumPy become Python's, any iterable a list."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (PathLike, bytes)):
        return fsdecode(value)
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Iterable) and not isinstance(value, dict):
        return [_plain(name, element) for element in value]
    if hasattr(value, "item"):
        return _plain(name, value.item())
    kind = type(value).__name__
    raise TypeError(f"{name} must be text, a number, a path or a list of these, not {kind}")


def call(
    command: str,
    options: Optional[dict] = None,
    arguments: Iterable[Union[str, PathLike]] = (),
    format: Optional[str] = None,
) -> Answer:
    """Any command, its options named as on the command line without dashes.

    With a format ("table", "csv", "md" or "html") the answer's `rendered` is that text.
    Raises PlannerError with what is wrong.
    """
    if isinstance(arguments, str):
        raise TypeError(f"arguments must be a list, not text: [{arguments!r}]")
    request: dict = {
        "command": command,
        "options": {name: _plain(name, value) for name, value in (options or {}).items()},
        "arguments": [fspath(argument) for argument in arguments],
    }
    if format is not None:
        request["format"] = format
    answer = Answer(json.loads(_library.call(json.dumps(request))))
    answer.rendered = answer.pop("rendered", None)
    if not answer["ok"]:
        raise PlannerError(answer)
    return answer


def _call_with_table(command: str, options: dict, arguments: Iterable, has_table: bool) -> Answer:
    if has_table:
        try:
            answer = call(command, options, arguments, "csv")
        except PlannerError as error:
            if error.code != "usage":
                raise
            # A saved answer may be of a command without tables: then without, or the same error.
            return call(command, options, arguments)
        answer._csv, answer.rendered = answer.rendered, None
        return answer
    return call(command, options, arguments)


class _Signature(inspect.Signature):
    """One that help() shows in a line: the options follow in the documentation, a line each."""

    def __str__(self) -> str:
        variadic = any(
            parameter.kind is inspect.Parameter.VAR_POSITIONAL
            for parameter in self.parameters.values()
        )
        return f"({'*arguments, ' if variadic else ''}option=value, …) -> Answer"


def _parameters(options: dict, takes_arguments: bool) -> list[inspect.Parameter]:
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = []
    if takes_arguments:
        kind = inspect.Parameter.VAR_POSITIONAL
        parameters.append(
            inspect.Parameter("arguments", kind, annotation=Union[str, PathLike])
        )
    for name, schema in options.items():
        type_ = bool if "boolean" in schema.get("type", []) else Value
        parameters.append(
            inspect.Parameter(
                name.replace("-", "_"), keyword, default=None, annotation=Optional[type_]
            )
        )
    return parameters


def _documentation(schema: dict, options: dict) -> str:
    lines = [schema["description"][:1].upper() + schema["description"][1:] + ".", ""]
    if "title" in schema["properties"]["arguments"]:
        lines += [f"Arguments: {schema['properties']['arguments']['title']}", ""]
    for name, option in options.items():
        value = f" ({option['title']})" if "title" in option else ""
        lines.append(f"{name.replace('-', '_')}{value}: {option['description']}")
    return "\n".join(lines + ["", "Returns an Answer; raises PlannerError."])


def _function(schema: dict) -> Callable[..., Answer]:
    """The function of one command, from its part of `planner schema request`."""
    command = schema["properties"]["command"]["const"]
    known = schema["properties"]["options"]["properties"]
    # sequence_parallel=False says no-sequence-parallel.
    options = {
        name: option
        for name, option in known.items()
        if not (name.startswith("no-") and name[len("no-") :] in known)
    }
    takes_arguments = schema["properties"]["arguments"].get("maxItems") != 0
    has_table = "csv" in schema["properties"]["format"]["enum"]

    def function(*arguments: Union[str, PathLike], **options: Any) -> Answer:
        if arguments and not takes_arguments:
            raise TypeError(f"{command}() takes its options by name, such as gpus=8")
        named = {name.replace("_", "-"): value for name, value in options.items()}
        return _call_with_table(command, named, arguments, has_table)

    function.__name__ = function.__qualname__ = command.replace("-", "_")
    function.__module__ = "planner"
    function.__doc__ = _documentation(schema, options)
    function.__signature__ = _Signature(  # type: ignore[attr-defined]
        _parameters(options, takes_arguments), return_annotation=Answer
    )
    return function


def _described(command: Optional[str] = None) -> Iterable[Callable[..., Answer]]:
    arguments = ["request"] if command is None else ["request", command]
    return map(_function, call("schema", arguments=arguments).result["oneOf"])


def function(name: str) -> Callable[..., Answer]:
    """That of one command, by its Python name; raises AttributeError where there is none."""
    try:
        return next(iter(_described(name.replace("_", "-"))))
    except PlannerError as error:
        raise AttributeError(f"module 'planner' has no attribute {name!r}: {error}") from None


def functions() -> dict[str, Callable[..., Answer]]:
    """All commands by their Python names."""
    return {function.__name__: function for function in _described()}
