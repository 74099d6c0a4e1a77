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
