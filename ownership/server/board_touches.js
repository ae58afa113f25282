"use strict";
// Touches of the board with each tool, stones that are set up, and the terms of the game.

// Touches wait for each other, as each builds on the board that the one before has left.
function touch(point) {
  const tool = document.querySelector("[name=tool]:checked").value;
  const next = () => act(tool, point);
  touching = touching.then(next, next);
}

async function act(tool, point) {
  await whenReady();
  if (!shown) return;
  if (tool === "judge" || tool === "seki") await mark(point, tool);
  else if (tool === "play") await play(point);
  else if (tool === "why") explain(point);
  else if (["TR", "SQ", "LB"].includes(tool)) await markPoint(point, tool);
  else await setUp(point, { black: 1, white: -1, erase: 0 }[tool]);
}

async function setUp(point, colour) {
  const stones = cells().map(({ stone }) => stone);
  if (!stones[point] && !colour) return;
  stones[point] = stones[point] === colour ? 0 : colour;
  if (!stones.every((_, each) => hasLiberty(each, board.side, stones))) {
    tell(say("no_liberties", { colour: colourName(colour), vertex: board.vertex(point) }));
    return;
  }
  const hadMoves = gameNow().moves.length > 0;
  const next = { ...state, lines: [withStones(gameNow(), stones)], line: 0, now: 0, claims: {} };
  await change(next);
  if (hadMoves && accepted === next) tell(texts.moves_dropped);
}

const PRISONERS = ["black", "white"];
const MOST_KOMI = 400; // points that the server takes

at("rules").addEventListener("change", () => change({ ...state, rules: at("rules").value }));
at("komi").addEventListener("change", () => chooseKomi(at("komi").value.trim().replace(",", ".")));
at("to-move").addEventListener("change", () =>
  change(withGame({ ...gameNow(), to_move: Number(at("to-move").value) })));
for (const colour of PRISONERS) {
  at(`prisoners-${colour}`).addEventListener("change", ({ target }) =>
    change({ ...state, prisoners: { ...state.prisoners, [colour]: inRange(target) } }));
}

// The whole number in a field, or the nearest that the field may have.
const inRange = ({ value, min, max }) => Math.max(Number(min), Math.min(Number(max), Math.floor(Number(value))));

function chooseKomi(komi) {
  const isNumber = komi === "" || /^[-+]?(\d+\.?\d*|\.\d+)$/.test(komi);
  if (isNumber && Math.abs(Number(komi)) <= MOST_KOMI) change({ ...state, komi });
  else {
    tell(say("komi_wrong", { komi }));
    at("komi").value = state.komi;
  }
}

function newBoard(side) {
  if (Number.isInteger(side) && side >= 2 && side <= 25) {
    tell("");
    choose("black");
    wanted = null;
    change(opened([emptyGame(side)], 0));
    closeDialogs();
  } else tell(texts.board_side_wrong);
}

at("new").addEventListener("click", () => newBoard(Number(at("side").value)));
at("side").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault(); // else it would press the button that gets the focus
  at("new").click();
});
for (const button of document.querySelectorAll("[data-side]")) {
  button.addEventListener("click", () => newBoard(Number(button.dataset.side)));
}
