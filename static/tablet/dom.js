/* Elements made from data, and a page made equal to them in place: what has the focus, is scrolled or half typed
   stays. */

const flat = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== true);

const asNode = (child) => (child instanceof Node ? child : document.createTextNode(String(child)));

const setStyle = (node, values) => {
  for (const [property, words] of Object.entries(values)) node.style.setProperty(property, words);
};

/* An element. `key` says which one it is among its neighbours; `style` is an object, for the policy bars style
   attributes. */
export const h = (tag, attributes, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "key") node.key = String(value);
    else if (name === "style") setStyle(node, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...flat(children).map(asNode));
  return node;
};

const alike = (have, next) =>
  ["nodeType", "nodeName", "key", "type"].every((property) => have[property] === next[property]);

const setAttribute = (have, name, value) => {
  if (value === null) have.removeAttribute(name);
  else have.setAttribute(name, value);
  if (name === "value" && have.nodeName === "INPUT" && have !== document.activeElement) have.value = value ?? "";
  if (name === "checked") have.checked = value !== null;
};

/* What a person changed since the last drawing (typed text, a ticked box, an open dialog) is theirs until the view says
   something new; only a box that an action answers for always shows what the view says. */
const matchAttributes = (have, next) => {
  const keepsOpen = have.nodeName === "DETAILS" || have.nodeName === "DIALOG";
  for (const { name } of [...have.attributes]) {
    if (name !== "style" && !next.hasAttribute(name) && !(keepsOpen && name === "open")) setAttribute(have, name, null);
  }
  for (const { name, value } of next.attributes) {
    if (name !== "style" && have.getAttribute(name) !== value) setAttribute(have, name, value);
  }
  if (have.style.cssText !== next.style.cssText) have.style.cssText = next.style.cssText;
  if ("checked" in have && have.dataset.act) have.checked = next.hasAttribute("checked");
};

const matchNode = (have, next) => {
  if (have.nodeType === Node.TEXT_NODE) {
    if (have.nodeValue !== next.nodeValue) have.nodeValue = next.nodeValue;
    return;
  }
  matchAttributes(have, next);
  matchChildren(have, [...next.childNodes]);
};

const matchChildren = (parent, wanted) => {
  const keyed = new Map(
    [...parent.childNodes].filter((node) => node.key !== undefined).map((node) => [node.key, node]),
  );
  let place = parent.firstChild;
  for (const next of wanted) {
    const named = next.key === undefined ? place : keyed.get(next.key);
    if (named && alike(named, next)) {
      if (named !== place) parent.insertBefore(named, place);
      else place = place.nextSibling;
      matchNode(named, next);
    } else {
      parent.insertBefore(next, place);
    }
  }
  while (place) {
    const rest = place.nextSibling;
    place.remove();
    place = rest;
  }
};

/* Make the children of `parent` equal to `children`. An element that was moved gets its focus back. */
export const morph = (parent, children) => {
  const focused = document.activeElement;
  matchChildren(parent, flat([children]).map(asNode));
  if (focused && focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
};

const dollars = (cents) =>
  "$" +
  (cents / 100).toLocaleString("en-US", {
    minimumFractionDigits: cents % 100 ? 2 : 0,
    maximumFractionDigits: 2,
  });

/* A sentence with its values: `%(name)s` stands for `values.name`. */
export const say = (text, values) => interpolate(text, values, true);

export const money = (cents) => (cents < 0 ? `−${dollars(-cents)}` : dollars(cents));
export const signed = (cents) => (cents > 0 ? `+${dollars(cents)}` : money(cents));

/* How long ago, as a clock shows it: 1:12, and 2:05:10 from an hour on. */
export const ago = (iso, now) => {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
};

/* The time of an instant on the clock of the room. */
export const clock = (iso, zone) =>
  new Date(iso).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone });
