// Serves pages whose 40 links a script makes: `pages.mjs MODULES`. /1, /2 and so on are apps of
// React, as its users ship them. Prints its port.

import { createServer } from "node:http";
import { join } from "node:path";
import { readFileSync } from "node:fs";

const [modules] = process.argv.slice(2);
const npm = (path) => readFileSync(join(modules, "node_modules", path));

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title>
<link rel="stylesheet" href="/app.css"><script defer src="/react.js"></script>
<script defer src="/react-dom.js"></script><script defer src="/app.js"></script></head>
<body><div id="root"></div></body></html>`;
const APP = `
function App() {
  const [items, setItems] = React.useState([]);
  React.useEffect(() => {
    fetch(location.pathname + ".json").then((answer) => answer.json()).then(setItems);
  }, []);
  return React.createElement("main", null, items.map((item) => React.createElement(
    "article", { key: item.href }, React.createElement("h2", null, React.createElement(
      "a", { href: item.href }, item.title)), React.createElement("p", null, item.text))));
}
ReactDOM.createRoot(document.getElementById("root")).render(React.createElement(App));`;
const WORDS = "A few words about this item, as they are on pages of shops. ".repeat(4);

const FILES = new Map([
  ["/react.js", ["text/javascript", npm("react/umd/react.production.min.js")]],
  ["/react-dom.js", ["text/javascript", npm("react-dom/umd/react-dom.production.min.js")]],
  ["/app.js", ["text/javascript", APP]],
  ["/app.css", ["text/css", "article { margin: 1em; padding: 1em } a { color: navy }"]],
]);

function items(page) {
  return JSON.stringify(Array.from({ length: 40 }, (_, i) => (
    { href: `${page}/${i}`, title: `Item ${i}`, text: WORDS })));
}

const server = createServer((request, response) => {
  const json = request.url.match(/^\/(\d+)\.json$/);
  const [type, body] = json ? ["application/json", items(`/${json[1]}`)]
    : FILES.get(request.url) ?? ["text/html", PAGE];
  response.writeHead(200, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
