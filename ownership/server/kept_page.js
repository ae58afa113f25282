"use strict";
// What the browser keeps for a reload of this tab: the state, its file, and what was found about its positions. A page
// whose browser forbids storage, has no room or holds the data of another version works all the same.

const KEPT_VERSION = 3; // of all that is kept; a later version drops the data of an earlier one
const MOST_TABS = 5; // that are kept
const DELAYS = { state: 0, file: 0, found: 1000 }; // milliseconds
const STORES = Object.keys(DELAYS);
const awaited = new Set(); // the stores that are to be written
let writing = Promise.resolve();
let keptFile = null; // the file that was written last

const toKeep = {
  state: () => {
    const { file, ...rest } = accepted;
    return { ...rest, fileId: file?.id ?? null, wanted, visits: visitsChosen() };
  },
  file: () => accepted.file,
  found: () => ({ searched: [...searched], accuracy, noise, counted: [...counted] }),
};

function database() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("ownership", KEPT_VERSION);
    opening.onupgradeneeded = () => {
      const { result } = opening;
      for (const name of result.objectStoreNames) result.deleteObjectStore(name);
      for (const name of STORES) result.createObjectStore(name);
    };
    opening.onsuccess = () => {
      opening.result.onversionchange = () => opening.result.close();
      resolve(opening.result);
    };
    opening.onerror = () => reject(opening.error);
    opening.onblocked = () => reject(new Error("blocked"));
  });
}

// Does some work with the stores; returns what its request found, once all of it is written.
async function withStores(mode, work) {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(STORES, mode);
      const request = work(...STORES.map((name) => transaction.objectStore(name)));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    opened.close();
  }
}

// The name under which this tab keeps its data.
function tab() {
  sessionStorage.tab ??= Date.now();
  return Number(sessionStorage.tab);
}

// Keeps what one of the stores is for, soon; what cannot be written leaves nothing there.
function keep(name) {
  if (awaited.has(name)) return;
  awaited.add(name);
  const write = async () => {
    if (!awaited.delete(name)) return;
    const put = (...stores) => stores[STORES.indexOf(name)].put(toKeep[name](), tab());
    await withStores("readwrite", put).catch(() =>
      withStores("readwrite", (...stores) => stores[STORES.indexOf(name)].delete(tab())));
  };
  setTimeout(() => (writing = writing.then(write).catch(() => {})), DELAYS[name]);
}

function keepState() {
  keep("state");
  if (accepted.file !== keptFile) keep("file");
  keptFile = accepted.file;
}

// What this tab has kept, or null. Data of the oldest tabs are dropped.
async function keptPage() {
  try {
    const tabs = await withStores("readwrite", (states) => states.getAllKeys());
    const dropped = tabs.sort((one, other) => other - one).slice(MOST_TABS);
    await withStores("readwrite", (...stores) => dropped.forEach((each) => stores.forEach((store) => store.delete(each))));
    const [kept, file, found] = await Promise.all(
      STORES.map((_, index) => withStores("readonly", (...stores) => stores[index].get(tab()))));
    if (!kept) return null;
    const { fileId, wanted: view, visits, ...rest } = kept;
    return { state: { ...rest, file: file?.id === fileId ? file : null }, view, visits, found };
  } catch {
    return null;
  }
}

// Shows what this tab has kept, else the empty board.
async function showKept() {
  const kept = await keptPage();
  if (!kept) return refresh();
  keptFile = kept.state.file;
  wanted = kept.view;
  at("visits").value = kept.visits;
  if (kept.found) {
    for (const [key, found] of kept.found.searched) searched.set(key, found);
    for (const [key, count] of kept.found.counted) counted.set(key, count);
    ({ accuracy, noise } = kept.found);
  }
  await turnTo(kept.state);
  choose(shown?.finished ? "judge" : "play");
  if (!isSearched(gameNow())) drawGraph();
  return undefined;
}

at("forget").addEventListener("click", async () => {
  awaited.clear();
  await writing;
  await withStores("readwrite", (...stores) => stores.forEach((store) => store.clear())).catch(() => {});
  location.reload();
});
