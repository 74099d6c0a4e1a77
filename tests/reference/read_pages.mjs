// Reads pages and Markdown with libraries that others wrote.
//
//   node read_pages.mjs MODULES CASES
//
// CASES has one JSON object per line, and so has the output:
//   {"page": "<p>", "mode": "tree"}                      {"tree": "| <html>\n..."}
//   {"page": "<p>", "mode": "select", "selector": "p"}   {"found": [3, 7]} or {"error": "..."}
//   {"page": "*a*", "mode": "markdown"}                  {"text": "a"}
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { createReadStream } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, cases] = process.argv.slice(2);
const require = createRequire(pathToFileURL(modules + "/package.json"));
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const parse5 = await load("parse5");
const { adapter } = await load("parse5-htmlparser2-tree-adapter");
const css = await load("css-select");
const commonmark = await load("commonmark");

const SPACES = {
  "http://www.w3.org/2000/svg": "svg ",
  "http://www.w3.org/1998/Math/MathML": "math ",
};

// The form of the html5lib tests.
function writeTree(root) {
  const lines = [];
  const line = (level, text) => lines.push("| " + "  ".repeat(level) + text + "\n");
  const write = (node, level) => {
    switch (node.nodeName) {
      case "#documentType": {
        const ids = node.publicId || node.systemId
          ? ` "${node.publicId}" "${node.systemId}"` : "";
        line(level, `<!DOCTYPE ${node.name}${ids}>`);
        return;
      }
      case "#text": line(level, `"${node.value}"`); return;
      case "#comment": line(level, `<!-- ${node.data} -->`); return;
    }
    line(level, `<${SPACES[node.namespaceURI] ?? ""}${node.nodeName}>`);
    const attributes = node.attrs.map(
      (each) => [each.prefix ? `${each.prefix} ${each.name}` : each.name, each.value]);
    // By bytes of UTF-8, as the other side sorts.
    attributes.sort((a, b) => Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])));
    for (const [name, value] of attributes) line(level + 1, `${name}="${value}"`);
    if (node.content) {
      line(level + 1, "content");
      for (const child of node.content.childNodes) write(child, level + 2);
    }
    for (const child of node.childNodes) write(child, level + 1);
  };
  for (const child of root.childNodes) write(child, 0);
  return lines.join("");
}

// The adapter calls xlink:href "href", but [href] is about attributes without a namespace.
function restoreNames(node) {
  for (const [name, prefix] of Object.entries(node["x-attribsPrefix"] ?? {})) {
    if (!prefix) continue;
    node.attribs[`${prefix}:${name}`] = node.attribs[name];
    delete node.attribs[name];
  }
}

// Numbers the elements in document order, without those in templates.
function numberElements(root) {
  const numbers = new Map();
  const visit = (node) => {
    if (node.type === "tag" || node.type === "script" || node.type === "style") {
      numbers.set(node, numbers.size);
      restoreNames(node);
    }
    if (node.name === "template" && node.namespace === "http://www.w3.org/1999/xhtml") return;
    for (const child of node.children ?? []) visit(child);
  };
  visit(root);
  return numbers;
}

let last = { page: null, document: null, numbers: null };

function select(page, selector) {
  if (last.page !== page) {
    const document = parse5.parse(page, { treeAdapter: adapter, scriptingEnabled: false });
    last = { page, document, numbers: numberElements(document) };
  }
  try {
    const found = css.selectAll(selector, last.document);
    const numbers = found.map((node) => last.numbers.get(node)).filter((n) => n !== undefined);
    return { found: numbers.sort((a, b) => a - b) };
  } catch (error) {
    return { error: String(error) };
  }
}

// The text of a piece of HTML in Markdown: a table, or a tag such as <sup>.
function textOfHtml(html) {
  let text = "";
  const visit = (node) => {
    if (node.nodeName === "#text") text += node.value;
    for (const child of node.childNodes ?? []) visit(child);
    if (node.nodeName === "td" || node.nodeName === "th" || node.nodeName === "br") text += " ";
  };
  visit(parse5.parseFragment(html));
  return text;
}

// The text that a reader sees; lines and blocks are separated by spaces.
function textOfMarkdown(markdown) {
  const walker = new commonmark.Parser().parse(markdown).walker();
  let text = "";
  for (let event = walker.next(); event; event = walker.next()) {
    const { node, entering } = event;
    switch (node.type) {
      case "text":
      case "code": if (entering) text += node.literal; break;
      case "code_block": text += ` ${node.literal} `; break;
      case "html_block":
      case "html_inline": text += ` ${textOfHtml(node.literal)} `; break;
      case "softbreak":
      case "linebreak": text += " "; break;
      case "emph":
      case "strong":
      case "link":
      case "image": break;
      default: text += " ";
    }
  }
  return text;
}

const answers = {
  tree: (each) => ({ tree: writeTree(parse5.parse(each.page, { scriptingEnabled: false })) }),
  select: (each) => select(each.page ?? last.page, each.selector),
  markdown: (each) => ({ text: textOfMarkdown(each.page) }),
};

for await (const line of createInterface({ input: createReadStream(cases), crlfDelay: 0 })) {
  const each = JSON.parse(line);
  process.stdout.write(JSON.stringify(answers[each.mode](each)) + "\n");
}
