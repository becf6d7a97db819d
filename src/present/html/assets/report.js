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
})();
