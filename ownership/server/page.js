"use strict";
// Holds the game and asks the server about each position. Texts of records are set as text, never as markup.

const texts = JSON.parse(at("strings").textContent);
const grouped = (value) => (typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 6 }) : value);
const say = (name, values = {}) => texts[name].replace(/\{(\w+)\}/g, (_, key) => grouped(values[key]));
const colourName = (colour) => (colour > 0 ? texts.black : texts.white);
const isOn = (name) => at(name).checked;
const SETTLED = 250; // milliseconds at a position before all symmetries of the board are looked at
const SOON = 1000; // milliseconds within which the first answer is there, unless the server still compiles
const MOST_STATES = 1000;
const MOST_NAMED = 12; // points

let board = new Board(at("board").querySelector("svg"), 19);
const grid = new Grid(at("grid"), touch);
// What undo brings back. Claims are, for each number of moves, groups of points with a status: dead, alive or seki.
// The file is the one that the game with this number comes from.
let state = { game: emptyGame(19), now: 0, claims: {}, rules: "", komi: "", file: null, number: 1 };
let states = [];
let accepted = state;
let shown = null; // the answer that the board shows
let asking = new AbortController();
let ready = Promise.resolve(); // that the board shows the state
let touching = Promise.resolve(); // that all touches of the board have been acted on
const answers = new Map();

async function post(path, type, body, signal) {
  let response;
  try {
    response = await fetch(path, { method: "POST", headers: { "Content-Type": type }, body, signal });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Error(texts.unreachable);
  }
  if (!response.ok) throw new Error((await response.json()).error);
  return response;
}

const claimsNow = () => state.claims[state.now] ?? [];

function request() {
  const claims = claimsNow();
  const claimed = (status) =>
    claims.flatMap((claim) => (claim.status === status ? claim.points.map((point) => board.vertex(point)) : []));
  return {
    sgf: toSgf(state.game, {}, state.game.territory),
    move: state.now,
    ...(claims.length ? { dead: claimed("dead"), alive: claimed("alive"), seki: claimed("seki") } : {}),
    ...(state.rules ? { rules: state.rules } : {}),
    ...(state.komi === "" ? {} : { komi: /^[-+]?(\d+\.?\d*|\.\d+)$/.test(state.komi) ? Number(state.komi) : state.komi }),
  };
}

// An edit, which undo takes back.
function change(next) {
  states = [...states.slice(1 - MOST_STATES), state];
  return turnTo(next);
}

async function turnTo(next) {
  asking.abort();
  const isOther = next.game.side !== state.game.side;
  state = next;
  if (isOther) await fitBoard();
  await refresh();
}

async function fitBoard() {
  const { side } = state.game;
  const drawn = new DOMParser().parseFromString(await (await fetch(`board/${side}`)).text(), "image/svg+xml");
  const svg = document.adoptNode(drawn.documentElement);
  board.svg.replaceWith(svg);
  board = new Board(svg, side);
  grid.build(board);
}

// One look at the board comes first, while the user steps on; the mean over its symmetries is what counts.
async function refresh() {
  asking = new AbortController();
  const { signal } = asking;
  const asked = request();
  const key = JSON.stringify(asked);
  const known = answers.get(key);
  ready = attempt(async () => show(known ?? (await ask({ ...asked, symmetries: 1 }, signal))));
  await ready;
  if (known || signal.aborted) return;
  const average = async () => {
    const answer = await ask(asked, signal);
    if (answers.size > MOST_STATES) answers.clear();
    answers.set(key, answer);
    show(answer);
  };
  setTimeout(() => signal.aborted || state !== accepted || attempt(average), SETTLED);
}

// What the server refuses is taken back.
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.name === "AbortError") return;
    at("message").textContent = error.message;
    if (states.at(-1) === accepted) states.pop();
    if (state !== accepted) await turnTo(accepted);
  }
}

async function whenReady() {
  for (let waited = null; waited !== ready; await waited) waited = ready;
}

async function ask(asked, signal) {
  return (await post("score", "application/json", JSON.stringify(asked), signal)).json();
}

function show(answer) {
  if (state !== accepted) at("message").textContent = "";
  accepted = state;
  shown = answer;
  tell();
  draw();
}

function cells() {
  const colours = { X: 1, O: -1, ".": 0 };
  const [stones, owner] = [shown.stones, shown.owner].map((rows) => [...rows.join("")].map((mark) => colours[mark]));
  const sets = [shown.dead, shown.seki, shown.gaps, shown.unsettled].map((vertices) => new Set(vertices));
  const [dead, seki, gaps, unsettled] = sets;
  const inDoubt = new Set(shown.in_doubt.flatMap(({ points }) => points));
  return stones.map((stone, point) => {
    const vertex = board.vertex(point);
    const doubt = stone !== 0 && (inDoubt.has(vertex) || unsettled.has(vertex));
    const [isDead, inSeki, gap] = [dead, seki, gaps].map((vertices) => vertices.has(vertex));
    return { stone, owner: owner[point], dead: isDead, seki: inSeki, gap, doubt };
  });
}

function draw() {
  if (!shown) return;
  const { game, now } = state;
  const all = isOn("numbers") ? board.numbered(cells(), game.moves.slice(0, now)) : cells();
  board.clear();
  board.drawStones(all, isOn("ownership"));
  if (isOn("ownership")) {
    if (shown.finished) board.drawTerritory(all, true);
    else board.drawOwnership(all, shown.ownership.flat().map((value) => 100 * value));
  }
  if (isOn("ownership")) board.drawDead(all);
  if (isOn("numbers")) board.drawNumbers(all, now);
  else if (now) board.drawLast(all, game.moves[now - 1][1]);
  if (isOn("ownership") && shown.finished) board.drawDoubts(all);
  board.svg.classList.toggle("bare", !isOn("coordinates"));
  grid.label(all.map(pointText));
}

function tell() {
  const { game, now } = state;
  at("status").textContent = shown.verdict;
  at("reason").textContent = [shown.trust, ...details()].join(" ");
  at("points").textContent = pointsOfBoth();
  drawSheet();
  listGames();
  at("assumed").textContent = assumed(game);
  at("recorded").textContent = recorded();
  at("model").textContent = say("scored_by", { model: shown.model });
  at("played").textContent = played();
  at("comment").textContent = game.comments[now] ?? "";
  at("players").textContent = `${playerOf(game, "black")} – ${playerOf(game, "white")}`;
  at("circumstances").textContent = [game.name, game.date].filter(Boolean).join(" · ");
  const slider = at("slider");
  slider.max = game.moves.length;
  slider.value = now;
  slider.setAttribute("aria-valuetext", `${played()}. ${shown.verdict}`);
  at("rules").value = state.rules;
  if (document.activeElement !== at("komi")) at("komi").value = state.komi;
  at("komi").placeholder = shown.komi;
  at("to-move").value = mover(game, now);
  at("to-move").disabled = game.moves.length > 0;
  at("undo").disabled = states.length === 0;
  for (const name of ["sgf", "png", "report"]) at(`share-${name}`).disabled = false;
}

// The points that are connected with a point through points that `joins`.
function connected(point, joins) {
  const found = new Set([point]);
  for (const each of found) for (const other of beside(each)) if (joins(other)) found.add(other);
  return found;
}

function beside(point) {
  const { side, points } = board;
  const [column] = board.place(point);
  const found = [point - side, point + side];
  if (column > 0) found.push(point - 1);
  if (column < side - 1) found.push(point + 1);
  return found.filter((other) => other >= 0 && other < points);
}

// Whether a point is empty, or the chain on it has an empty point beside it.
function hasLiberty(point, stones) {
  if (!stones[point]) return true;
  const chain = connected(point, (other) => stones[other] === stones[point]);
  return [...chain].some((each) => beside(each).some((other) => !stones[other]));
}

// Touches wait for each other, as each builds on the board that the one before has left.
function touch(point) {
  const tool = document.querySelector("[name=tool]:checked").value;
  const next = () => act(tool, point);
  touching = touching.then(next, next);
}

async function act(tool, point) {
  await whenReady();
  if (!shown) return;
  if (tool === "judge") await judge(point);
  else if (tool === "play") play(point);
  else await setUp(point, { black: 1, white: -1, erase: 0 }[tool]);
}

function play(point) {
  const { game, now } = state;
  const vertex = board.vertex(point);
  const forbidden = cells()[point].stone ? "occupied" : shown.ko === vertex ? "ko" : null;
  if (!forbidden) return change({ ...state, game: withMove(game, now, point), now: now + 1 });
  at("message").textContent = say(`illegal_${forbidden}`, { move: now + 1, colour: colourName(mover(game, now)), vertex });
}

async function setUp(point, colour) {
  const stones = cells().map(({ stone }) => stone);
  if (!stones[point] && !colour) return;
  stones[point] = stones[point] === colour ? 0 : colour;
  if (!stones.every((_, each) => hasLiberty(each, stones))) {
    at("message").textContent = say("no_liberties", { colour: colourName(colour), vertex: board.vertex(point) });
    return;
  }
  const hadMoves = state.game.moves.length > 0;
  const next = { ...state, game: withStones(state.game, stones, mover(state.game, state.now)), now: 0, claims: {} };
  await change(next);
  if (hadMoves && accepted === next) at("message").textContent = texts.moves_dropped;
}

const statusOf = ({ dead, seki }) => (dead ? "dead" : seki ? "seki" : "alive");

async function judge(point) {
  const all = cells();
  if (!all[point].stone) return;
  const claim = claimsNow().find(({ points }) => points.includes(point)); // the count may show "alive" as seki
  const status = { alive: "dead", dead: "seki", seki: "alive" }[claim?.status ?? statusOf(all[point])];
  const points = claim?.points ?? groupAt(point, all);
  const others = claimsNow().filter((claim) => !claim.points.some((each) => points.includes(each)));
  const isOpen = !shown.finished;
  const marked = { ...state, claims: { ...state.claims, [state.now]: [...others, { points, status }] } };
  await change(marked);
  if (isOpen && shown.finished && accepted === marked) at("message").textContent = texts.counted_open;
}

// The stones of a colour and status that are connected through each other and empty points of one owner.
function groupAt(point, all) {
  const { stone, owner } = all[point];
  const area = connected(point, (other) => all[other].owner === owner && all[other].stone !== -stone);
  return [...area].filter((each) => all[each].stone === stone && statusOf(all[each]) === statusOf(all[point]));
}

function undo() {
  const last = states.pop();
  at("message").textContent = last ? "" : texts.nothing_to_undo;
  if (last) turnTo(last);
}

function choose(tool) {
  document.querySelector(`[name=tool][value=${tool}]`).checked = true;
}

const step = (by) => turnTo({ ...state, now: Math.max(0, Math.min(state.game.moves.length, state.now + by)) });

for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => step(Number(button.dataset.step)));
}
at("slider").addEventListener("input", () => step(Number(at("slider").value) - state.now));
at("undo").addEventListener("click", undo);
at("pass").addEventListener("click", () =>
  change({ ...state, game: withMove(state.game, state.now, board.points), now: state.now + 1 }));
at("rules").addEventListener("change", () => change({ ...state, rules: at("rules").value }));
at("komi").addEventListener("change", () => change({ ...state, komi: at("komi").value.trim().replace(",", ".") }));
at("to-move").addEventListener("change", () =>
  change({ ...state, game: { ...state.game, to_move: Number(at("to-move").value) } }));
for (const name of ["ownership", "coordinates", "numbers"]) at(name).addEventListener("change", draw);
at("new").addEventListener("click", () => {
  const side = Number(at("side").value);
  if (Number.isInteger(side) && side >= 2 && side <= 25) {
    at("message").textContent = "";
    choose("play");
    change({ ...state, game: emptyGame(side), now: 0, claims: {}, file: null });
  } else at("message").textContent = texts.board_side_wrong;
});
at("side").addEventListener("keydown", ({ key }) => key === "Enter" && at("new").click());

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
addEventListener("keydown", (event) => {
  if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "z") {
    event.preventDefault();
    undo();
  } else if (event.key in KEYS && !event.ctrlKey && !event.altKey && !event.metaKey) {
    event.preventDefault();
    step(KEYS[event.key] * (event.shiftKey ? 10 : 1));
  }
});

setTimeout(() => {
  if (!shown) at("status").textContent = texts.getting_ready;
}, SOON);
grid.build(board);
refresh();
