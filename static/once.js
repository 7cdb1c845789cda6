/* A form is sent once however often its button is tapped: a second tap would send it again before the first answer is
   there, and the page would show what became of the second. Forms with data-verb see to that by themselves. */
"use strict";

(() => {
  const AGAIN_MS = 10000; // whoever has stopped the page from loading can send it again

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.verb || event.defaultPrevented || form.method !== "post") return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
    setTimeout(() => delete form.dataset.sent, AGAIN_MS);
  });

  /* A page that comes back as it was left can send its forms at once. */
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
})();
