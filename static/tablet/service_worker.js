/* Keeps the app on the device, so that it opens without network. The server puts in front which files there are, and
   the version that they make: self.BACKLINE = {version, files}; the first file is the page itself. */

const { version, files } = self.BACKLINE;
const KEPT = `backline-${version}`;

/* A new version is fetched whole, past the browser's own cache, and waits until the page says that no hand is out. */
const fetchAll = async () => {
  const kept = await caches.open(KEPT);
  await kept.addAll(files.map((file) => new Request(file, { cache: "reload" })));
};

const forgetOthers = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  await self.clients.claim();
};

const pathOf = (address) => new URL(address, self.location).pathname;
const paths = new Set(files.map(pathOf));

/* From the device, whatever the network says. */
const fromDevice = async (request) => {
  const kept = await caches.open(KEPT);
  return (await kept.match(request, { ignoreSearch: true })) ?? fetch(request);
};

/* Any other page of the tablet is the server's; without network the app stands in for it. */
const orTheApp = (request) => fetch(request).catch(async () => (await caches.open(KEPT)).match(files[0]));

self.addEventListener("install", (event) => event.waitUntil(fetchAll()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (paths.has(pathOf(request.url))) event.respondWith(fromDevice(request));
  else if (request.mode === "navigate") event.respondWith(orTheApp(request));
});
self.addEventListener("message", (event) => {
  if (event.data?.kind === "take over") self.skipWaiting();
});
