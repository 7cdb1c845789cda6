/* A new version of the app is fetched beside the one in use and waits; it takes over between two hands, and the page
   is loaded again once. */

const LOOK_MS = 1000;
const UPDATE_MS = 10 * 60 * 1000;

export const watchVersions = async (isQuiet) => {
  const workers = navigator.serviceWorker;
  if (!workers) return; // without HTTPS
  let isControlled = Boolean(workers.controller);
  workers.addEventListener("controllerchange", () => {
    if (isControlled) location.reload();
    isControlled = true;
  });
  const registration = await workers.register("/tablet/sw.js", { scope: "/tablet/" });
  setInterval(() => {
    if (registration.waiting && isQuiet()) registration.waiting.postMessage({ kind: "take over" });
  }, LOOK_MS);
  setInterval(() => registration.update().catch(() => undefined), UPDATE_MS); // without network there is nothing new
};
