/* A parameter's row is marked as changed while its field holds something else than the version before. What the page came
   with is marked by the server, so a row is compared with what it held when it was not. */
"use strict";

(() => {
  const held = (row) =>
    [...row.querySelectorAll("input, select, textarea")]
      .map((field) => (field.type === "checkbox" ? field.checked : field.value))
      .join("\n");

  for (const row of document.querySelectorAll(".parameters > li:not(.changed)")) {
    const before = held(row);
    row.addEventListener("input", () => row.classList.toggle("changed", held(row) !== before));
  }
})();
