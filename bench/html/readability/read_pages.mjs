// Finds the main text of pages with Readability.js on trees of linkedom.
//
//   node read_pages.mjs MODULES LIST
//
// LIST names one file per line. Prints nanoseconds of processor time, without start and reading.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, list] = process.argv.slice(2);
const require = createRequire(pathToFileURL(modules + "/package.json"));
const { Readability } = require("@mozilla/readability");
const { parseHTML } = require("linkedom");

const names = readFileSync(list, "utf8").split("\n").filter((name) => name !== "");
const pages = names.map((name) => readFileSync(name, "utf8"));
const read = (page) => new Readability(parseHTML(page).document).parse()?.textContent.length ?? 0;

for (const page of pages.slice(0, 10)) read(page); // compiles the code
const begin = process.cpuUsage();
let bytes = 0;
for (const page of pages) {
  try {
    bytes += read(page);
  } catch {
    bytes += 1; // a page that it cannot read
  }
}
const used = process.cpuUsage(begin);
console.log((used.user + used.system) * 1000, bytes);
