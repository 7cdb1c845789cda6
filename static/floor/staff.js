/* The staff page: it is not asked for anew while somebody is about to press something on it. */
"use strict";

(() => {
  const staff = document.querySelector("#staff");

  const first = (select) => Math.max(0, [...select.options].findIndex((each) => each.defaultSelected));
  const isChanged = (field) =>
    field.options ? field.selectedIndex !== first(field) : field.value !== field.defaultValue;

  const isInUse = () =>
    staff.querySelector("details[open], :focus-visible, input:focus, select:focus") ||
    [...staff.querySelectorAll("select, input:not([type=hidden])")].some(isChanged);

  staff.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target === staff && isInUse()) event.preventDefault();
  });
})();
