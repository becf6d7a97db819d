"""Executes a notebook as Jupyter does: run.py check|update NOTEBOOK

`check` compares what its cells show with the outputs stored in it, `update` stores them. A cell's
tag "shows:TYPE" names the MIME type that its output must have."""

import copy
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def executed(notebook):
    result = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as elsewhere:  # nothing may depend on where it is
        NotebookClient(result, timeout=300, kernel_name="python3",
                       resources={"metadata": {"path": elsewhere}}).execute()
    for cell in code_cells(result):  # when and as the how-manieth it ran is no result
        cell.execution_count = None
        cell.metadata.pop("execution", None)
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = None
    result.metadata = notebook.metadata
    return result


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def check_tags(notebook):
    shown, asserted = 0, 0
    for number, cell in enumerate(code_cells(notebook)):
        asserted += cell.source.count("assert ")
        types = {type_ for output in cell.outputs for type_ in output.get("data", {})}
        for tag in cell.metadata.get("tags", []):
            wanted = tag[len("shows:"):]
            if wanted not in types:
                sys.exit(f"{path}: code cell {number} shows {sorted(types)}, not {wanted}")
            shown += 1
    if shown == 0 or asserted == 0:
        sys.exit(f"{path}: nothing is checked")


mode, path = sys.argv[1], Path(sys.argv[2])
stored = nbformat.read(path, as_version=4)
nbformat.validate(stored)
now = executed(stored)
check_tags(now)
if mode == "update":
    nbformat.write(now, path)
else:
    for number, (before, after) in enumerate(zip(code_cells(stored), code_cells(now))):
        if before.outputs != after.outputs:
            sys.exit(f"{path}: code cell {number} does not show what is stored in it: look at it, "
                     f"then tests/notebook/run.py update\n{after.outputs}")
