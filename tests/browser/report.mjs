// Opens an HTML report in headless Chromium and checks it as a reader would:
//   node report.mjs PACKAGES CHROMIUM REPORT.html CHARTS COMMAND…
// PACKAGES is the folder with node_modules, CHARTS the number of charts it must have.
import assert from "node:assert/strict";
import {mkdtempSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";

const [packages, executablePath, report, charts, command] = process.argv.slice(2);
const {chromium} = createRequire(join(packages, "package.json"))("playwright-core");
const address = pathToFileURL(resolve(report)).href;

// Not waitForFunction: it needs eval, which the page's policy forbids.
const drawn = (page) => page.waitForSelector("html[data-charts=drawn]", {state: "attached"});

async function drawsItsCharts(page) {
  const marks = await page.$$eval(".chart", (places) => places.map(
    (place) => place.querySelectorAll("svg .mark-rect path, svg .mark-symbol path").length));
  assert.equal(marks.length, Number(charts));
  marks.forEach((count) => assert.ok(count > 0, "a chart without marks"));
}

async function sortsTheBill(page) {
  const totals = () => page.$eval("table.bill", (table) => [...table.tBodies[0].rows].map(
    (row) => Number(row.querySelector(".total").dataset.value)).filter((total) => total >= 0));
  const before = await totals();
  const header = page.locator("table.bill").first().locator("thead button", {hasText: "total"});
  await header.click();
  assert.deepEqual(await totals(), [...before].sort((a, b) => a - b));
  await header.click();
  assert.deepEqual(await totals(), [...before].sort((a, b) => b - a));
  await header.click();
  assert.deepEqual(await totals(), before);
}

async function sortsTheClusters(page) {
  const names = () => page.$$eval("table.clusters thead th:not(.corner)",
                                  (cells) => cells.map((cell) => cell.firstChild.textContent));
  const before = await names();
  assert.ok(before.length > 1);
  const costs = () => page.$$eval("table.clusters tbody tr", (rows) =>
    [...rows.find((row) => row.cells[0].textContent === "network cost").cells].slice(1)
      .map((cell) => Number(cell.dataset.value)));
  await page.locator("table.clusters button", {hasText: "network cost"}).click();
  assert.deepEqual(await costs(), [...await costs()].sort((a, b) => a - b));
  assert.deepEqual([...await names()].sort(), [...before].sort());
}

async function fits(page, width) {
  await page.setViewportSize({width, height: 844});
  const size = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(size <= width, `${size} pixels wide on a screen of ${width}`);
}

const profile = mkdtempSync(join(tmpdir(), "planner-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath, headless: true, timeout: 60000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage();
  const problems = [], requests = [], dialogs = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("dialog", (dialog) => { dialogs.push(dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  await drawn(page);
  await drawsItsCharts(page);
  if (command === "compare") {
    await sortsTheBill(page);
    await sortsTheClusters(page);
  }
  for (const width of [1280, 390]) await fits(page, width);
  await page.emulateMedia({media: "print", colorScheme: "dark"});
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
               "rgb(255, 255, 255)", "prints on white");
  const text = await page.evaluate(() => document.body.innerText);
  if (text.includes("alert(")) assert.ok(text.includes("<script>alert(1)</script>"));
  assert.deepEqual(problems, []);
  assert.deepEqual(dialogs, []);
  assert.deepEqual(requests.filter((url) => !url.startsWith("data:")), [address]);
} finally {
  await browser.close();
  rmSync(profile, {recursive: true, force: true});
}
