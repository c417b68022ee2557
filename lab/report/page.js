// The page is complete without this. It filters, sorts and saves tables, saves charts and results,
// and opens the figure that a link names.
function open_named() {
  let part = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  for (; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
}
addEventListener("hashchange", open_named);
open_named();

function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name.toLowerCase().replace(/[^a-z0-9.]+/g, "-");
  link.click();
  URL.revokeObjectURL(link.href);
}

function button(label, title, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.title = title;
  made.addEventListener("click", action);
  return made;
}

const value_of = (cell) => cell.dataset.value ?? cell.textContent;

// The rows that the filter leaves, with every digit.
function csv(table) {
  const quoted = (text) => (/[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
  return [...table.rows]
    .filter((row) => !row.hidden)
    .map((row) => [...row.cells].map((cell) => quoted(value_of(cell))).join(",") + "\r\n")
    .join("");
}

// A chart as a file of its own, in the page's present colours.
function standalone(chart) {
  const copy = chart.cloneNode(true);
  const drawn = [chart, ...chart.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((part, i) => {
    const style = getComputedStyle(drawn[i]);
    for (const name of [
      "fill",
      "stroke",
      "stroke-width",
      "stroke-dasharray",
      "paint-order",
      "font-size",
      "font-family",
    ])
      part.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.style.background = getComputedStyle(chart.parentElement).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

for (const table of document.querySelectorAll("table")) {
  const name = table.caption.textContent;
  table.caption.prepend(
    button("CSV", "Save the rows of " + name, () => save(name + ".csv", csv(table), "text/csv")),
    " ",
  );
}
for (const chart of document.querySelectorAll("figure > svg")) {
  const name = chart.getAttribute("aria-label");
  const saved = button("SVG", "Save the chart " + name, () =>
    save(name + ".svg", standalone(chart), "image/svg+xml"),
  );
  chart.previousElementSibling.querySelector("h3").after(" ", saved);
}

// Every word of the filter has to be in a row. A click on a head sorts by that column.
for (const part of document.querySelectorAll(".filtered")) {
  const table = part.querySelector("table"),
    rows = [...table.tBodies[0].rows];
  const words = document.createElement("input"),
    count = document.createElement("output");
  words.type = "search";
  words.placeholder = "Filter: ml-kem avx2";
  words.setAttribute("aria-label", "Filter the rows");
  words.addEventListener("input", () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = [...row.cells]
        .map((cell) => cell.textContent)
        .join(" ")
        .toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
    }
    count.textContent = rows.filter((row) => !row.hidden).length + " of " + rows.length + " rows";
  });
  const line = document.createElement("p");
  line.className = "filter";
  line.append(words, " ", count);
  part.prepend(line);
  words.dispatchEvent(new Event("input"));
  for (const head of table.tHead.rows[0].cells) {
    const label = head.textContent;
    let way = 1;
    head.replaceChildren(
      button(label, "Sort by " + label, () => {
        const by = (row) => value_of(row.cells[head.cellIndex]);
        rows.sort(
          (a, b) =>
            way * (by(a) - by(b) || by(a).localeCompare(by(b), undefined, { numeric: true })),
        );
        way = -way;
        table.tBodies[0].append(...rows);
      }),
    );
  }
}

const all = JSON.parse(document.getElementById("data").textContent);
for (const [name, data] of Object.entries(all).filter(([, data]) => data))
  document.querySelector("footer").append(
    button(name + ".json", "Save these results", () =>
      save(name + ".json", JSON.stringify(data, null, 1), "application/json"),
    ),
    " ",
  );
