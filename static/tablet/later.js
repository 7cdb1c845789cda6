/* A press and what it leaves open: `{ "$from": key, field }` stands for what an earlier press will be answered, `at`
   for which of several. */

/* crypto.randomUUID needs HTTPS; a room's own network may not have it. */
export const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

const isLater = (value) => value !== null && typeof value === "object" && "$from" in value;

/* Values with what earlier presses were answered in its places; what is not answered yet stays as it is. */
export const filled = (value, answers) => {
  if (isLater(value)) {
    const answer = answers.get(value.$from);
    const found = answer?.ok ? answer.body[value.field] : undefined;
    if (found === undefined) return value;
    return "at" in value ? found[value.at] : found;
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, answers));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, answers)]));
};

/* The key of an earlier press without which these values cannot be sent. */
export const missing = (value) => {
  if (value === null || typeof value !== "object") return null;
  if (isLater(value)) return value.$from;
  return Object.values(value).map(missing).find(Boolean) ?? null;
};
