"""How to train a transformer on a GPU cluster, how long that takes, and what it costs.

    import planner
    answer = planner.optimize(model="llama3.1-405b", gpus=16384)
    answer.result["best"]["iteration_time_s"]
    answer.table()

Every command that answers in JSON is a function here, its flags are keywords (--global-batch is
global_batch), its answer that JSON as a dictionary. Errors are PlannerError.
"""

import builtins as _builtins
from typing import Any as _Any

from . import _commands
from ._answer import Answer, Chart, PlannerError
from ._commands import call
from ._library import version

__version__ = version()
_own = ["Answer", "Chart", "PlannerError", "call", "version"]


def __getattr__(name: str) -> _Any:
    """A command's function is made when it is first asked for: to describe all takes a while."""
    if name == "__all__":
        # `from planner import *` leaves Python's own list alone: that is planner.list.
        return _own + [name for name in _commands.functions() if not hasattr(_builtins, name)]
    if name.startswith("_"):
        raise AttributeError(f"module 'planner' has no attribute {name!r}")
    return globals().setdefault(name, _commands.function(name))


def __dir__() -> "_builtins.list[str]":
    return sorted({*globals(), "__all__", *_commands.functions()})
