"use strict";
// The outline of the chains that a tap would change or ask about: those below the mouse, or where the keyboard is on the board.

const pointed = { mouse: null, keyboard: null }; // points

function outline() {
  const point = pointed.mouse ?? pointed.keyboard;
  const tool = document.querySelector("[name=tool]:checked").value;
  const judges = point !== null && shown !== null && state === accepted && ["judge", "seki", "why"].includes(tool);
  const all = judges ? cells() : [];
  board.drawOutline(all[point]?.stone ? (tool === "why" ? chainAt : tappedAt)(point, all) : []);
}

function pointWith(device, { dataset } = { dataset: {} }) {
  pointed[device] = dataset.point === undefined ? null : Number(dataset.point);
  outline();
}

at("grid").addEventListener("pointerover", ({ target, pointerType }) => pointerType === "mouse" && pointWith("mouse", target));
at("grid").addEventListener("focusin", ({ target }) => target.matches(":focus-visible") && pointWith("keyboard", target));
at("grid").addEventListener("pointerleave", () => pointWith("mouse"));
at("grid").addEventListener("focusout", () => pointWith("keyboard"));
