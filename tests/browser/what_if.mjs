// Changes fields of a report's calculation in headless Chromium and holds what follows against the
// command line, asked the same: to the cent.
//   node what_if.mjs PACKAGES CHROMIUM PLANNER CLUSTER.json
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const [packages, executablePath, planner, cluster] = process.argv.slice(2);
const {chromium} = createRequire(join(packages, "package.json"))("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "planner-what-if-"));
const report = join(folder, "report.html");
const asked = (...flags) => execFileSync(planner, ["cost", cluster, "--quiet", ...flags],
                                         {maxBuffer: 1 << 28});

async function agrees(page, what, flags) {
  const {result} = JSON.parse(asked("--json", ...flags));
  const wanted = {
    capex: result.capex_usd, opex: result.opex_usd_per_year, tco: result.tco_usd,
    gpu_hour: result.cost_per_gpu_hour_usd, run_cost: result.training.cost_per_run_usd,
  };
  for (const [key, amount] of Object.entries(wanted)) {
    const shown = Number(await page.$eval(`output[data-key=${key}]`,
                                          (place) => place.dataset.value));
    assert.ok(Math.abs(shown - amount) <= Math.max(0.0100001, 3e-9 * amount),
              `${what}: ${key} is ${shown} on the page, ${amount} by the command line`);
  }
}

const set = (page, selector, value) => page.$eval(selector, (field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
}, String(value));

asked("-o", report);
const browser = await chromium.launchPersistentContext(join(folder, "profile"), {
  executablePath, headless: true, timeout: 60000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(pathToFileURL(report).href);
  await page.waitForSelector("html[data-charts=drawn]", {state: "attached"});
  await agrees(page, "as it is", []);
  for (const [key, flag, value] of [
    ["electricity", "--electricity", 0.15], ["pue", "--pue", 1.12], ["years", "--years", 3],
    ["utilisation", "--utilisation", 0.7], ["capital_cost", "--cost-of-capital", 0.08]]) {
    const field = `input[data-key=${key}]`;
    const before = await page.$eval(field, (input) => input.value);
    await set(page, field, value);
    await agrees(page, key, [flag, value]);
    await set(page, field, before);
  }
  await set(page, "input[aria-label='NVIDIA DGX H100, price of one']", 250000);
  await agrees(page, "a price", ["--price", "dgx-h100=250000"]);
  await page.click("form.calculation button[type=reset]");
  await page.waitForTimeout(50);
  await agrees(page, "as it was", []);
  assert.deepEqual(problems, []);
} finally {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
}
