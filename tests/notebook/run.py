"""Executes a notebook as Jupyter does and checks what its cells show: run.py NOTEBOOK

A cell's tag "shows:TYPE" names the MIME type that its output must have."""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

path = Path(sys.argv[1])
notebook = nbformat.read(path, as_version=4)
nbformat.validate(notebook)
with tempfile.TemporaryDirectory() as elsewhere:  # nothing may depend on where it is
    NotebookClient(notebook, timeout=300, kernel_name="python3",
                   resources={"metadata": {"path": elsewhere}}).execute()

shown, asserted = 0, 0
for number, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
    asserted += cell.source.count("assert ")
    types = {type_ for output in cell.outputs for type_ in output.get("data", {})}
    for tag in cell.metadata.get("tags", []):
        wanted = tag[len("shows:"):]
        if wanted not in types:
            sys.exit(f"{path}: code cell {number} shows {sorted(types)}, not {wanted}")
        shown += 1
if shown == 0 or asserted == 0:
    sys.exit(f"{path}: nothing is checked")
