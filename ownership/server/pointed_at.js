"use strict";
// What the mouse or the keyboard points at on the board: the outline of the chains that a tap would change or ask about, and
// the line of one of the best moves.

const pointed = { mouse: null, keyboard: null }; // points

function outline() {
  const point = pointed.mouse ?? pointed.keyboard;
  const tool = document.querySelector("[name=tool]:checked").value;
  const judges = point !== null && shown !== null && state === accepted && ["judge", "seki", "why"].includes(tool);
  const all = judges ? cells() : [];
  board.drawOutline(all[point]?.stone ? (tool === "why" ? chainAt : tappedAt)(point, all) : []);
}

// The line of the candidate below the mouse, where a tap would play it.
function lineBelow() {
  const plays = document.querySelector("[name=tool]:checked").value === "play";
  if (pointed.mouse === null || !plays || viewNow() !== "candidates" || state !== accepted) return [];
  const index = reviewNow().rows(state.now, mover(gameNow(), state.now)).findIndex(({ point }) => point === pointed.mouse);
  return index < 0 ? [] : candidateLine(index).slice(0, LONGEST_LINE);
}

const viewNow = () => document.querySelector("[name=view]:checked")?.value;

function pointWith(device, { dataset } = { dataset: {} }) {
  const before = lineBelow();
  pointed[device] = dataset.point === undefined ? null : Number(dataset.point);
  if (before.length || lineBelow().length) draw();
  else outline();
}

at("grid").addEventListener("pointerover", ({ target, pointerType }) => pointerType === "mouse" && pointWith("mouse", target));
at("grid").addEventListener("focusin", ({ target }) => target.matches(":focus-visible") && pointWith("keyboard", target));
at("grid").addEventListener("pointerleave", () => pointWith("mouse"));
at("grid").addEventListener("focusout", () => pointWith("keyboard"));
