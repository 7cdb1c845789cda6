/* What the device keeps, whatever happens to the page: IndexedDB `backline`.
   queue: presses in their order; answers: what was answered, by press; refused: what arrived late and was refused;
   kept: the last state, drafts, press tokens. */

const STORES = ["queue", "answers", "refused", "kept"];

const asPromise = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

const open = () =>
  new Promise((done, failed) => {
    const request = indexedDB.open("backline", 1);
    request.onupgradeneeded = () => {
      for (const name of STORES) request.result.createObjectStore(name, { autoIncrement: name === "queue" });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

export const openStore = async () => {
  const database = await open();

  /* All of the changes, or none of them; they are on the disk when this resolves, unless `durability` is "relaxed". */
  const change = (changes, durability = "strict") =>
    new Promise((done, failed) => {
      const work = database.transaction(STORES, "readwrite", { durability });
      work.oncomplete = () => done();
      work.onabort = () => failed(work.error);
      for (const [what, name, key, value] of changes) {
        const place = work.objectStore(name);
        if (what === "remove") place.delete(key);
        else if (what === "append") place.add(value);
        else place.put(value, key);
      }
    });

  const reading = (name) => database.transaction(name, "readonly").objectStore(name);

  /* [key, value] of everything in a store, in the order of the keys: of a queue, as it was pressed. */
  const all = async (name) => {
    const place = reading(name);
    const [keys, values] = await Promise.all([asPromise(place.getAllKeys()), asPromise(place.getAll())]);
    return keys.map((key, at) => [key, values[at]]);
  };

  return {
    change,
    all,
    get: (name, key) => asPromise(reading(name).get(key)),
    put: (name, key, value) => change([["put", name, key, value]]),
    remove: (name, key) => change([["remove", name, key]]),
    append: (name, value) => change([["append", name, undefined, value]]),
  };
};
