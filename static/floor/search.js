/* The search field of the header: the key / goes to it from anywhere, the arrow keys go through what it found, Escape
   puts that away. Without a script it is a plain form. */
"use strict";

(() => {
  const form = document.querySelector(".search");
  const field = form.querySelector("#search");
  const found = form.querySelector("#search-found");

  const isTyping = (target) => target.matches("input, select, textarea, [contenteditable]");
  const putAway = () => found.replaceChildren();

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    field.focus();
    field.select();
  });

  const step = (by) => {
    const stops = [field, ...found.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + by];
    if (next) next.focus();
  };

  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && found.hasChildNodes()) {
      putAway();
      field.focus();
    } else if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else return;
    event.preventDefault();
  });

  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !form.contains(relatedTarget)) putAway();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!form.contains(target)) putAway();
  });

  /* An answer that comes when the field has been left for another would cover what is worked on now. */
  found.addEventListener("htmx:beforeSwap", (event) => {
    if (!form.contains(document.activeElement) || !field.value.trim()) {
      event.detail.shouldSwap = false;
      putAway();
    }
  });
})();
