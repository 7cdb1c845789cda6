/* The presses. Each gets a key and is on the device before it is sent; one page at a time sends, in the order in
   which they were pressed, under the same key until it is answered: done once, whatever the network does. */

import { say } from "./dom.js";
import { filled, missing, newKey } from "./later.js";

const LIVE_MS = 1200; // so long the dealer waits for the server's word; then the hand goes on without it
const LATE_MS = 5000; // refused after this time, the table has gone on: floor has to know
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15_000;
const ANSWER_WITHIN_MS = 15_000;
const ANSWERS_KEPT_MS = 48 * 3600 * 1000;
const WORDS_MAX = 300;
const DEPENDS = "depends";

const PAGE = newKey(); // tells this load of the page from the ones before it

/* Who gave a PIN with a press is checked by the server; the PIN is never written on the device. */
const SECRET = "approver_pin";

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/* Without HTTPS there are no locks; then two pages may both send, which the keys make harmless. */
const alone = (work) => (navigator.locks ? navigator.locks.request("backline.queue", work) : work());

/* `page` is what the queue asks of the page it serves: me() and session(), who presses at what; instant(), the server's
   time, and clock(iso), it in words; isOnline(), setOnline(bool), refresh(), draw(). */
export const openQueue = async (store, page) => {
  const channel = new BroadcastChannel("backline");
  const answers = new Map();
  const callers = new Map(); // presses whose pressers still wait: what to call with the answer, or without one
  const live = new Set(); // presses whose refusal their pressers see themselves
  const secrets = new Map(); // PINs, by press
  const laid = new Set(); // presses that the shown table counts with already
  let waiting = [];
  let refused = [];
  let compare = [];
  let unseen = []; // answered, but not yet in a state of the table
  let turns = 0; // counts answers and states asked for, to know which came first
  let seenAt = 0; // the turn of the newest state
  let tokens = {}; // what each person's presses are sent with, by user
  let word = "";
  let needs = null; // whose sign-in it takes to go on
  let tries = 0;

  /* What is answered is done with here, even while the reading was under way. */
  const reload = async () => {
    const [queue, kept, settled, signed] = await Promise.all([
      store.all("queue"),
      store.all("refused"),
      store.get("kept", "compare"),
      store.get("kept", "tokens"),
    ]);
    waiting = queue.map(([order, press]) => ({ ...press, order })).filter(({ key }) => !answers.has(key));
    refused = kept.map(([, each]) => each).sort((one, other) => one.refused_at.localeCompare(other.refused_at));
    compare = settled ?? [];
    tokens = signed ?? {};
  };

  /* ---- keeping ---- */

  const change = async (changes) => {
    await store.change(changes);
    await reload();
    channel.postMessage({});
  };

  const pressed = (verb, values, as, more) => ({
    key: newKey(),
    verb,
    values,
    as,
    user: page.me(),
    session: page.session(),
    pressed_at: page.instant(),
    page: PAGE,
    ...more,
  });

  const ageOf = (press) => Date.parse(page.instant()) - Date.parse(press.pressed_at);

  /* What floor is told of a press that was refused when the table had gone on. */
  const handOver = (press, message) => {
    const told = { as: press.as, time: page.clock(press.pressed_at), name: press.user.name, message };
    const words = say(
      gettext("%(as)s, pressed at %(time)s by %(name)s, was refused when it arrived: %(message)s"),
      told,
    );
    const hand = typeof press.values.hand_id === "string" ? { hand_id: press.values.hand_id } : {};
    const values = { session_id: press.session, kind: "other", words: words.slice(0, WORDS_MAX), ...hand };
    const as = say(gettext("To floor: %(as)s was refused"), { as: press.as });
    return pressed("exception.raise", values, as, { user: page.me() ?? press.user, hands_over: press.key });
  };

  const refusal = (press, { body }) => {
    const isLate = press.page !== PAGE || ageOf(press) > LATE_MS || body.code === DEPENDS;
    const { message, rule } = body;
    const row = { ...press, message, rule, refused_at: page.instant(), handed: null, is_late: isLate };
    if (!isLate || !press.session) return [["put", "refused", press.key, row]];
    return [
      ["put", "refused", press.key, { ...row, handed: "waits" }],
      ["append", "queue", undefined, handOver(press, message)],
    ];
  };

  /* What became of the telling. */
  const toldFloor = (press, { ok, body }) => {
    const row = refused.find((each) => each.key === press.hands_over);
    if (!row) return [];
    return [
      ["put", "refused", row.key, { ...row, handed: ok ? "told" : "refused", handed_message: ok ? "" : body.message }],
    ];
  };

  /* A hand paid before its verdict could be seen: the dealer compares once it is there. */
  const settledUnseen = (press, values) =>
    press.verb === "hand.settle" && missing(press.values)
      ? [["put", "kept", "compare", [...compare, { hand: values.hand_id, as: press.as, name: press.user.name }]]]
      : [];

  /* ---- sending ---- */

  const askSignIn = (user) => {
    needs = user;
    word = say(gettext("%(name)s signs in here to send it"), { name: user.name });
    return null;
  };

  /* One try. Answers once the server has said yes or no; null while it cannot be reached, or cannot do it now. */
  const attempt = async (press, values) => {
    // In the name of who made it and of nobody else: never by the sign-in of whoever is here by now.
    const token = tokens[press.user.user_id];
    if (!token) return askSignIn(press.user);
    let response;
    try {
      response = await fetch(`/api/v1/do/${press.verb}/`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": press.key, "X-Press-Token": token },
        body: JSON.stringify({ ...values, ...secrets.get(press.key), occurred_at: press.pressed_at }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
    } catch {
      page.setOnline(false);
      word = "";
      return null;
    }
    const body = await response.json().catch(() => null); // whatever a proxy answers in the server's place
    page.setOnline(body !== null);
    if (body === null || response.status >= 500 || response.status === 429) {
      word = body?.message ?? "";
      return null;
    }
    if (response.status === 401) return askSignIn(press.user);
    return { ok: response.ok, status: response.status, body };
  };

  const refusedHere = (code, message) => ({ ok: false, status: 409, body: { code, message, rule: "", fields: {} } });

  /* Why a press cannot even be sent; null where it can. */
  const unsendable = (press, values) => {
    const lacks = missing(values);
    if (lacks) {
      const before = answers.get(lacks);
      const message = before
        ? say(gettext("It needs “%(as)s”, and that was refused."), { as: before.as })
        : gettext("It needs an earlier press, and that is not on this device.");
      return refusedHere(DEPENDS, message);
    }
    if (!press.has_secret || secrets.has(press.key)) return null;
    return refusedHere(
      "pin-gone",
      gettext("The page was loaded again, and a PIN is not kept. The approval has to be given again."),
    );
  };

  const settle = async (press, values, answer) => {
    const kept = { ...answer, as: press.as, at: Date.now() };
    const turn = ++turns;
    const about = press.hands_over
      ? toldFloor(press, answer)
      : answer.ok
        ? settledUnseen(press, values)
        : refusal(press, answer);
    const changes = [["remove", "queue", press.order], ["put", "answers", press.key, kept], ...about];
    // A plain answer that the device loses with its power is asked for again under the same key.
    await store.change(changes, about.length ? "strict" : "relaxed");
    // Out of the queue and into what is answered in one turn: no drawing between them forgets the press.
    answers.set(press.key, kept);
    waiting = waiting.filter(({ key }) => key !== press.key);
    if (answer.ok && laid.has(press.key)) keepUnseen(press, turn);
    secrets.delete(press.key);
    channel.postMessage({ key: press.key, kept });
    if (about.length) await reload();
    const isAwaited = callers.has(press.key);
    tell();
    if (!isAwaited && !waiting.length) page.refresh();
  };

  const keepUnseen = (press, turn) => {
    if (turn > seenAt) unseen.push({ ...press, turn });
  };

  /* Answers to those who wait for one, whichever page sent it. */
  const tell = () => {
    for (const [key, done] of callers) if (answers.has(key)) done(answers.get(key));
  };

  /* Nobody is to wait for what cannot be sent now. */
  const goOn = () => {
    for (const done of callers.values()) done(null);
  };

  let hurry = () => undefined;
  let isHurried = false;
  let isWanted = false;
  let isSending = false;

  const untilNextTry = async () => {
    const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** tries++);
    if (!isHurried) await Promise.race([pause(delay), new Promise((done) => (hurry = done))]);
  };

  const drain = async () => {
    await reload();
    while (waiting.length) {
      const [press] = waiting;
      const values = filled(press.values, answers);
      isHurried = false;
      const answer = unsendable(press, values) ?? (await attempt(press, values));
      if (answer) {
        tries = 0;
        word = "";
        needs = null;
        await settle(press, values, answer);
      } else {
        goOn();
        page.draw();
        await untilNextTry();
        await reload();
      }
    }
    page.draw();
  };

  /* Send what waits, now rather than at the next try. */
  const wake = async () => {
    isWanted = true;
    isHurried = true;
    hurry();
    if (isSending) return;
    isSending = true;
    try {
      while (isWanted) {
        isWanted = false;
        await alone(drain);
      }
    } finally {
      isSending = false;
    }
  };

  /* Resolves with the answer, or with {waiting: true} when it takes longer than a dealer should wait. */
  const send = async (press) => {
    const answered = new Promise((done) => callers.set(press.key, done));
    live.add(press.key);
    await change([["append", "queue", undefined, press]]);
    wake();
    const isStuck = tries > 0 || !page.isOnline();
    const answer = await Promise.race([answered, pause(isStuck ? 0 : LIVE_MS)]);
    callers.delete(press.key);
    if (!answer) {
      live.delete(press.key);
      laid.add(press.key);
      page.draw();
      return { waiting: true };
    }
    const turn = ++turns;
    if (!answer.ok) await dismissLive(press.key);
    if (!(await page.refresh()) && answer.ok) keepUnseen(press, turn);
    return answer;
  };

  /* The presser has the refusal before their eyes: nothing is to be kept, unless floor has been told. */
  const dismissLive = async (key) => {
    const row = refused.find((each) => each.key === key);
    if (row && !row.is_late) await change([["remove", "refused", key]]);
  };

  const press = (verb, { [SECRET]: secret, ...values }, { as }) => {
    const made = pressed(verb, values, as, { has_secret: Boolean(secret) });
    if (secret) secrets.set(made.key, { [SECRET]: secret });
    return Object.assign(send(made), { key: made.key });
  };

  /* ---- what others left ---- */

  /* Presses that the tablet's first pages left unsent, under their own keys. */
  const takeOver = async (old) => {
    const known = new Set(waiting.map((each) => each.key));
    const rows = old.filter((each) => !known.has(each.key));
    await change(
      rows.map((each) => {
        const user = { user_id: each.actor, name: each.name };
        const as = say(gettext("%(verb)s, pressed before the app was there"), { verb: each.verb });
        const made = pressed(each.verb, each.values, as, {
          key: each.key,
          user,
          pressed_at: each.occurred_at,
          page: "",
        });
        return ["append", "queue", undefined, made];
      }),
    );
    for (const each of rows) laid.add(each.key);
  };

  channel.onmessage = async ({ data: { key: answered, kept } }) => {
    if (answered) answers.set(answered, kept);
    await reload();
    for (const { key } of waiting) if (!callers.has(key)) laid.add(key);
    tell();
    page.draw();
  };

  for (const [key, answer] of await store.all("answers")) answers.set(key, answer);
  await reload();
  for (const { key } of waiting) laid.add(key);
  const stale = [...answers].filter(([, answer]) => Date.now() - answer.at > ANSWERS_KEPT_MS);
  if (!waiting.length && stale.length) await store.change(stale.map(([key]) => ["remove", "answers", key]));

  addEventListener("online", () => {
    tries = 0;
    page.setOnline(true);
    wake();
  });

  return {
    press,
    wake,
    takeOver,
    answer: (key) => answers.get(key),
    isWaiting: (key) => waiting.some((each) => each.key === key),
    /* What the shown table counts with: answered presses that no state holds yet, then the waiting ones. Ids that
       came with an answer are put in once a state has them, too. */
    laid: () => {
      const fresh = new Set(unseen.map(({ key }) => key));
      const known = new Map([...answers].filter(([key]) => !fresh.has(key)));
      const counted = [...unseen, ...waiting.filter(({ key }) => laid.has(key) && !fresh.has(key))];
      return counted.map((each) => ({ ...each, values: filled(each.values, known) }));
    },
    turn: () => ++turns,
    /* A state asked for in this turn holds what was answered before. */
    seen: (turn) => {
      seenAt = Math.max(seenAt, turn);
      unseen = unseen.filter((each) => each.turn > seenAt);
    },
    model: () => ({
      waiting,
      refused: refused.filter(({ key, is_late: isLate }) => isLate || !live.has(key)),
      compare,
      needs,
      oldest_at: waiting[0]?.pressed_at ?? null,
      sent_word: word,
    }),
    signedIn: async ({ me, press_token: token }) => {
      await change([["put", "kept", "tokens", { ...tokens, [me.user_id]: token }]]);
      wake();
    },
    /* Seen by the dealer; floor has it, or need not. */
    dismiss: (key) => change([["remove", "refused", key]]),
    compared: (hand) => change([["put", "kept", "compare", compare.filter((each) => each.hand !== hand)]]),
    /* Who pressed these is not here to sign in: floor gets them as they would have been sent. */
    handOverAll: async (userId) => {
      const theirs = waiting.filter((each) => each.user.user_id === userId);
      const message = say(gettext("%(name)s was not there to sign in, so it was never sent."), theirs[0]?.user ?? {});
      const answer = refusedHere("not-sent", message);
      for (const each of theirs) answers.set(each.key, { ...answer, as: each.as, at: Date.now() });
      await change(
        theirs.flatMap((each) => [
          ["remove", "queue", each.order],
          ["put", "answers", each.key, answers.get(each.key)],
          ...(each.hands_over ? toldFloor(each, answer) : refusal({ ...each, page: "" }, answer)),
        ]),
      );
      needs = null;
      wake();
    },
    /* Tell floor of a refusal now. */
    tellFloor: async (key) => {
      const row = refused.find((each) => each.key === key);
      await change([
        ["put", "refused", key, { ...row, handed: "waits" }],
        ["append", "queue", undefined, handOver(row, row.message)],
      ]);
      wake();
    },
  };
};
