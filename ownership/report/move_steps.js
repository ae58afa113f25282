"use strict";
// Going through the moves: buttons, slider and keys.

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

// `now` returns the number of moves that the board shows, `go` receives another one, `undo` is called on Ctrl+Z.
function followSteps(now, go, undo = () => {}) {
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => go(now() + Number(button.dataset.step)));
  }
  // After a choice by mouse or finger the arrow keys go through the moves, not through choices or points.
  addEventListener("click", ({ target, detail }) => detail && target.matches("[type=radio], [role=gridcell]") && target.blur());
  at("slider").addEventListener("input", () => go(Number(at("slider").value)));
  addEventListener("keydown", (event) => {
    if (event.target.matches("input:not([type=checkbox]), select, textarea") || document.querySelector("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") {
      event.preventDefault();
      undo();
    } else if (event.key in KEYS && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      go(now() + KEYS[event.key] * (event.shiftKey ? 10 : 1));
    }
  });
}
