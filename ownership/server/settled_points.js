"use strict";
// The view Settled: which points have their final owner, and how long the others stay open.

const settledMaps = new Map(); // answers by position, null while one is asked for

// The map of the position that is shown, a letter a point (see Board.drawSettled), or null. One that is not known is asked
// for, and drawn then.
function settledNow() {
  if (wanted !== "settled") return null;
  const key = keyNow();
  if (!settledMaps.has(key)) askSettled(key, asking.signal);
  return settledMaps.get(key)?.map.join("") ?? null;
}

async function askSettled(key, signal) {
  settledMaps.set(key, null);
  try {
    const answer = await groupFrom("settled", { symmetries: 1 }, signal);
    settledMaps.set(key, answer);
    tell(say("settled_map", { percent: percentOf(answer.settled) }));
    draw();
  } catch (error) {
    settledMaps.delete(key);
    if (error.name !== "AbortError") tell(error.message);
  }
}
