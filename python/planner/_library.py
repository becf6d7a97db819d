"""Finds libplanner.so and calls it: JSON text in, JSON text out."""

from __future__ import annotations

import ctypes
import os
import sysconfig
from pathlib import Path
from typing import Iterator

_FILE = "libplanner.so.0"


def _candidates() -> Iterator[str]:
    """Where the library may be, best first."""
    named = os.environ.get("PLANNER_LIBRARY")
    if named:
        yield named  # and nowhere else: falling back silently would use another version
        return
    here = Path(__file__).resolve()
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    for folder in here.parents:
        if folder.name == "lib":  # installed beside the library
            yield str(folder / _FILE)
            yield str(folder / multiarch / _FILE)
    builds = here.parents[2].glob(f"build/*/lib/{_FILE}")  # in the source tree
    yield from map(str, sorted(builds, key=lambda path: path.stat().st_mtime, reverse=True))
    yield _FILE  # wherever the system's loader finds it
    yield f"/usr/local/lib/{_FILE}"


def _load() -> ctypes.CDLL:
    tried = []
    for candidate in _candidates():
        try:
            return ctypes.CDLL(candidate)
        except OSError:
            tried.append(candidate)
    raise ImportError(
        f"{_FILE} is not there: looked for {', '.join(tried)}\n"
        "  hint: build and install planner (cmake --install build/release), "
        "or set PLANNER_LIBRARY to the file"
    )


_library = _load()
_library.planner_call.argtypes = [ctypes.c_char_p]
_library.planner_call.restype = ctypes.c_void_p
_library.planner_free.argtypes = [ctypes.c_void_p]
_library.planner_free.restype = None
_library.planner_version.argtypes = []
_library.planner_version.restype = ctypes.c_char_p


def version() -> str:
    """The version of the library."""
    return _library.planner_version().decode()


def call(request: str) -> str:
    """One request. Other Python threads run meanwhile."""
    answer = _library.planner_call(request.encode())
    if not answer:
        raise MemoryError("planner ran out of memory")
    try:
        return ctypes.string_at(answer).decode()
    finally:
        _library.planner_free(answer)
