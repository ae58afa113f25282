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

function drawBoard(move) {
  const cells = cellsAfter(move);
  view.clear();
  view.drawStones(cells, isOn("territory"));
  if (isOn("ownership")) view.drawOwnership(cells, ownership.subarray(move * points, (move + 1) * points));
  if (isOn("territory")) view.drawTerritory(cells, game.counted[move]);
  if (isOn("ownership") || isOn("territory")) view.drawDead(cells);
  if (isOn("numbers")) view.drawNumbers(cells, moves.slice(0, move));
  else if (move) view.drawLast(cells, moves[move - 1][1]);
  if (isOn("policy")) view.drawPolicy(game.policy[move]);
  view.svg.classList.toggle("bare", !isOn("coordinates"));
  view.svg.setAttribute("aria-label", `${side} by ${side} board after move ${move}. ${at("status").textContent}`);
  at("diagram").textContent = view.diagram(cells);
}

function tell(move) {
  const played = move ? `${colourName(moves[move - 1][0])} ${view.vertex(moves[move - 1][1])}` : "the start";
  at("status").textContent = `Move ${move}: ${played}. ${game.results[move]} ${game.counted[move] ? "counted" : "expected"}`;
  const interval = `90% interval ${lead(game.low[move])} to ${lead(game.high[move])}`;
  const chance = game.chance[move] >= 50 ? `Black wins (${game.chance[move]}%)` : `White wins (${100 - game.chance[move]}%)`;
  at("detail").textContent = `${interval}; ${chance}`;
  at("comment").textContent = game.comments[move] ?? "";
  slider.value = move;
  slider.setAttribute("aria-valuetext", at("status").textContent);
  for (const link of changes) {
    if (Number(link.dataset.move) === move) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function show(move) {
  now = Math.max(0, Math.min(last, move));
  tell(now);
  drawBoard(now);
  drawCursor();
}

// The graph is drawn for the pixels that it has, so that its letters stay as large as all others.
const graph = { left: 44, right: 8, top: 6, bottom: 20, svg: at("graph").querySelector("svg") };

function measure() {
  const box = at("graph").getBoundingClientRect();
  const most = 1.05 * Math.max(12, ...game.low.map(Math.abs), ...game.high.map(Math.abs));
  const width = Math.max(50, box.width - graph.left - graph.right);
  const height = box.height - graph.top - graph.bottom;
  graph.x = (move) => graph.left + (width * move) / Math.max(last, 1);
  graph.y = (score) => graph.top + (height * (1 - Math.max(-most, Math.min(most, score)) / most)) / 2;
  graph.move = (pixel) => Math.round(((pixel - box.left - graph.left) / width) * last);
  graph.most = most;
}

const line = (scores) => scores.map((score, move) => `${graph.x(move).toFixed(1)} ${graph.y(score).toFixed(1)}`).join("L");

function drawGraph() {
  measure();
  graph.svg.replaceChildren();
  drawAxes();
  shape(graph.svg, "path", { class: "band", d: `M${line(game.low)}L${line(game.high).split("L").reverse().join("L")}Z` });
  const area = `M${graph.x(0)} ${graph.y(0)}L${line(game.score)}L${graph.x(last)} ${graph.y(0)}Z`;
  for (const [name, from, to] of [["ahead", graph.most, 0], ["behind", 0, -graph.most]]) {
    const half = shape(graph.svg, "clipPath", { id: `half-${name}` });
    const height = graph.y(to) - graph.y(from);
    shape(half, "rect", { x: graph.x(0), y: graph.y(from), width: graph.x(last) - graph.x(0), height });
    shape(graph.svg, "path", { class: name, d: area, "clip-path": `url(#half-${name})` });
  }
  shape(graph.svg, "path", { class: "curve", d: `M${line(game.score)}` });
  graph.cursor = shape(graph.svg, "line", { class: "cursor" });
  graph.now = shape(graph.svg, "circle", { class: "now", r: 5 });
  drawCursor();
}

function drawAxes() {
  const step = [5, 10, 20, 50, 100, 200].find((each) => graph.most / each < 3) ?? 400;
  for (let score = -2 * step; score <= 2 * step; score += step) {
    if (Math.abs(score) > graph.most) continue;
    shape(graph.svg, "line", { class: "grid", x1: graph.x(0), x2: graph.x(last), y1: graph.y(score), y2: graph.y(score) });
    shape(graph.svg, "text", { x: graph.left - 6, y: graph.y(score) + 4, "text-anchor": "end" }, lead(score));
  }
  const every = [1, 2, 5, 10, 20, 50, 100].find((each) => last / each <= 8) ?? 200;
  for (let move = 0; move <= last; move += every) {
    shape(graph.svg, "text", { x: graph.x(move), y: graph.y(-graph.most) + 16, "text-anchor": "middle" }, move);
  }
}

function drawCursor() {
  if (!graph.cursor) return;
  const x = graph.x(now);
  const ends = { x1: x, x2: x, y1: graph.y(graph.most), y2: graph.y(-graph.most) };
  for (const [name, value] of Object.entries(ends)) graph.cursor.setAttribute(name, value);
  graph.now.setAttribute("cx", x);
  graph.now.setAttribute("cy", graph.y(game.score[now]));
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
for (const box of document.querySelectorAll("fieldset input")) box.addEventListener("change", () => drawBoard(now));
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

at("graph").addEventListener("pointerdown", (event) => {
  at("graph").setPointerCapture(event.pointerId);
  show(graph.move(event.clientX));
});
at("graph").addEventListener("pointermove", (event) => {
  if (event.buttons) show(graph.move(event.clientX));
});

const linked = () => Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? last);
for (const link of changes) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `#${link.dataset.move}`);
    show(linked());
  });
}
addEventListener("hashchange", () => show(linked()));
new ResizeObserver(drawGraph).observe(at("graph"));
drawGraph();
show(linked());
