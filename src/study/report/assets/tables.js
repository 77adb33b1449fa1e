"use strict";
// Tables: sort by a click on the head, filter by text, show a part or all, save the rows that match as CSV.

function saveBlob(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function setUpTable(box) {
  const limit = Number(box.dataset.limit);
  const body = box.querySelector("tbody");
  const rows = Array.from(body.rows);
  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const filter = box.querySelector("[data-filter]");
  const all = box.querySelector("[data-all]");
  const shown = box.querySelector(".shown");
  let whole = false;
  const matchesFilter = (row) => words.get(row).includes(filter.value.trim().toLowerCase());

  function show() {
    let matching = 0;
    for (const row of body.rows) {
      const matches = matchesFilter(row);
      matching += matches;
      row.hidden = !matches || (!whole && matching > limit);
    }
    const visible = whole ? matching : Math.min(matching, limit);
    shown.textContent = visible === rows.length ? `${rows.length} rows` : `${visible} of ${matching} rows` + (filter.value.trim() ? " that match" : "");
    all.hidden = matching <= limit;
    all.textContent = whole ? `Show ${limit}` : "Show all";
  }

  // What a cell sorts by is written only where it is not what it shows.
  const value = (row, column) => row.cells[column].dataset.v ?? row.cells[column].textContent;

  Array.from(box.querySelectorAll("thead th")).forEach((head, column, heads) => {
    head.querySelector("button").addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const numeric = !head.classList.contains("text");
      const sorted = rows.slice().sort((a, b) => {
        const [x, y] = [value(a, column), value(b, column)];
        // Blanks come last whichever way one sorts.
        if (x === "" || y === "") return (x === "") - (y === "");
        return ((numeric && x - y) || x.localeCompare(y, "en", { numeric: true })) * (falling ? -1 : 1);
      });
      body.append(...sorted);
      show();
    });
  });
  filter.addEventListener("input", show);
  all.addEventListener("click", () => {
    whole = !whole;
    show();
  });
  box.querySelector("[data-csv]").addEventListener("click", () => {
    // A quoted cell may hold a line break.
    const [head, ...lines] = JSON.parse(box.querySelector("script").textContent).match(/(?:"[^"]*"|[^"\n])+/g);
    const kept = Array.from(body.rows).filter(matchesFilter).map((row) => lines[rows.indexOf(row)]);
    saveBlob(new Blob([[head, ...kept, ""].join("\n")], { type: "text/csv" }), `${box.id}.csv`);
  });
  show();
}

document.querySelectorAll(".table").forEach(setUpTable);
