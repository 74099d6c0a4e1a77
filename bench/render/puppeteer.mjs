// Renders pages with puppeteer: `puppeteer.mjs MODULES BROWSER ORIGIN MODE TABS PAGES`. MODE is
// "new", a new tab for each page as crawlee opens it, or "reused". A page is ready when nothing was
// requested for half a second. Prints the milliseconds for all pages.

import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, executablePath, origin, mode, tabs, pages] = process.argv.slice(2);
const puppeteer = createRequire(join(modules, "package.json"))("puppeteer-core");

const browser = await puppeteer.launch({
  executablePath, headless: "shell", args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});

async function render(tab, number) {
  await tab.goto(`${origin}/${number}`, { waitUntil: "networkidle0" });
  const html = await tab.content();
  const links = await tab.$$eval("a", (all) => all.map((link) => link.href));
  if (links.length !== 40 || !html.includes("Item 39")) throw new Error(`${links.length} links`);
}

async function work(numbers, one) {
  const tab = one ?? await browser.newPage();
  for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
    const current = mode === "new" ? await browser.newPage() : tab;
    await render(current, number);
    if (mode === "new") await current.close();
  }
  return tab;
}

const count = Number(tabs);
const warm = Array.from({ length: count }, (_, i) => i + 1);
const opened = await Promise.all(warm.map((number) => work([number])));
const numbers = Array.from({ length: Number(pages) }, (_, i) => count + i + 1);
const begin = performance.now();
await Promise.all(opened.map((tab) => work(numbers, tab)));
process.stdout.write(`${performance.now() - begin}\n`);
await browser.close();
