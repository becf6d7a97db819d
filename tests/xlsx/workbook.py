"""What tests of workbooks share: the cells of a workbook, changes that a reader makes, and what the
command line says of the same (changes.json, which the test of the page reads too)."""
import json
import math
import pathlib
import re
import subprocess
import xml.etree.ElementTree as xml
import zipfile

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SUMMARY, FIGURES, BILL = "Summary", "What if", "Bill of materials"  # sheets
# What the first page calls figures of the calculation; its names go on.
FIRST_PAGE = {"purchase": "capital cost", "total cost over": "total cost of ownership",
              "a GPU-hour": "cost of a GPU-hour", "cost of the run": "cost of the run"}
LOW, HIGH = "C", "D"  # columns of the figures: all at that end
PRICE, QUANTITY = "E", "C"  # columns of the bill
CHANGES = json.loads((pathlib.Path(__file__).parent / "changes.json").read_text())


class Workbook:
    """The cells of all sheets, by (sheet, name): numbers, texts, formulas and what these came to."""

    def __init__(self, path):
        self.files = {name: data for name, data in contents(path)}
        shared = [
            "".join(text.text or "" for text in item.iter(MAIN + "t"))
            for item in xml.fromstring(self.files["xl/sharedStrings.xml"])
        ]
        names = [
            sheet.get("name")
            for sheet in xml.fromstring(self.files["xl/workbook.xml"]).iter(MAIN + "sheet")
        ]
        self.cells, self.formulas, self.stored, self.parts = {}, {}, {}, {}
        self.changed = False
        for number, name in enumerate(names, 1):
            self.parts[name] = f"xl/worksheets/sheet{number}.xml"
            for cell in xml.fromstring(self.files[self.parts[name]]).iter(MAIN + "c"):
                at = (name, cell.get("r"))
                value = cell.findtext(MAIN + "v")
                if cell.find(MAIN + "f") is not None:
                    self.formulas[at] = cell.findtext(MAIN + "f")
                    self.stored[at] = value if cell.get("t") == "str" else float(value)
                elif value is not None:
                    self.cells[at] = shared[int(value)] if cell.get("t") == "s" else float(value)

    def at(self, sheet, name, column="B"):
        """The cell in the row that says `name`."""
        for (of, cell), value in self.cells.items():
            if of == sheet and value == name:
                return (sheet, column + re.sub(r"\D", "", cell))
        raise KeyError(f"{sheet}: {name}")

    def first_page(self, column="B"):
        """Cells of the figures that the first page has of the calculation, by their names there."""
        return {FIRST_PAGE[start]: (SUMMARY, column + re.sub(r"\D", "", cell))
                for start in FIRST_PAGE
                for (of, cell), value in self.cells.items()
                if of == SUMMARY and re.fullmatch(r"A\d+", cell) and str(value).startswith(start)
                and (SUMMARY, column + cell[1:]) in self.formulas}

    def cut_off(self, sheet):
        """Names of rows that have no room: longer than their column, beside a figure, in a row as
        high as one line."""
        page = xml.fromstring(self.files[self.parts[sheet]])
        width = float(next(page.iter(MAIN + "col")).get("width"))
        height = {row.get("r"): float(row.get("ht", 15)) for row in page.iter(MAIN + "row")}
        return [value for (of, cell), value in self.cells.items()
                if of == sheet and re.fullmatch(r"A\d+", cell) and len(str(value)) > width
                and ((sheet, "B" + cell[1:]) in self.formulas
                     or isinstance(self.cells.get((sheet, "B" + cell[1:])), float))
                and height[cell[1:]] < 15 * math.ceil(len(str(value)) / width)]

    def change(self, at, value):
        """As a reader does: a number in the place of a number."""
        assert isinstance(self.cells.get(at), float), f"{at} is no input"
        self.changed = self.changed or self.cells[at] != float(value)
        self.cells[at] = float(value)
        sheet, name = at
        text = self.files[self.parts[sheet]].decode()
        text, found = re.subn(rf'(<c r="{name}"[^>]*><v>)[^<]*(</v>)', rf"\g<1>{value!r}\g<2>", text)
        assert found == 1, f"{at} is written {found} times"
        self.files[self.parts[sheet]] = text.encode()

    def write(self, path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for name, data in self.files.items():
                out.writestr(name, data)


def contents(path):
    with zipfile.ZipFile(path) as files:
        return [(name, files.read(name)) for name in files.namelist()]


def run(planner, *arguments):
    return subprocess.run([planner, *map(str, arguments), "--quiet"], check=True,
                          capture_output=True, text=True).stdout


def wanted(planner, *flags):
    """What the command line says, by the names that the workbook has for it."""
    result = json.loads(run(planner, "cost", *flags, "--json"))["result"]
    amounts = {
        "capital cost": result["capex_usd"],
        "opex per year": result["opex_usd_per_year"],
        "total cost of ownership": result["tco_usd"],
        "cost of a GPU-hour": result["cost_per_gpu_hour_usd"],
        "cost of the run": result["training"]["cost_per_run_usd"],
    }
    if "rent" in result:  # nothing is bought
        del amounts["capital cost"]
    if "expected" in result:
        amounts["cost of the run"] = result["expected"]["cost_per_run_usd"]["mean"]
    return amounts


def agrees(ours, amount):
    """To the cent, either side of a half one."""
    return abs(ours - amount) < 0.0100001


def changed_workbooks(planner, source, folder):
    """(what, path, workbook, flags) of each cluster unchanged and of each change: the workbook that
    a reader has changed, and how the command line is asked for the same."""
    for name in CHANGES["clusters"]:
        shipped = source / "examples/clusters" / f"{name}.json"
        original, extra, more = (folder / f"{name}.xlsx", folder / f"{name}-extra.json",
                                 folder / f"{name}-more.json")
        run(planner, "cost", shipped, "-o", original)
        number = 0

        def changed(of, what, cells, flags):
            nonlocal number
            book = Workbook(of)
            for at, value in cells(book):
                book.change(at, value)
            number += 1
            path = folder / f"{name}-{number}.xlsx"
            book.write(path)
            return f"{name}, {what}", path, book, flags

        yield changed(original, "nothing", lambda book: [], [shipped])
        for figure in CHANGES["figures"]:
            yield changed(original, figure["what"],
                          lambda book: [(book.at(FIGURES, one["name"]), one["value"])
                                        for one in figure["set"]],
                          [shipped, *(word for one in figure["set"]
                                      for word in (one["flag"], one["value"]))])
        # What parts sell for by the year, and a book value that is no line.
        economics = json.loads((source / "catalog/economics/us-2026.json").read_text())
        for what, lost in [("residual values", {"residual_by_year": [0.62, 0.42, 0.28, 0.2]}),
                           ("double declining", {"depreciation": "double-declining",
                                                 "depreciation_years": 4.5})]:
            data = json.loads(shipped.read_text())
            data["economics"] = economics | lost
            file = folder / f"{name}-{len(lost)}.json"
            file.write_text(json.dumps(data))
            run(planner, "cost", file, "-o", folder / f"{name}-lost.xlsx")
            for years in [1.0, 2.5, 4.0]:
                yield changed(folder / f"{name}-lost.xlsx", f"{what}, {years:g} years",
                              lambda book: [(book.at(FIGURES, "horizon"), years)],
                              [file, "--years", years])
        lines = json.loads(run(planner, "cost", shipped, "--json"))["result"]["lines"]
        node = next(line for line in lines if line["category"] == "compute")
        price = round(node["unit_price_usd"] * CHANGES["price"]["times"])
        yield changed(original, CHANGES["price"]["what"],
                      # Lines of nodes in reserve follow it.
                      lambda book: [(book.at(BILL, node["item"], PRICE), price)],
                      [shipped, "--price", f"{node['part']}={price}"])
        quantity = CHANGES["quantity"]
        data = json.loads(shipped.read_text())
        data["extra_lines"] = [quantity["line"]]
        extra.write_text(json.dumps(data))
        data["extra_lines"] = [{**quantity["line"], "quantity": quantity["becomes"]}]
        more.write_text(json.dumps(data))
        run(planner, "cost", extra, "-o", folder / f"{name}-extra.xlsx")
        yield changed(folder / f"{name}-extra.xlsx", quantity["what"],
                      lambda book: [(book.at(BILL, quantity["line"]["item"], QUANTITY),
                                     quantity["becomes"])], [more])

    rented = source / "docs/rented.json"
    original = folder / "rented.xlsx"
    run(planner, "cost", rented, "-o", original)
    for number, changes in enumerate([[], [("horizon", "--years", 2.5)],
                                      [("horizon", "--years", 3.0),
                                       ("cost of capital per year", "--cost-of-capital", 0.1),
                                       ("share of the hours that are used", "--utilisation", 0.7)]]):
        book = Workbook(original)
        for name, _, value in changes:
            book.change(book.at(FIGURES, name), value)
        path = folder / f"rented-{number}.xlsx"
        book.write(path)
        flags = [word for _, flag, value in changes for word in (flag, value)]
        yield f"rented, {number} changes", path, book, [rented, *flags]
