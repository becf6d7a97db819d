"""How to train a transformer on a GPU cluster, how long that takes, and what it costs.

    import planner
    answer = planner.optimize(model="llama3.1-405b", gpus=16384)
    answer.result["best"]["iteration_time_s"]
    answer.table()

Every command that answers in JSON is a function here, its flags are keywords (--global-batch is
global_batch), its answer that JSON as a dictionary. Errors are PlannerError.
"""

import builtins as _builtins

from . import _commands
from ._answer import Answer, Chart, PlannerError
from ._commands import call
from ._library import version

__version__ = version()
_functions = _commands.functions()
# `from planner import *` leaves Python's own list alone: that is planner.list.
__all__ = ["Answer", "Chart", "PlannerError", "call", "version"]
__all__ += [name for name in _functions if not hasattr(_builtins, name)]

globals().update(_functions)
