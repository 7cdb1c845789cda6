/* The inbox: every answer of the server is put in item by item, and an item that somebody uses keeps its form. */
"use strict";

(() => {
  const inbox = document.querySelector("#inbox");
  const LISTS = ["waiting", "ended"];
  const asSent = new Map(); // each item's id, and its HTML as the server sent it last
  let late = null; // an answer of which a part could not be put in yet
  let doneIn = null; // the item in which something was done last

  const remember = (root) => {
    for (const item of root.querySelectorAll(".inbox-item")) asSent.set(item.id, item.outerHTML);
  };

  const isTyped = (field) =>
    field.type === "radio" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;

  const isInUse = (item) =>
    (item !== document.activeElement && item.contains(document.activeElement)) ||
    [...item.querySelectorAll("input:not([type=hidden])")].some(isTyped);

  const put = (old, fresh) => {
    const isOpen = old.querySelector("details")?.open;
    if (isOpen && fresh.querySelector("details")) fresh.querySelector("details").open = true;
    const hadFocus = old === document.activeElement;
    old.replaceWith(fresh);
    if (hadFocus) fresh.focus({ preventScroll: true });
  };

  /* Decided on while somebody typed: said in the item, which stays until it is let go. */
  const tellGone = (item) => {
    if (item.classList.contains("gone")) return;
    item.classList.add("gone");
    const told = document.createElement("p");
    told.className = "refusal";
    told.setAttribute("role", "alert");
    told.textContent = inbox.dataset.gone;
    item.prepend(told);
    for (const button of item.querySelectorAll("button")) button.disabled = true;
  };

  /* Gives whether something had to be left as it was. */
  const mergeList = (list, fresh) => {
    let left = false;
    const wanted = new Map([...fresh.children].map((item) => [item.id, item]));
    for (const item of [...list.children]) {
      const becomes = wanted.get(item.id);
      const html = becomes?.outerHTML;
      if (html === asSent.get(item.id)) continue;
      if (isInUse(item)) {
        left = true;
        if (!becomes) tellGone(item);
        else item.querySelector(".inbox-facts").replaceWith(becomes.querySelector(".inbox-facts").cloneNode(true));
      } else if (becomes) {
        put(item, becomes.cloneNode(true));
        asSent.set(item.id, html);
      } else {
        item.remove();
        asSent.delete(item.id);
      }
    }
    for (const item of fresh.children) {
      if (document.getElementById(item.id)) continue;
      list.append(item.cloneNode(true));
      asSent.set(item.id, item.outerHTML);
    }
    return left;
  };

  const merge = (html) => {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    const lists = LISTS.filter((id) => document.getElementById(id));
    const left = lists.map((id) => mergeList(document.getElementById(id), fresh.getElementById(id)));
    for (const part of fresh.querySelectorAll("[data-copy]")) {
      const old = document.getElementById(part.id);
      if (old.outerHTML !== part.outerHTML && !old.contains(document.activeElement)) old.replaceWith(part);
    }
    for (const part of fresh.querySelectorAll("[data-copy-hidden]")) document.getElementById(part.id).hidden = part.hidden;
    document.dispatchEvent(new CustomEvent("htmx:afterSwap"));
    if (doneIn) (document.getElementById(doneIn) ?? document.querySelector("#waiting-title")).focus({ preventScroll: true });
    doneIn = null;
    return left.some(Boolean) ? html : null;
  };

  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.elt !== inbox) return;
    if (detail.xhr.status === 200) late = merge(detail.xhr.responseText);
    else if (late && detail.xhr.status === 304) late = merge(late);
  });

  /* Done: the item shows what it is now, and whoever works by keyboard goes on from there, or from the head of the list. */
  document.addEventListener("backline:done", (event) => {
    const item = event.target.closest("[data-stays] .inbox-item");
    if (!item) return;
    event.preventDefault();
    event.target.reset();
    asSent.set(item.id, "");
    document.activeElement.blur();
    doneIn = item.id;
    htmx.trigger(inbox, "refresh");
  });

  remember(inbox);
})();
