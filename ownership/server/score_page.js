"use strict";
// Holds the game and shows it. Texts of records are set as text, never as markup.

const SETTLED = 250; // milliseconds at a position before all symmetries of the board are looked at
const SOON = 1000; // milliseconds within which the first answer is there, unless the server still compiles
const MOST_STATES = 1000;
const MOST_LIKELY = 5; // moves

let board = new Board(at("board").querySelector("svg"), 19);
const grid = new Grid(at("grid"), touch);
// What undo brings back. Lines are games: the record, or what was set up, and the reader's own variations of it. Claims
// are, for each line and number of moves, groups of points with a status: dead, alive or seki. The file is the one that
// the game with this number comes from.
let state = {
  lines: [emptyGame(19)], line: 0, now: 0, claims: {}, rules: "", komi: "", prisoners: { black: 0, white: 0 },
  file: null, number: 1,
};
let states = [];
let accepted = state;
let shown = null; // the answer that the board shows
const NO_LINE = { index: 0, plies: 0, isWhy: false };
let shownLine = NO_LINE; // a candidate or a line of the group that was asked about, and how many of its moves are shown
let wanted = null; // the view that the reader chose
let asking = new AbortController(); // what ends the requests about the position that is shown
let ready = Promise.resolve(); // that the board shows the state
let touching = Promise.resolve(); // that all touches of the board have been acted on
const answers = new Map();

const gameNow = () => state.lines[state.line];
const place = () => `${state.line}/${state.now}`;
const claimsNow = () => state.claims[place()] ?? [];
const withGame = (game) => ({ ...state, lines: state.lines.with(state.line, game) });

// Shows a message, in the open dialog too.
function tell(message) {
  at("message").textContent = message;
  for (const each of document.querySelectorAll("dialog .message")) each.textContent = each.closest("dialog").open ? message : "";
}

// The state that begins with a game and its variations.
const opened = (lines, now, file = null, number = 1) => ({
  lines, line: 0, now, claims: {}, rules: "", komi: "", prisoners: { black: 0, white: 0 }, file, number,
});

// An edit, which undo takes back.
function change(next) {
  states = [...states.slice(1 - MOST_STATES), state];
  return turnTo(next);
}

async function turnTo(next) {
  asking.abort();
  const isOther = next.lines[next.line].side !== gameNow().side;
  state = next;
  shownLine = NO_LINE;
  forgetWhy();
  if (isOther) await fitBoard();
  await refresh();
}

async function fitBoard() {
  const { side } = gameNow();
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
  const known = answers.get(JSON.stringify(asked));
  ready = attempt(async () => show(known ?? (await score({ ...asked, symmetries: 1 }, signal))));
  await ready;
  if (signal.aborted) return;
  setTimeout(() => signal.aborted || state !== accepted || attempt(() => settle(known, asked, signal)), SETTLED);
}

async function settle(known, asked, signal) {
  if (!known) {
    const answer = await score(asked, signal);
    keepAnswer(asked, answer);
    show(answer);
    keepCountShown();
  }
  await searchShown(signal);
  await askStakes(signal);
  await searchOn(signal);
}

function keepAnswer(asked, answer) {
  if (answers.size > MOST_STATES) answers.clear();
  answers.set(JSON.stringify(asked), answer);
}

// What the server refuses is taken back.
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.name === "AbortError") return;
    tell(error.message);
    if (states.at(-1) === accepted) states.pop();
    if (state !== accepted) await turnTo(accepted);
  }
}

async function whenReady() {
  for (let waited = null; waited !== ready; await waited) waited = ready;
}

function show(answer) {
  if (state !== accepted) tell("");
  accepted = state;
  shown = answer;
  if (reviewing && !isHere(reviewing.end)) endReview(); // its game, or how that is counted, is another
  describe();
  draw();
  keepState();
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

function positionNow() {
  const review = reviewNow();
  const [game, now] = [gameNow(), state.now];
  return {
    cells: cells(),
    ownership: percentages(shown.ownership),
    before: ownershipBefore(),
    finished: shown.finished,
    moves: game.moves.slice(0, now),
    played: review.played(now),
    next: review.next(now),
    marks: game.marks[now],
    candidates: review.candidates(now, mover(game, now)),
    likely: nextMoves(),
    settled: settledNow(),
  };
}

const nextMoves = () =>
  (shown.next_moves ?? []).slice(0, MOST_LIKELY).map(([vertex, probability]) => [pointOf(vertex, board.side), probability]);

const percentages = (rows) => rows.flat().map((value) => 100 * value);

function draw() {
  if (!shown) return;
  const position = positionNow();
  const look = lookOf(position, wanted);
  const line = lineShown().length ? lineShown() : lineBelow();
  if (line.length) drawLine(board, position.cells.map(({ stone }) => stone), line, look);
  else {
    drawPosition(board, position, look);
    drawStakes();
  }
  grid.label(position.cells, `${played()}. ${verdict()}`);
  graph.point(state.now);
  outline();
}

function undo() {
  const last = states.pop();
  tell(last ? "" : texts.nothing_to_undo);
  if (last) turnTo(last);
}

function choose(tool) {
  document.querySelector(`[name=tool][value=${tool}]`).checked = true;
  toolChosen();
}

const go = (now) => turnTo({ ...state, now: Math.max(0, Math.min(gameNow().moves.length, now)) });

followSteps(() => state.now, go, undo);
at("undo").addEventListener("click", undo);
for (const name of ["coordinates", "numbers", "shades"]) at(name).addEventListener("change", draw);
for (const each of document.querySelectorAll("[name=view]")) {
  each.addEventListener("change", () => {
    wanted = each.value;
    if (wanted === "candidates" && asksStatus() && !shown?.finished) choose("play"); // a tap on a candidate plays it
    keepState();
    draw();
    searchShown(asking.signal);
  });
}
for (const button of document.querySelectorAll("[data-dialog]")) {
  button.addEventListener("click", () => {
    const dialog = at(button.dataset.dialog);
    dialog.querySelector(".message")?.replaceChildren();
    dialog.showModal();
  });
}
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
}
for (const button of document.querySelectorAll(".close")) button.addEventListener("click", () => closeDialogs());
const closeDialogs = () => document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());

setTimeout(() => {
  if (!shown) at("status").textContent = texts.getting_ready;
}, SOON);
grid.build(board);
ready = showKept();
