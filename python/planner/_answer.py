"""Answers, their tables and charts, and errors."""

from __future__ import annotations

import csv
import html
import io
from typing import Any, Iterator, Optional, Tuple

def _pandas() -> Any:
    """The module, or None where it is not installed. Importing it takes longer than planning."""
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def _number(cell: Any) -> Any:
    """The number of a cell, in a column that has words too."""
    for kind in (int, float):
        try:
            return kind(cell)
        except (TypeError, ValueError):
            pass
    return cell


class Chart:
    """A Vega-Lite chart with its data inside. Jupyter draws it."""

    def __init__(self, name: str, title: str, spec: dict) -> None:
        self.name, self.title, self.spec = name, title, spec

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict:
        return {"application/vnd.vegalite.v5+json": self.spec, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<planner chart {self.name}: {self.title}>"


class Charts(Tuple[Chart, ...]):
    """The charts of an answer. Jupyter draws them all."""

    def __getitem__(self, key: Any) -> Any:
        """By number, or by name."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        for chart in self:
            if chart.name == key:
                return chart
        raise KeyError(f"{key!r}: the charts are {', '.join(chart.name for chart in self)}")

    def _ipython_display_(self) -> None:
        from IPython.display import display

        for chart in self:
            display(chart)


class Answer(dict):
    """The JSON answer of `planner COMMAND … --json`, with its parts as attributes too."""

    _csv: Optional[str] = None
    rendered: Optional[str] = None  #: the text, where call() was given a format

    @property
    def command(self) -> str:
        return self["command"]

    @property
    def inputs(self) -> dict:
        """What the answer is for: names looked up, defaults filled in."""
        return self.get("inputs", {})

    @property
    def result(self) -> dict:
        return self.get("result", {})

    @property
    def warnings(self) -> list[str]:
        return self["warnings"]

    @property
    def charts(self) -> Charts:
        return Charts(
            Chart(chart["name"], chart["title"], chart["spec"]) for chart in self.get("charts", [])
        )

    def table(self) -> Any:
        """The answer's main table: a pandas DataFrame, or without pandas a list of dictionaries
        of text."""
        if self._csv is None:
            raise TypeError(f"an answer of {self.command} has no table")
        text = io.StringIO(self._csv.partition("\r\n\r\n")[0])  # what follows are other tables
        pandas = _pandas()
        if pandas is None:
            return list(csv.DictReader(text))
        frame = pandas.read_csv(text)
        for name in frame.columns[frame.dtypes == object]:
            frame[name] = frame[name].map(_number)
        return frame

    def _repr_html_(self) -> Optional[str]:
        if self._csv is None or _pandas() is None:
            return None
        notes = "".join(f"<p>warning: {html.escape(note)}</p>" for note in self.warnings)
        return self.table().to_html(notebook=True) + notes

    def __repr__(self) -> str:
        return f"<planner {self.command} answer: {', '.join(self.result)}>"


class PlannerError(Exception):
    """What the library found wrong, each finding with its hint."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("\n".join(_as_text(error) for error in answer["errors"]))
        self.answer = answer  #: may hold a result too: an estimate that does not fit the memory

    def __reduce__(self) -> tuple:
        """Exceptions are made again from what they say: this one is from its answer."""
        return type(self), (self.answer,)

    @property
    def errors(self) -> list[dict]:
        """[{"code", "message", "hint", "file", "line", "column"}]"""
        return self.answer["errors"]

    @property
    def code(self) -> str:
        """Of the first finding."""
        return self.errors[0]["code"]

    @property
    def hint(self) -> Optional[str]:
        """Of the first finding."""
        return self.errors[0]["hint"]


def _place(error: dict) -> Iterator[str]:
    for key in ("file", "line", "column"):
        if error[key] is not None:
            yield f"{error[key]}:"


def _as_text(error: dict) -> str:
    text = "".join(_place(error)) + (" " if error["file"] else "") + error["message"]
    return text + (f"\n  hint: {error['hint']}" if error["hint"] else "")
