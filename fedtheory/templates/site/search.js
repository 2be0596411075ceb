"use strict";
// Filters the table of claims by words and by what is chosen; lists sections of the docs that have all the words.
// `siteIndex` of index.js has the words of every row, in their order, and the sections.
const form = document.getElementById("filters");
const rows = [...document.querySelectorAll("#claims tbody tr")];
const hits = document.getElementById("hits");
const count = document.getElementById("count");
const MOST = 12; // sections that are listed

function show(keep) {
  const chosen = Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
  const words = (chosen.q || "").toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.includes(word));
  let found = 0;
  rows.forEach((row, k) => {
    const fits = Object.entries(chosen).every(([name, value]) => name === "q" || row.dataset[name] === value);
    row.hidden = !(fits && has(siteIndex.claims[k]));
    found += !row.hidden;
  });
  count.textContent = `${found} of ${rows.length} claims`;
  const sections = words.length ? siteIndex.sections.filter((one) => has(one[2])) : [];
  hits.hidden = !sections.length;
  hits.querySelector("summary").textContent = `${sections.length} section${sections.length > 1 ? "s" : ""} of the docs`;
  hits.querySelector("ul").replaceChildren(...sections.slice(0, MOST).map(([url, title]) => {
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    link.href = url;
    link.textContent = title;
    return item;
  }));
  if (keep) {
    const query = new URLSearchParams(chosen).toString();
    try {
      history.replaceState(null, "", query ? `?${query}` : location.pathname);
    } catch { /* a file that is opened from a disk may have no history to write */ }
  }
}

for (const [name, value] of new URLSearchParams(location.search)) {
  const field = form.elements.namedItem(name);
  if (field) field.value = value;
}
form.hidden = false;
form.addEventListener("input", () => show(true));
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(() => show(true)));
document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !typing) {
    event.preventDefault();
    document.getElementById("words").focus();
  }
});
show(false);
