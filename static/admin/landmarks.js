/* Names for what unfold leaves nameless to a screen reader: what scrolls in a page, and the fields in the rows of a table. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const title = document.querySelector("h1")?.innerText.trim();
  document.querySelectorAll("main [data-simplebar]").forEach((area, place) => {
    if (title) area.dataset.simplebarAriaLabel = place ? `${title} ${place + 1}` : title;
  });
  for (const table of document.querySelectorAll(".formset-wrapper table")) {
    const heads = [...table.querySelectorAll("thead th")];
    for (const head of heads) if (!head.innerText.trim()) head.setAttribute("role", "cell");
    for (const field of table.querySelectorAll("td :is(select, input:not([type=hidden]))")) {
      const head = heads[field.closest("td").cellIndex]?.innerText.replace("*", "").trim();
      if (head && !field.labels.length) field.setAttribute("aria-label", head);
    }
  }
});
