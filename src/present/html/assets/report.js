// Draws the charts and sorts the tables of the report. vegaEmbed comes before this in the script.
"use strict";
(() => {
  // Expressions are interpreted, not compiled: the page's policy allows no eval.
  const options = {
    mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false,
    tooltip: {disableDefaultStyle: true},
  };
  const charts = JSON.parse(document.getElementById("chart-data").textContent);
  const drawn = [...document.querySelectorAll(".chart")].map((place) => {
    const {title, ...spec} = charts[place.dataset.chart].spec;  // the caption has the title
    return vegaEmbed(place, spec, options);
  });
  Promise.all(drawn).then(() => { document.documentElement.dataset.charts = "drawn"; });

  const valueOf = (cell) => {
    if (!cell) return null;
    const value = cell.dataset.value;
    return value === undefined ? cell.textContent.trim().toLowerCase() : Number(value);
  };
  // Numbers before words, what is not known last.
  const compare = (a, b) => {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  // Sorts up, then down, then as it was; marks the header for readers of screens too.
  const nextOrder = (header, headers) => {
    const orders = {ascending: "descending", descending: "none"};
    const order = orders[header.getAttribute("aria-sort")] ?? "ascending";
    headers.forEach((other) => other.removeAttribute("aria-sort"));
    if (order !== "none") header.setAttribute("aria-sort", order);
    return order;
  };
  const sorted = (items, valueOfItem, order) => {
    const list = items.map((item) => [valueOfItem(item), item]);
    if (order !== "none") list.sort((a, b) => compare(a[0], b[0]));
    if (order === "descending") list.reverse();
    return list.map(([, item]) => item);
  };

  for (const table of document.querySelectorAll("table.bill")) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const headers = [...table.tHead.rows[0].cells];
    headers.forEach((header, column) => header.querySelector("button").addEventListener("click", () => {
      const order = nextOrder(header, headers);
      body.append(...sorted(rows, (row) => valueOf(row.cells[column]), order));
    }));
  }

  // Clusters are columns: the name of a row sorts them.
  for (const table of document.querySelectorAll("table.clusters")) {
    const rows = [...table.rows].filter((row) => row.cells.length > 1).map((row) => [...row.cells]);
    const headers = rows.map(([header]) => header);
    const columns = rows[0].slice(1).map((_, i) => i + 1);
    for (const cells of rows) {
      cells[0].querySelector("button")?.addEventListener("click", () => {
        const order = nextOrder(cells[0], headers);
        const chosen = sorted(columns, (column) => valueOf(cells[column]), order);
        for (const row of rows) row[0].after(...chosen.map((column) => row[column]));
      });
    }
  }

  // What-if: formulas are read here, for the page's policy allows no eval. Every function takes what
  // it needs of the text and returns a function of the keys' values.
  const functions = {
    max: Math.max, min: Math.min, int: Math.floor, if: (test, then, other) => test ? then : other,
    cents: (amount) => Math.sign(amount) * Math.round(Math.abs(amount) * 100) / 100,
  };
  const compiled = (text) => {
    const tokens = text.match(/[a-z_][a-z_0-9]*|[0-9.]+(?:e[-+]?[0-9]+)?|[-+*\/^(),]/g);
    const take = (token) => tokens[0] === token && tokens.shift();
    const primary = () => {
      if (take("(")) {
        const inside = sum();
        take(")");
        return inside;
      }
      const token = tokens.shift();
      if (/^[0-9.]/.test(token)) return () => Number(token);
      if (!take("(")) return (values) => values[token];
      const parts = [sum()];
      while (take(",")) parts.push(sum());
      take(")");
      return (values) => functions[token](...parts.map((part) => part(values)));
    };
    const power = () => {
      const base = primary();
      if (!take("^")) return base;
      const exponent = factor();
      return (values) => base(values) ** exponent(values);
    };
    const factor = () => {
      if (!take("-")) return power();
      const inside = factor();
      return (values) => -inside(values);
    };
    const chain = (next, operators) => () => {
      let left = next();
      for (;;) {
        const operator = Object.keys(operators).find(take);
        if (!operator) return left;
        const before = left, right = next();
        left = (values) => operators[operator](before(values), right(values));
      }
    };
    const product = chain(factor, {"*": (a, b) => a * b, "/": (a, b) => a / b});
    const sum = chain(product, {"+": (a, b) => a + b, "-": (a, b) => a - b});
    return sum();
  };

  for (const form of document.querySelectorAll("form.calculation")) {
    const field = (row, name) => Number(row.querySelector(`[data-field=${name}]`)?.value ?? NaN);
    const outputs = [...form.querySelectorAll("output")].map(
      (place) => [place, compiled(place.dataset.formula)]);
    const recalculate = () => {
      const values = {bill_total: 0, bill_power: 0};
      const lines = [...form.querySelectorAll("tr[data-line]")];
      if (lines.length > 0) values.bill_nodes = field(lines[0], "quantity");
      for (const row of lines) {
        const quantity = field(row, "quantity");
        const price = field(lines[row.dataset.pricedAs] ?? row, "price");
        if (!Number.isNaN(price)) values.bill_total += functions.cents(quantity * price);
        values.bill_power += quantity * Number(row.dataset.power);
      }
      values.bill_total = functions.cents(values.bill_total);
      for (const input of form.querySelectorAll("input[data-key]")) {
        values[input.dataset.key] = input.valueAsNumber;
      }
      for (const [place, formula] of outputs) {
        const value = formula(values);
        values[place.dataset.key] = value;
        place.dataset.value = value;
        const digits = Math.abs(value) >= 1000 ? 0 : 2;
        place.textContent = Number.isFinite(value)
          ? value.toLocaleString("en-US", {minimumFractionDigits: digits,
                                           maximumFractionDigits: digits})
          : "–";
      }
    };
    form.addEventListener("input", recalculate);
    form.addEventListener("reset", () => setTimeout(recalculate));
    form.addEventListener("submit", (event) => event.preventDefault());
    recalculate();
  }
})();
