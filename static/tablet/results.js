/* The hands of a verdict and what they came to. */
import { SIGNS } from "./cards.js";
import { h, say, signed } from "./dom.js";
import { person } from "./payments.js";

export const isChinese = ({ shown }) => shown.table.game === "chinese-poker";

const faces = (cards) =>
  h(
    "span",
    { class: "cards", role: "img", "aria-label": cards.join(" ") },
    cards.map((card) =>
      card === "Jk"
        ? h("span", { class: "card joker", "aria-hidden": "true" }, card, h("small", {}, SIGNS.k))
        : h(
            "span",
            { class: `card ${card.at(-1)}`, "aria-hidden": "true" },
            card.slice(0, -1),
            h("small", {}, SIGNS[card.at(-1)]),
          ),
    ),
  );

export const declared = ({ rows }) =>
  rows
    .filter((row) => row.declared.length)
    .map((row) =>
      h(
        "section",
        { class: "declared", key: `declared-${row.seat}` },
        h("h3", {}, say(gettext("%(seat)s %(name)s, %(result)s: laid out"), row)),
        h(
          "ul",
          { class: "lines" },
          row.declared.map((cards) => h("li", {}, faces(cards))),
        ),
      ),
    );

const made = (words, result) =>
  h("td", {}, words ?? "", result ? [h("br", {}), h("span", { class: "muted small" }, result)] : null);

const chineseRow = (row) =>
  h(
    "tr",
    {},
    h("th", { scope: "row" }, person(row.seat, row.name)),
    row.front ? [made(row.front), made(row.middle), made(row.back)] : h("td", { colspan: 3 }, row.result),
    h("td", { class: "number" }, row.points > 0 ? `+${row.points}` : String(row.points).replace("-", "−")),
    h("td", { class: "money" }, h("strong", {}, signed(row.net_cents))),
  );

const paiGowRow = (button) => (row) =>
  h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      person(row.seat, row.name),
      row.seat === button ? h("span", { class: "tag" }, gettext("bank")) : null,
    ),
    made(row.front, row.front_result),
    made(row.back, row.back_result),
    row.result ? made(row.result, row.set_as) : made(row.set_as),
  );

export const results = (model) => {
  const { verdict, button } = model.shown.hand;
  if (!verdict.rows.length) return null;
  const heads = isChinese(model)
    ? [gettext("Seat"), gettext("Front"), gettext("Middle"), gettext("Back"), gettext("Points"), gettext("Net")]
    : [gettext("Seat"), gettext("Front"), gettext("Back"), gettext("Result")];
  const classes = { [gettext("Points")]: "number", [gettext("Net")]: "money" };
  return h(
    "div",
    {
      class: "scroll results",
      key: "results",
      tabindex: "0",
      role: "group",
      "aria-label": gettext("Hands and results"),
    },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((words) => h("th", { scope: "col", class: classes[words] }, words)),
        ),
      ),
      h("tbody", {}, verdict.rows.map(isChinese(model) ? chineseRow : paiGowRow(button))),
    ),
  );
};
