// Joins what the HTML report runs into one script, and writes the hash that its content security
// policy names:
//   node bundle.mjs PACKAGES REPORT_JS OUTPUT    writes OUTPUT and OUTPUT.sha256
// PACKAGES is the folder with node_modules. Their licences stay with the code.
import {createHash} from "node:crypto";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";

const [packages, report, output] = process.argv.slice(2);
const read = (...path) => readFileSync(join(...path), "utf8").replaceAll("\r\n", "\n");

const library = (name) => {
  const folder = join(packages, "node_modules", name);
  const {version} = JSON.parse(read(folder, "package.json"));
  const code = read(folder, "build", `${name}.min.js`).replace(/^\/\/# sourceMappingURL=.*$/gm, "");
  const licence = read(folder, "LICENSE").replaceAll("*/", "* /");
  return `/* ${name} ${version}\n\n${licence}*/\n${code}\n`;
};

// Inside <script>, these would end it or change how its end is found. Both occur only in strings
// and regular expressions, where the backslash changes nothing.
const inline = (code) => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const script = inline(["vega", "vega-lite", "vega-embed"].map(library).join("") + read(report));
writeFileSync(output, script);
const hash = createHash("sha256").update(script, "utf8").digest("base64");
writeFileSync(`${output}.sha256`, `sha256-${hash}`);
