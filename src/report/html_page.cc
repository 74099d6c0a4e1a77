#include "report/html_page.h"

namespace gossamer::report {
namespace {

constexpr std::string_view kStyle = R"css(
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --card: #ffffff; --ink: #17202b; --soft: #5a6675; --line: #e2e7ec;
  --track: #edf0f4; --main: #3566d6; --ok: #1d9a6c; --moved: #5b86e5; --warn: #d88a14;
  --bad: #d23f4b; --none: #8b95a3; --link: #2456c4; --shade: 0 1px 2px rgba(20, 30, 45, .07);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1217; --card: #161b22; --ink: #e7ebf0; --soft: #98a3b1; --line: #29313b;
    --track: #222932; --main: #6f9bff; --ok: #3fc28d; --moved: #87a9f5; --warn: #f0ab42;
    --bad: #f2707a; --none: #7c8795; --link: #8fb2ff; --shade: none;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 3.6rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans",
    sans-serif;
}
main, header.top, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
header.top { padding-top: 2.2rem; padding-bottom: .9rem; }
.kicker { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .09em;
  text-transform: uppercase; }
h1 { margin: .15rem 0 .3rem; font-size: 1.9rem; line-height: 1.2; font-weight: 650;
  overflow-wrap: anywhere; }
.web { width: 1.35rem; height: 1.35rem; margin-right: .5rem; vertical-align: -.35em; fill: none;
  stroke: var(--main); stroke-width: 1.3; }
.lead { margin: 0; color: var(--soft); }
.pill { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .82rem;
  font-weight: 600; color: var(--card); background: var(--ok); vertical-align: .08em; }
.pill.early { background: var(--warn); }
nav { position: sticky; top: 0; z-index: 5; background: var(--ground);
  border-bottom: 1px solid var(--line); margin-bottom: 1.25rem; }
nav ul { display: flex; gap: .3rem; max-width: 76rem; margin: 0 auto; padding: .45rem 1.1rem;
  list-style: none; overflow-x: auto; scrollbar-width: none; white-space: nowrap; }
nav a { display: block; padding: .2rem .65rem; border-radius: 1rem; color: var(--soft);
  font-size: .88rem; }
nav a:hover { background: var(--track); color: var(--ink); text-decoration: none; }
nav b { font-weight: 600; color: var(--ink); margin-left: .2rem;
  font-variant-numeric: tabular-nums; }
.tiles { display: grid; grid-template-columns: repeat(8, 1fr); gap: .8rem; margin-bottom: 1rem; }
.tile, .card, section.list { background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; box-shadow: var(--shade); }
.tile { padding: .75rem .95rem .8rem; }
.tile b { display: block; font-size: 1.4rem; white-space: nowrap; line-height: 1.25;
  font-weight: 650;
  font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: .85rem; }
.tile.ok b { color: var(--ok); } .tile.bad b { color: var(--bad); }
.charts { display: grid; grid-template-columns: repeat(12, 1fr); gap: 1rem; }
.card { grid-column: span 4; padding: .95rem 1.1rem 1.05rem; min-width: 0; }
.card.wide { grid-column: span 8; } .card.full { grid-column: span 12; }
.card h2 { margin: 0 0 .7rem; font-size: .95rem; font-weight: 600; }
.card h2 small { color: var(--soft); font-weight: 400; margin-left: .4rem; }
.chart { display: block; overflow: visible; }
.chart text { fill: var(--ink); font-size: 12.5px; }
.chart .value, .chart .tick, .chart .soft { fill: var(--soft); font-variant-numeric: tabular-nums; }
.chart .value { text-anchor: end; } .chart .tick { text-anchor: middle; font-size: 11px; }
.chart .track { fill: var(--track); }
.chart .axis { stroke: var(--line); } .chart .grid { stroke: var(--line); stroke-dasharray: 3 4; }
.chart .area { fill-opacity: .85; }
.s-main { fill: var(--main); } .s-ok { fill: var(--ok); } .s-moved { fill: var(--moved); }
.s-warn { fill: var(--warn); } .s-bad { fill: var(--bad); } .s-none { fill: var(--none); }
.ring { width: 8.6rem; height: 8.6rem; flex: none; }
.ring .track { fill: none; stroke: var(--track); stroke-width: 15; }
.ring .arc { fill: none; stroke-width: 15; }
.arc.s-ok { stroke: var(--ok); } .arc.s-moved { stroke: var(--moved); }
.arc.s-warn { stroke: var(--warn); } .arc.s-bad { stroke: var(--bad); }
.arc.s-none { stroke: var(--none); } .arc.s-main { stroke: var(--main); }
.ring .big { text-anchor: middle; font-size: 20px; font-weight: 650; }
.ring .small { text-anchor: middle; font-size: 10.5px; fill: var(--soft); }
.ringed { display: flex; gap: 1rem; align-items: center; flex-wrap: wrap; }
.legend { list-style: none; margin: 0; padding: 0; flex: 1 1 9rem; min-width: 0;
  font-size: .84rem; }
.legend li { display: flex; align-items: baseline; gap: .45rem; padding: .08rem 0; }
.legend svg { width: .65rem; height: .65rem; flex: none; }
.legend span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.legend b { font-weight: 600; font-variant-numeric: tabular-nums; }
section.list { margin-top: 1rem; padding: 1rem 0 0; overflow: hidden; }
.list > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .8rem;
  padding: 0 1.1rem .75rem; }
.list h2 { margin: 0; font-size: 1.06rem; font-weight: 620; }
.list h2 b { color: var(--soft); font-weight: 500; margin-left: .4rem; }
.list header p { margin: 0; color: var(--soft); font-size: .88rem; flex: 1 1 18rem; }
.filter { font: inherit; font-size: .88rem; color: inherit; background: var(--ground);
  border: 1px solid var(--line); border-radius: 8px; padding: .25rem .6rem; width: 11rem; }
.scroll { overflow: auto; max-height: 32rem; border-top: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; vertical-align: top; padding: .42rem .7rem; }
th:first-child, td:first-child { padding-left: 1.1rem; }
th:last-child, td:last-child { padding-right: 1.1rem; }
th { position: sticky; top: 0; background: var(--card); box-shadow: inset 0 -1px var(--line);
  white-space: nowrap; z-index: 1; }
th button { all: unset; cursor: pointer; color: var(--soft); font-weight: 600; font-size: .8rem; }
th button:hover { color: var(--ink); }
th button:focus-visible { outline: 2px solid var(--main); outline-offset: 2px; border-radius: 3px; }
th[aria-sort] button { color: var(--ink); }
th[aria-sort=ascending] button::after { content: " \2191"; }
th[aria-sort=descending] button::after { content: " \2193"; }
tbody tr + tr td { border-top: 1px solid var(--line); }
tbody tr:hover td { background: var(--ground); }
td { overflow-wrap: anywhere; min-width: 4.5rem; }
td.url { min-width: 15rem; }
th.number { text-align: right; } td.number { text-align: right; white-space: nowrap; min-width: 0;
  font-variant-numeric: tabular-nums; }
td small { display: block; color: var(--soft); font-size: .82rem; }
td ol { list-style: none; margin: 0; padding: 0; }
td ol.chain li + li::before { content: "\2192\00a0"; color: var(--soft); }
.tag { display: inline-block; padding: 0 .45rem; border-radius: 6px; font-weight: 600;
  font-size: .82rem; background: var(--track); white-space: nowrap; }
.tag.bad { color: var(--bad); } .tag.warn { color: var(--warn); }
.tag.moved { color: var(--moved); }
.tag.ok { color: var(--ok); }
.note { margin: 0; padding: .6rem 1.1rem; color: var(--soft); font-size: .84rem;
  border-top: 1px solid var(--line); }
.good { margin: 0; padding: 0 1.1rem 1.1rem; color: var(--soft); }
footer { padding-top: 1.4rem; padding-bottom: 2.5rem; color: var(--soft); font-size: .84rem; }
@media (max-width: 68rem) { .tiles { grid-template-columns: repeat(4, 1fr); } }
@media (max-width: 62rem) {
  .card { grid-column: span 6; } .card.wide { grid-column: span 12; }
}
@media (max-width: 42rem) {
  main, header.top, footer { padding-left: .8rem; padding-right: .8rem; }
  header.top { padding-top: 1.2rem; }
  h1 { font-size: 1.45rem; }
  .tiles { grid-template-columns: repeat(2, 1fr); gap: .55rem; }
  .tile { padding: .55rem .8rem; } .tile b { font-size: 1.25rem; }
  .card { grid-column: span 12; }
  .charts { gap: .7rem; }
  nav ul { padding-left: .6rem; }
  td.url { min-width: 12rem; }
  .filter { width: 100%; font-size: 16px; }
}
@media print {
  nav, .filter { display: none; } .scroll { max-height: none; overflow: visible; }
  .tile, .card, section.list { break-inside: avoid-page; box-shadow: none; }
}
)css";

constexpr std::string_view kScript = R"js(
"use strict";
(() => {
  const key = (row, at) => {
    const cell = row.cells[at];
    return cell.dataset.value === undefined
      ? cell.textContent.trim().toLowerCase() : Number(cell.dataset.value);
  };
  const sort = (head) => {
    const table = head.closest("table"), body = table.tBodies[0], at = head.cellIndex;
    const now = head.getAttribute("aria-sort");
    const first = head.classList.contains("number") ? "descending" : "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const order = now === first ? other : first;
    for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const keyed = Array.from(body.rows, (row) => [key(row, at), row]);
    keyed.sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0));
    body.append(...keyed.map(([, row]) => row));
  };
  const filter = (input) => {
    const word = input.value.trim().toLowerCase();
    for (const row of input.closest("section").querySelectorAll("tbody tr")) {
      row.hidden = !row.textContent.toLowerCase().includes(word);
    }
  };
  document.addEventListener("click", (event) => {
    const head = event.target.closest("th");
    if (head && event.target.closest("button")) sort(head);
  });
  for (const input of document.querySelectorAll(".filter")) {
    input.hidden = false;
    input.addEventListener("input", () => filter(input));
  }
})();
)js";

}  // namespace

std::string_view page_style() { return kStyle; }
std::string_view page_script() { return kScript; }

}  // namespace gossamer::report
