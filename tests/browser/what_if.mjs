// Changes fields of a report's calculation in headless Chromium and holds what follows against the
// command line, asked the same: to the cent. The changes are those that workbooks are tested with.
//   node what_if.mjs PACKAGES CHROMIUM PLANNER SOURCE
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const [packages, executablePath, planner, source] = process.argv.slice(2);
const {chromium} = createRequire(join(packages, "package.json"))("playwright-core");
const changes = JSON.parse(readFileSync(join(source, "tests/xlsx/changes.json")));
const folder = mkdtempSync(join(tmpdir(), "planner-what-if-"));
const asked = (cluster, ...flags) => execFileSync(
  planner, ["cost", cluster, "--quiet", ...flags.map(String)], {maxBuffer: 1 << 28});

async function agrees(page, what, cluster, flags) {
  const {result} = JSON.parse(asked(cluster, "--json", ...flags));
  const run = result.expected?.cost_per_run_usd.mean ?? result.training.cost_per_run_usd;
  const wanted = {
    opex: result.opex_usd_per_year, tco: result.tco_usd, gpu_hour: result.cost_per_gpu_hour_usd,
    run_cost: run, ...("rent" in result ? {} : {capex: result.capex_usd}),
  };
  for (const [key, amount] of Object.entries(wanted)) {
    const shown = Number(await page.$eval(`output[data-key=${key}]`,
                                          (place) => place.dataset.value));
    assert.ok(Math.abs(shown - amount) < 0.0100001,
              `${what}: ${key} is ${shown} on the page, ${amount} by the command line`);
  }
  console.log(`${what}: as the command line`);
}

const set = (page, selector, value) => page.$eval(selector, (field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
}, String(value));

const reset = async (page) => {
  await page.click("form.calculation button[type=reset]");
  await page.waitForTimeout(50);
};

async function opened(page, cluster) {
  const report = join(folder, "report.html");
  asked(cluster, "-o", report);
  await page.goto(pathToFileURL(report).href);
  await page.waitForSelector("html[data-charts=drawn]", {state: "attached"});
  // The fields of quantities are folded away.
  await page.$$eval("form.calculation details", (all) => all.forEach((one) => { one.open = true; }));
}

async function takesChanges(page, name) {
  const shipped = join(source, "examples/clusters", `${name}.json`);
  await opened(page, shipped);
  await agrees(page, `${name}, nothing`, shipped, []);
  for (const {what, set: figures} of changes.figures) {
    for (const {key, value} of figures) await set(page, `input[data-key=${key}]`, value);
    await agrees(page, `${name}, ${what}`, shipped,
                 figures.flatMap(({flag, value}) => [flag, value]));
    await reset(page);
  }
  const {result} = JSON.parse(asked(shipped, "--json"));
  const node = result.lines.find((line) => line.category === "compute");
  const price = Math.round(node.unit_price_usd * changes.price.times);
  // Lines of nodes in reserve follow it.
  await set(page, `input[aria-label='${node.item}, price of one']`, price);
  await agrees(page, `${name}, ${changes.price.what}`, shipped, ["--price", `${node.part}=${price}`]);
  await reset(page);
  await agrees(page, `${name}, as it was`, shipped, []);

  const {line, becomes, what} = changes.quantity;
  const withLine = (file, quantity) => {
    const cluster = JSON.parse(readFileSync(shipped));
    cluster.extra_lines = [{...line, quantity}];
    writeFileSync(file, JSON.stringify(cluster));
    return file;
  };
  await opened(page, withLine(join(folder, "extra.json"), line.quantity));
  await set(page, `input[aria-label='${line.item}, quantity']`, becomes);
  await agrees(page, `${name}, ${what}`, withLine(join(folder, "more.json"), becomes), []);
}

// Of GPUs that are rented with all around them nothing is bought: rents and hours are what is asked.
async function takesRents(page) {
  const rented = join(source, "docs/rented.json");
  await opened(page, rented);
  await agrees(page, "rented, nothing", rented, []);
  const asked = [["years", "--years", 2.5], ["capital_cost", "--cost-of-capital", 0.1],
                 ["utilisation", "--utilisation", 0.7]];
  for (const [key, , value] of asked) await set(page, `input[data-key=${key}]`, value);
  await agrees(page, "rented, years and hours", rented,
               asked.flatMap(([, flag, value]) => [flag, value]));
  await reset(page);
  const dearer = join(folder, "dearer.json");
  const cluster = JSON.parse(readFileSync(rented));
  cluster.rent.usd_per_gpu_hour = 4.2;
  writeFileSync(dearer, JSON.stringify(cluster));
  await set(page, "input[data-key=rent]", 4.2);
  await agrees(page, "rented, a dearer hour", dearer, []);
  await reset(page);
  // Twice as many days, since half of them are lost.
  const cost = Number(await page.$eval("output[data-key=run_cost]", ({dataset}) => dataset.value));
  const left = Number(await page.$eval("input[data-key=advancing]", ({value}) => value));
  await set(page, "input[data-key=advancing]", left / 2);
  const twice = Number(await page.$eval("output[data-key=run_cost]", ({dataset}) => dataset.value));
  assert.ok(Math.abs(twice - 2 * cost) < 0.02, `${twice} is not twice ${cost}`);
}

const browser = await chromium.launchPersistentContext(join(folder, "profile"), {
  executablePath, headless: true, timeout: 60000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  for (const name of changes.clusters) await takesChanges(page, name);
  await takesRents(page);
  assert.deepEqual(problems, []);
} finally {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
}
