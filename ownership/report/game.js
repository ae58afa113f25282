"use strict";
// Shows one move of the game at a time. Whatever comes from the record is set as text, never as markup.

const game = JSON.parse(document.getElementById("game").textContent);
const { side, moves } = game;
const last = moves.length;
const points = side * side;
const ownership = Int8Array.from(atob(game.ownership), (letter) => letter.charCodeAt(0));
const at = (id) => document.getElementById(id);
const svg = at("board").querySelector("svg");
const layer = (name) => svg.querySelector(`.${name}`);
const slider = at("slider");
const changes = [...document.querySelectorAll("#changes a")];
const STONE = { 1: ["#1c1c1e", "#000000"], "-1": ["#fbfaf6", "#55524c"] };
const OWNER = { 1: "#2f6bdc", "-1": "#d1361f" };
let now = last;

function shape(parent, tag, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

const place = (point) => [point % side, Math.floor(point / side)];
const vertex = (point) =>
  point >= points ? "pass" : "ABCDEFGHJKLMNOPQRSTUVWXYZ"[point % side] + (side - Math.floor(point / side));
const colourName = (colour) => (colour > 0 ? "Black" : "White");
const lead = (score) => (score === 0 ? "0" : `${score > 0 ? "B" : "W"}+${Math.abs(score)}`);
const isOn = (name) => at(name) !== null && at(name).checked;

// One letter a point: stone + 1, + 3 if dead, + 6 * (owner + 1), + 18 if in seki, in base 36.
function board(move) {
  return Array.from(game.boards.slice(move * points, (move + 1) * points), (letter) => {
    const code = parseInt(letter, 36);
    const dead = Math.floor(code / 3) % 2 === 1;
    return { stone: (code % 3) - 1, dead, owner: (Math.floor(code / 6) % 3) - 1, seki: code >= 18 };
  });
}

function drawStones(cells) {
  layer("stones").replaceChildren();
  cells.forEach(({ stone, dead }, point) => {
    if (!stone) return;
    const [cx, cy] = place(point);
    const [fill, stroke] = STONE[stone];
    const opacity = dead && isOn("territory") ? 0.5 : 1;
    shape(layer("stones"), "circle", { cx, cy, r: 0.46, fill, stroke, opacity });
  });
}

function drawOwnership(move) {
  for (let point = 0; point < points; point++) {
    const value = ownership[move * points + point] / 100;
    if (Math.abs(value) <= 0.06) continue;
    const [x, y] = place(point);
    const size = 0.62 * Math.abs(value);
    const box = { x: x - size / 2, y: y - size / 2, width: size, height: size };
    shape(layer("values"), "rect", { ...box, fill: OWNER[Math.sign(value)], "stroke-width": 0.08 * size });
  }
}

function drawTerritory(cells) {
  cells.forEach(({ stone, dead, owner, seki }, point) => {
    const [x, y] = place(point);
    if (owner && (!stone || dead)) {
      const [fill, stroke] = STONE[owner];
      const box = { x: x - 0.17, y: y - 0.17, width: 0.34, height: 0.34 };
      shape(layer("values"), "rect", { ...box, fill, stroke, "stroke-width": 0.04 });
    } else if (!stone && game.counted[now]) {
      shape(layer("values"), "path", { d: `M${x} ${y - 0.2}l.2 .2-.2 .2-.2-.2z`, fill: "#7a4d9e", stroke: "none" });
    } else if (seki) {
      shape(layer("values"), "circle", { cx: x, cy: y, r: 0.25, fill: "none", stroke: "#7a4d9e", "stroke-width": 0.1 });
    }
  });
}

function drawPolicy(move) {
  const likely = game.policy[move].filter(([point]) => point < points);
  const most = Math.max(...likely.map(([, percent]) => percent));
  for (const [point, percent] of likely) {
    const [x, y] = place(point);
    shape(layer("marks"), "circle", { cx: x, cy: y, r: 0.22 + 0.26 * Math.sqrt(percent / most), fill: "#1d7a56" });
    const look = { x, y: y + 0.15, "font-size": 0.42, "text-anchor": "middle", fill: "#fff", "font-weight": "bold" };
    shape(layer("marks"), "text", look, percent);
  }
}

function drawDead(cells) {
  const crosses = cells
    .map(({ dead }, point) => (dead ? `M${place(point)[0] - 0.3} ${place(point)[1] - 0.3}l.6 .6m0-.6l-.6 .6` : ""))
    .join("");
  shape(layer("marks"), "path", { d: crosses, stroke: "#000", "stroke-width": 0.17 });
  shape(layer("marks"), "path", { d: crosses, stroke: "#ffd23f", "stroke-width": 0.09 });
}

function drawNumbers(cells, move) {
  const numbers = new Map(moves.slice(0, move).map(([, point], index) => [point, index + 1]));
  for (const [point, number] of numbers) {
    if (point >= points || !cells[point].stone) continue;
    const [cx, cy] = place(point);
    const [fill] = STONE[cells[point].stone];
    shape(layer("marks"), "circle", { cx, cy, r: 0.43, fill });
    const size = number > 99 ? 0.4 : 0.5;
    const ink = number === move ? OWNER[-1] : STONE[-cells[point].stone][0];
    const look = { x: cx, y: cy + size * 0.36, "font-size": size, "text-anchor": "middle", fill: ink };
    shape(layer("marks"), "text", number === move ? { ...look, "font-weight": "bold" } : look, number);
  }
}

function drawLast(cells, move) {
  const point = move ? moves[move - 1][1] : points;
  if (point >= points || !cells[point].stone) return;
  const [cx, cy] = place(point);
  const stroke = STONE[-cells[point].stone][0];
  shape(layer("marks"), "circle", { cx, cy, r: 0.38, fill: "none", stroke, "stroke-width": 0.07 });
}

function drawBoard(move) {
  const cells = board(move);
  layer("values").replaceChildren();
  layer("marks").replaceChildren();
  drawStones(cells);
  if (isOn("ownership")) drawOwnership(move);
  if (isOn("territory")) drawTerritory(cells);
  if (isOn("ownership") || isOn("territory")) drawDead(cells);
  if (isOn("numbers")) drawNumbers(cells, move);
  else drawLast(cells, move);
  if (isOn("policy")) drawPolicy(move);
  svg.classList.toggle("bare", !isOn("coordinates"));
  svg.setAttribute("aria-label", `${side} by ${side} board after move ${move}. ${at("status").textContent}`);
  at("diagram").textContent = diagram(cells);
}

function diagram(cells) {
  const letters = " " + Array.from({ length: side }, (_, column) => ` ${vertex(column)[0]}`).join("");
  const mark = ({ stone, dead }) => (stone ? (dead ? "ox" : "OX")[(stone + 1) / 2] : ".");
  const rows = Array.from({ length: side }, (_, row) => {
    const line = cells.slice(row * side, (row + 1) * side).map(mark).join(" ");
    return `${String(side - row).padStart(2)} ${line} ${side - row}`;
  });
  return [` ${letters}`, ...rows, ` ${letters}`].join("\n");
}

function tell(move) {
  const played = move ? `${colourName(moves[move - 1][0])} ${vertex(moves[move - 1][1])}` : "the start";
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
