"use strict";
// Shows one move of the game at a time. Whatever comes from the record is set as text, never as markup.

const game = JSON.parse(document.getElementById("game").textContent);
const { side, moves } = game;
const last = moves.length;
const points = side * side;
const ownership = Int8Array.from(atob(game.ownership), (letter) => letter.charCodeAt(0));
const view = new Board(at("board").querySelector("svg"), side);
const slider = at("slider");
const changes = [...document.querySelectorAll("#changes a")];
const lineButtons = [...document.querySelectorAll("[data-line]")];
let now = last;

const colourName = (colour) => (colour > 0 ? "Black" : "White");
const lead = (score) => (score === 0 ? "0" : `${score > 0 ? "B" : "W"}+${Math.abs(score)}`);
const isOn = (name) => at(name) !== null && at(name).checked;

// One letter a point: stone + 1, + 3 if dead, + 6 * (owner + 1), + 18 if in seki, in base 36.
function cellsAfter(move) {
  return Array.from(game.boards.slice(move * points, (move + 1) * points), (letter) => {
    const code = parseInt(letter, 36);
    const dead = Math.floor(code / 3) % 2 === 1;
    return { stone: (code % 3) - 1, dead, owner: (Math.floor(code / 6) % 3) - 1, seki: code >= 18 };
  });
}

const ownershipAfter = (move) => ownership.subarray(move * points, (move + 1) * points);

// The result of the count, in the place of the prediction, so that no colour contradicts the score.
const ownersOf = (cells) => cells.map(({ owner }) => 100 * owner);

// How far the last move moved the ownership of each point.
function changeBy(move) {
  const before = ownershipAfter(Math.max(0, move - 1));
  return Array.from(ownershipAfter(move), (value, point) => Math.max(-100, Math.min(100, value - before[point])));
}

const fitCoordinates = () => view.svg.classList.toggle("bare", !isOn("coordinates"));

function drawBoard(move) {
  const plain = cellsAfter(move);
  const cells = isOn("numbers") ? view.numbered(plain, moves.slice(0, move)) : plain;
  view.clear();
  view.drawStones(cells, isOn("territory"));
  if (isOn("change")) view.drawOwnership(cells, changeBy(move), true);
  else if (isOn("ownership")) view.drawOwnership(cells, game.counted[move] ? ownersOf(cells) : ownershipAfter(move));
  if (isOn("territory")) view.drawTerritory(cells, game.counted[move]);
  if (isOn("ownership") || isOn("territory")) view.drawDead(cells);
  if (isOn("numbers")) view.drawNumbers(cells, move);
  else if (move) view.drawLast(cells, moves[move - 1][1]);
  if (isOn("policy")) view.drawPolicy(game.policy[move]);
  fitCoordinates();
  view.svg.setAttribute("aria-label", `${side} by ${side} board after move ${move}. ${at("status").textContent}`);
  at("diagram").textContent = view.diagram(cells);
}

function tell(move) {
  const played = move ? `${colourName(moves[move - 1][0])} ${view.vertex(moves[move - 1][1])}` : "the start";
  at("status").textContent = `Move ${move}: ${played}. ${game.results[move]} ${game.counted[move] ? "counted" : "expected"}`;
  const [low, high] = [game.low, game.high].map((bounds) => `${bounds[move] < 0 ? "W" : "B"}+${Math.abs(bounds[move]).toFixed(1)}`);
  const interval = `90% interval ${low} to ${high}`;
  const winner = game.chance[move] >= 50 ? "Black" : "White";
  const percent = Math.max(game.chance[move], 100 - game.chance[move]);
  const shown = `${percent === 100 ? "over 99" : percent}%`;
  const chance = game.counted[move] ? `${winner} wins (${shown})` : `${winner}'s win rate ${shown}`;
  at("detail").textContent = [interval, chance, ...moved(move)].join("; ");
  at("comment").textContent = game.comments[move] ?? "";
  slider.value = move;
  slider.setAttribute("aria-valuetext", at("status").textContent);
  markCurrent(move);
}

// What a searched move lost, and which points of ownership changed hands.
function moved(move) {
  if (!game.moved?.[move]) return [];
  const [lost, gained, given] = game.moved[move].map((points) => points.toFixed(1));
  const about = lost > 0 && lost < game.noise ? "about " : "";
  return [`the move lost ${about}${lost} points; on the board it gained ${gained} and gave away ${given}`];
}

function markCurrent(move) {
  for (const link of changes) {
    if (Number(link.dataset.move) === move) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  for (const button of lineButtons) button.setAttribute("aria-pressed", "false");
}

// The board after some moves of a line that is better than the move of a number.
function showLine(number, ply) {
  show(number - 1);
  markCurrent(number);
  for (const button of lineButtons) {
    const { line, ply: plies } = button.dataset;
    button.setAttribute("aria-pressed", Number(line) === number && Number(plies) === ply);
  }
  const line = game.lines[number];
  const played = line.moves.slice(0, ply);
  const stones = Array.from(line.boards[ply - 1], (digit) => ({ stone: Number(digit) - 1, dead: false }));
  const cells = view.numbered(stones, played.map((point) => [line.colour, point]));
  view.clear();
  view.drawStones(cells, false);
  view.drawNumbers(cells, ply);
  const [colour, point] = moves[number - 1];
  at("status").textContent = `Better: ${colourName(line.colour)} ${played.map((each) => view.vertex(each)).join(" ")}`;
  at("detail").textContent = `Move ${number}, ${colourName(colour)} ${view.vertex(point)}, lost ${game.moved[number][0]} points`;
  view.svg.setAttribute("aria-label", `${side} by ${side} board. ${at("status").textContent}`);
  at("diagram").textContent = view.diagram(cells);
}

function show(move) {
  now = Math.max(0, Math.min(last, move));
  tell(now);
  drawBoard(now);
  graphs.forEach((graph) => graph.point(now));
}

const furthest = 1.05 * Math.max(12, ...game.graph.low.map(Math.abs), ...game.graph.high.map(Math.abs));
const scoreStep = [5, 10, 20, 50, 100, 200].find((each) => furthest / each < 3) ?? 400;
const graphs = [
  new Graph(
    at("graph"),
    game.graph,
    { middle: 0, most: furthest, step: scoreStep, label: lead },
    show,
  ),
];
if (at("chances")) {
  const values = { values: game.chance, low: game.chanceLow, high: game.chanceHigh };
  graphs.push(new Graph(at("chances"), values, { middle: 50, most: 50, step: 25, label: (each) => `${each}%` }, show));
}

const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

document.addEventListener("keydown", (event) => {
  const onSlider = event.target === slider;
  const upright = ["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key);
  if (!(event.key in KEYS) || event.ctrlKey || event.altKey || event.metaKey || (upright && !onSlider)) return;
  event.preventDefault();
  show(now + KEYS[event.key] * (event.shiftKey ? 10 : 1));
});

for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => show(now + Number(button.dataset.step)));
}
// A better line shows stones alone: to see more of the game leaves the line.
for (const box of document.querySelectorAll("fieldset input")) {
  box.addEventListener("change", () => (box.id === "coordinates" ? fitCoordinates() : show(now)));
}
slider.addEventListener("input", () => show(Number(slider.value)));

let turned = 0;
at("board").addEventListener(
  "wheel",
  (event) => {
    if (event.ctrlKey || (event.deltaY > 0 ? now === last : now === 0)) return; // The page may zoom, and scroll on.
    event.preventDefault();
    turned += event.deltaMode ? 40 * event.deltaY : event.deltaY;
    const steps = Math.trunc(turned / 40);
    turned -= 40 * steps;
    if (steps) show(now + Math.sign(steps));
  },
  { passive: false },
);

for (const button of lineButtons) {
  button.addEventListener("click", () => showLine(Number(button.dataset.line), Number(button.dataset.ply)));
}

const linked = () => Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? last);
for (const link of changes) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `#${link.dataset.move}`);
    show(linked());
  });
}
addEventListener("hashchange", () => show(linked()));
show(linked());
