"use strict";
// The switch that keeps searching the position that is shown, in ever deeper steps, while the page is looked at.

let isEndless = false;
let searchingOn = new AbortController(); // what ends the steps

// Goes on until the deepest search, or until the position, the switch or the tab changes. A review comes first.
async function searchOn(signal) {
  searchingOn.abort();
  searchingOn = new AbortController();
  const ends = AbortSignal.any([signal, searchingOn.signal]);
  if (!isEndless || reviewing || document.hidden || isOver() || state !== accepted) return;
  const { now } = state;
  for (let visits = foundNow()?.visits ?? 0; visits < DEEPEST && !ends.aborted;) {
    try {
      const [, found] = await searchAt(now, Math.min(DEEPEST, 2 * Math.max(VISITS, visits)), ends);
      if (!(found.visits > visits)) return; // a position that is counted
      ({ visits } = found);
    } catch (error) {
      if (error.name !== "AbortError") tell(error.message);
      return;
    }
    showSoon();
  }
}

at("keep-searching").addEventListener("click", () => {
  isEndless = !isEndless;
  at("keep-searching").setAttribute("aria-pressed", isEndless);
  showDeeper();
  searchOn(asking.signal);
});
document.addEventListener("visibilitychange", () => searchOn(asking.signal));
