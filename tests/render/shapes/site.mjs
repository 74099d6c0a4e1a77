// Serves a small site for each shape of pages that scripts make: `site.mjs MODULES FOLDER PORT`.
// MODULES has the packages; bundles are written to FOLDER. /NAME/ has links to /NAME/item/1 and so
// on, which are texts; only scripts make these links, except on the pages of SERVED.

import { createRequire } from "node:module";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { existsSync, readFileSync } from "node:fs";

const [modules, folder, port] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const esbuild = require("esbuild");
const here = dirname(fileURLToPath(import.meta.url));
const ITEMS = 40;

const items = (name) => Array.from({ length: ITEMS }, (_, i) => (
  { href: `/${name}/item/${i + 1}`, title: `The story of item ${i + 1}` }));
const anchors = (list) => list.map(
  (item) => `<li><a href="${item.href}">${item.title}</a></li>`).join("");

// A component becomes a module.
const svelte = {
  name: "svelte",
  setup(build) {
    build.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { compile } = await import(join(modules, "node_modules/svelte/src/compiler/index.js"));
      const source = readFileSync(path, "utf8");
      return { contents: compile(source, { filename: path, generate: "client" }).js.code };
    });
  },
};

const OPTIONS = {
  absWorkingDir: here, bundle: true, minify: true, metafile: true, jsx: "automatic",
  nodePaths: [join(modules, "node_modules")], plugins: [svelte],
  conditions: ["browser", "production"],
  define: {
    "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "false",
    __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
  },
};

// Source to script: "vue_module.js" to "/assets/vue_module-ABC.js".
async function bundle(sources, format) {
  const built = await esbuild.build({
    ...OPTIONS, entryPoints: sources, format, splitting: format === "esm",
    outdir: join(folder, format, "assets"), entryNames: "[name]-[hash]",
  });
  const made = Object.entries(built.metafile.outputs).filter(([, output]) => output.entryPoint);
  return new Map(made.map(([path, output]) => [
    output.entryPoint, `/assets/${format}/${path.slice(path.lastIndexOf("/") + 1)}`]));
}

async function renderOnServer() {
  const script = join(folder, "server.cjs");
  await esbuild.build({
    ...OPTIONS, entryPoints: ["react_server.jsx"], format: "cjs", platform: "node",
    conditions: ["node"], outfile: script,
  });
  return require(script).renderApp;
}

const MODULES = {
  react_module: "react_module.jsx", react_hydrated: "react_hydrated.jsx",
  react_split: "react_split.jsx", react_routes: "react_routes.jsx", vue_module: "vue_module.js",
  vue_hydrated: "vue_hydrated.js", vue_routes: "vue_routes.js", svelte_module: "svelte.js",
  lit_module: "lit_module.js", preact_module: "preact_module.jsx",
  virtual_list: "virtual_list.jsx",
};

const page = (head, body) => `<!doctype html>
<html lang="en"><head><meta charset="UTF-8" /><title>A shape</title>${head}</head>
<body>${body}</body></html>`;
const APP = '<div id="app"></div>';
const npm = (path) => `<script src="/npm/${path}"></script>`;
// As Vite writes them.
const asModule = (script, app = APP, before = "") => page(
  `<script type="module" crossorigin src="${script}"></script>`, `${app}${before}`);

const CLASSIC = {
  react_classic: `${npm("react/umd/react.production.min.js")}
    ${npm("react-dom/umd/react-dom.production.min.js")}<script>
    function App() {
      const [items, setItems] = React.useState([]);
      React.useEffect(() => { fetch("items.json").then((a) => a.json()).then(setItems); }, []);
      return items.map((item) => React.createElement("a", { ...item, key: item.href }, item.title));
    }
    ReactDOM.createRoot(document.getElementById("app")).render(React.createElement(App));
    </script>`,
  vue_classic: `${npm("vue/dist/vue.global.prod.js")}<script>
    Vue.createApp({
      template: '<a v-for="item in items" :href="item.href">{{ item.title }}</a>',
      data: () => ({ items: [] }),
      async mounted() { this.items = await (await fetch("items.json")).json(); },
    }).mount("#app");</script>`,
  preact_import_map: `<script type="importmap">{ "imports": {
    "preact": "/npm/preact/dist/preact.module.js" } }</script><script type="module">
    import { h, render } from "preact";
    const items = await (await fetch("items.json")).json();
    render(items.map((item) => h("a", item, item.title)), document.getElementById("app"));
    </script>`,
  jquery_classic: `${npm("jquery/dist/jquery.min.js")}<script>
    $(() => $.getJSON("items.json", (items) => $.each(items, (_, item) => {
      $("<a>", { href: item.href, text: item.title }).appendTo("#app");
    })));</script>`,
  htmx_classic: `<div hx-get="part.html" hx-trigger="load"></div>
    ${npm("htmx.org/dist/htmx.min.js")}`,
  worker: `<script>
    new Worker("worker.js").onmessage = ({ data }) => { app.innerHTML = data; };</script>`,
  indexed_db: `<script type="module">
    const done = (request) => new Promise((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
    const opening = indexedDB.open("shapes", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("items", { keyPath: "href" });
    const base = await done(opening);
    const store = () => base.transaction("items", "readwrite").objectStore("items");
    for (const item of await (await fetch("items.json")).json()) await done(store().put(item));
    for (const item of await done(store().getAll())) {
      app.append(Object.assign(document.createElement("a"), { href: item.href }), item.title);
    }</script>`,
  stream: `<script type="module">
    const reader = (await fetch("stream")).body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      const lines = (text + step.value).split("\\n");
      text = lines.pop();
      for (const line of lines) app.insertAdjacentHTML("beforeend", line);
    }</script>`,
  infinite_scroll: `<style>li { height: 150px }</style><ul id=list></ul><p id=end>end</p><script>
    let shown = 0;
    new IntersectionObserver(async ([end]) => {
      if (!end.isIntersecting || shown === 40) return;
      const items = await (await fetch("items.json")).json();
      for (const item of items.slice(shown, shown += 10)) {
        list.insertAdjacentHTML("beforeend", '<li><a href=' + item.href + '>' + item.title);
      }
    }).observe(end);</script>`,
};

const PARTS = {
  "items.json": (name) => ["application/json", JSON.stringify(items(name))],
  "part.html": (name) => ["text/html", anchors(items(name))],
  "worker.js": () => ["text/javascript", `fetch("items.json").then((a) => a.json()).then((items) =>
    postMessage(items.map((item) => '<a href=' + item.href + '>x</a>').join("")));`],
};

async function makePages() {
  const scripts = await bundle([...new Set(Object.values(MODULES))], "esm");
  const classic = await bundle(["svelte.js"], "iife");
  const renderApp = await renderOnServer();
  const pages = new Map();
  for (const [name, body] of Object.entries(CLASSIC)) pages.set(name, page("", APP + body));
  for (const [name, source] of Object.entries(MODULES)) {
    pages.set(name, asModule(scripts.get(source)));
  }
  const svelteScript = `<script src="${classic.get("svelte.js")}"></script>`;
  pages.set("svelte_classic", page("", APP + svelteScript));
  pages.set("react_hydrated", asModule(
    scripts.get("react_hydrated.jsx"), `<div id="app">${renderApp([])}</div>`));
  pages.set("vue_hydrated", asModule(
    scripts.get("vue_hydrated.js"), '<div id="app"><ul></ul></div>'));
  // SERVED: these show all that they have without a browser.
  const given = items("served_hydrated");
  pages.set("served_hydrated", asModule(
    scripts.get("react_hydrated.jsx"), `<div id="app">${renderApp(given)}</div>`,
    `<script>GIVEN = ${JSON.stringify(given)}</script>`));
  pages.set("served_classic", page(npm("jquery/dist/jquery.min.js"),
    `<ul>${anchors(items("served_classic"))}</ul><script>$("a").addClass("seen")</script>`));
  pages.set("served_boosted", page(npm("htmx.org/dist/htmx.min.js"),
    `<ul hx-boost="true">${anchors(items("served_boosted"))}</ul>`));
  return pages;
}

const pages = await makePages();

function file(...parts) {
  const path = join(...parts);
  return existsSync(path) ? ["text/javascript", readFileSync(path)] : null;
}

function find(path) {
  if (path.startsWith("/npm/")) return file(modules, "node_modules", path.slice(5));
  const [, name, what = "", rest] = path.split("/");
  if (name === "assets") return file(folder, what, "assets", rest);
  if (!pages.has(name)) return null;
  if (what === "" || what === "overview") return ["text/html", pages.get(name)];
  if (what === "item") return ["text/plain", "an item"];
  return PARTS[what]?.(name) ?? null;
}

// In pieces, some of which end within a line.
async function stream(name, response) {
  response.writeHead(200, { "Content-Type": "text/plain" });
  const text = items(name).map((item) => `<a href=${item.href}>x</a>\n`).join("");
  for (let at = 0; at < text.length; at += 100) {
    response.write(text.slice(at, at + 100));
    await new Promise(setImmediate);
  }
  response.end();
}

createServer((request, response) => {
  const path = new URL(request.url, "http://shapes").pathname;
  if (path.endsWith("/stream")) return void stream(path.split("/")[1], response);
  const [type, body] = find(path) ?? [null, "not here"];
  response.writeHead(type ? 200 : 404, { "Content-Type": type ?? "text/plain" });
  return void response.end(body);
}).listen(Number(port), "127.0.0.1");
