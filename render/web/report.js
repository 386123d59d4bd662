(() => {
"use strict";
const all = (q, of = document) => [...of.querySelectorAll(q)];
const el = id => document.getElementById(id);
const number = v => v === "" || v === undefined ? NaN : Number(v);
const status = text => { el("said").textContent = text; };

// Sorting: rows without the figure stay last, whatever the direction.
for (const table of all("table.cells")) {
  const body = table.tBodies[0];
  all("thead th[data-k]", table).forEach(th => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...th.childNodes);
    th.append(button);
    button.addEventListener("click", () => {
      const down = th.getAttribute("aria-sort") === "ascending";
      all("thead th[aria-sort]", table).forEach(o => o.removeAttribute("aria-sort"));
      th.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = th.dataset.k, sign = down ? -1 : 1;
      const of = row => key === "name" ? row.cells[1].textContent : number(row.dataset[key]);
      const rows = [...body.rows].map(row => [of(row), row]);
      rows.sort(([a], [b]) => {
        if (key === "name") return sign * a.localeCompare(b);
        if (isNaN(a) || isNaN(b)) return isNaN(a) - isNaN(b);
        return sign * (a - b);
      });
      body.append(...rows.map(([, row]) => row));
      status("sorted by " + button.textContent + (down ? ", descending" : ", ascending"));
    });
  });
}

// Filtering.
const filters = () => {
  const name = el("f-name").value.toLowerCase(), payload = el("f-payload").value, op = el("f-op").value, lossy = el("f-lossy").checked;
  let shown = 0;
  for (const section of all("section.group")) {
    let here = 0;
    const wanted = (payload === "" || section.dataset.payload === payload) && (op === "" || section.dataset.op === op);
    for (const row of all("table.cells tbody tr", section)) {
      const on = wanted && row.cells[1].textContent.toLowerCase().includes(name) && (lossy || !row.classList.contains("lossy"));
      row.classList.toggle("off", !on);
      here += on;
    }
    section.hidden = here === 0 && (!wanted || name !== "");
    shown += here;
  }
  status(shown + " rows shown");
};
["f-name", "f-payload", "f-op", "f-lossy"].forEach(id => el(id).addEventListener("input", filters));

// Messages per second: the lesser of what the CPU share and the line do.
const per = new Intl.NumberFormat("en", {maximumSignificantDigits: 3});
const calculate = () => {
  const bits = number(el("c-link").value) * 1e6, share = number(el("c-cpu").value) / 100;
  const head = number(el("c-head").value) || 0, pack = el("c-pack") ? el("c-pack").value : "";
  for (const row of all("table.cells tbody tr")) {
    const cell = row.querySelector("td.rate");
    if (!cell) continue;
    let ns = number(row.dataset.cpu), bytes = number(row.dataset.size);
    if (pack !== "") {
      const z = row.dataset.pack ? JSON.parse(row.dataset.pack)[pack] : undefined;
      if (z) { bytes = z[0]; ns += z[1]; } else { ns = NaN; }
    }
    let rate = share > 0 ? share * 1e9 / ns : NaN, by = "cpu";
    if (bits > 0) {
      const line = bits / 8 / (bytes + head);
      if (!(line >= rate)) { rate = isNaN(rate) ? NaN : line; by = "link"; }
    }
    row.dataset.rate = isFinite(rate) ? rate : "";
    cell.textContent = isFinite(rate) ? per.format(rate) + " " + by : "-";
  }
};
["c-link", "c-cpu", "c-head", "c-pack"].forEach(id => el(id) && el(id).addEventListener("input", calculate));
all(".bar").forEach(bar => { bar.hidden = false; });
calculate();
})();
