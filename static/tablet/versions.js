/* A new version of the app is fetched beside the one in use and waits; it takes over between two hands, and the page
   is loaded again once. */

const LOOK_MS = 1000;
const UPDATE_MS = 10 * 60 * 1000;
const AGAIN_MS = 5000;

/* A server that is gone just now cannot give the worker; it is asked for until it does. */
const register = async (workers) => {
  for (;;) {
    try {
      return await workers.register("/tablet/sw.js", { scope: "/tablet/" });
    } catch {
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }
};

export const watchVersions = async (isQuiet) => {
  const workers = navigator.serviceWorker;
  if (!workers) return; // without HTTPS
  let isControlled = Boolean(workers.controller);
  workers.addEventListener("controllerchange", () => {
    if (isControlled) location.reload();
    isControlled = true;
  });
  const registration = await register(workers);
  setInterval(() => {
    if (registration.waiting && isQuiet()) registration.waiting.postMessage({ kind: "take over" });
  }, LOOK_MS);
  setInterval(() => registration.update().catch(() => undefined), UPDATE_MS); // without network there is nothing new
};
