"use strict";
// The review of the game, while the server searches its positions; it ends when the reader leaves.

const VISITS = 50; // of each position
const MOST_SEARCHED = 10_000; // positions that are kept
const searched = new Map(); // positions that were searched, by the moves that lead to them
const keys = new WeakMap();
let noise = 3;
let accuracy = null; // of both players, once all positions are searched, with the key of the game's end and its SGF
let reviewing = null; // the review that goes on: what ends it, and the key of the game's end
let looking = new AbortController(); // what ends the look at all positions
let isDrawing = false;

const graph = new Graph(at("graph"), (now) => go(now), (number) => lists.go(number - 1));
const lists = new ReviewLists(
  async (now) => {
    wanted = "candidates";
    choose("play");
    await go(now);
    if (state.now === now) tell(lists.sentence(reviewNow(), now));
  },
  (index, plies) => {
    shownLine = { index, plies };
    showReview();
    draw();
  },
);

// The key of each position of a game: how it is counted and begins, and the moves up to there.
function positionKeys(game) {
  if (!keys.has(game)) {
    const start = JSON.stringify([game.side, game.black_stones, game.white_stones, game.to_move, game.komi, game.rules]);
    const found = [start];
    for (const move of game.moves) found.push(`${found.at(-1)} ${move}`);
    keys.set(game, found);
  }
  const { rules, komi, prisoners } = state;
  const chosen = `${rules} ${komi} ${prisoners.black} ${prisoners.white} `;
  return keys.get(game).map((key) => chosen + key);
}

const isHere = (key) => state.lines.some((game) => positionKeys(game).at(-1) === key);

function reviewNow() {
  const game = gameNow();
  return new Review(game.side, game.moves, positionKeys(game).map((key) => searched.get(key)), noise);
}

// Whether the last two moves that are shown are passes.
const isOver = () =>
  gameNow().moves.slice(0, state.now).slice(-2).filter(([, point]) => point >= board.points).length === 2;

// The moves of a candidate's line that the board shows.
function lineShown() {
  const colour = mover(gameNow(), state.now);
  const line = reviewNow().best(state.now, colour)[shownLine.index]?.line.slice(0, shownLine.plies) ?? [];
  return line.map((point, index) => [index % 2 ? -colour : colour, point]);
}

// The record with its review, if the whole game was searched as it is counted now.
const analysisNow = () => (accuracy?.end === positionKeys(state.lines[0]).at(-1) ? accuracy.sgf ?? null : null);

function showReview() {
  const review = reviewNow();
  graph.set(review.graph());
  const players = accuracy && isHere(accuracy.end) ? accuracy.players : null;
  lists.show(review, state.now, mover(gameNow(), state.now), shownLine, players !== null);
  lists.list("accuracy", players, () => [accuracyTable(players)]);
  if (reviewing && at("next-mistake").disabled) at("next-mistake").textContent = texts.searching;
  const isReviewed = reviewing !== null || players !== null;
  at("review-game").hidden = isReviewed || !gameNow().moves.length;
  at("next-mistake").hidden = !isReviewed;
  at("share-analysis").hidden = !analysisNow();
}

// What the server finds about a position, with points as numbers.
function keepFound(side, key, { candidates, ownership, ...rest }) {
  const point = (vertex) => pointOf(vertex, side);
  const found = {
    ...rest,
    candidates: candidates.map(({ vertex, score, line }) => ({ point: point(vertex), score, line: line.map(point) })),
  };
  if (!(searched.get(key)?.visits > found.visits)) searched.set(key, found);
  return found;
}

function takeIn(side, names, found) {
  if (found.kind === "error") throw new Error(found.error);
  if (found.kind === "game") ({ noise } = found);
  else if (found.kind !== "pass") keepFound(side, names[found.move], found);
  else if (found.visits > 1) accuracy = { players: found.players, end: names.at(-1), sgf: found.sgf };
}

async function* linesOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean);
    if (done) return;
  }
}

// Goes through the game; the first time with the network alone, for the graph.
async function goThrough(visits, signal) {
  const game = gameNow();
  const names = positionKeys(game);
  const body = JSON.stringify({ ...terms(game), sgf: recordOf(game), visits });
  const response = await post("review", JSON_TYPE, body, signal);
  for await (const line of linesOf(response)) {
    takeIn(game.side, names, JSON.parse(line));
    showSoon();
  }
}

async function reviewGame() {
  endReview();
  const review = { ending: new AbortController(), end: positionKeys(gameNow()).at(-1) };
  reviewing = review;
  showSoon();
  await goThrough(VISITS, review.ending.signal).catch((error) => error.name === "AbortError" || tell(error.message));
  if (reviewing === review) endReview();
}

// The graph of a game that was opened.
function drawGraph() {
  looking.abort();
  looking = new AbortController();
  goThrough(1, looking.signal).catch(() => {}); // the graph stays empty
}

function endReview() {
  reviewing?.ending.abort();
  reviewing = null;
  showSoon();
}

// Not more often than the screen is drawn.
function showSoon() {
  if (isDrawing || !shown) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    showReview();
    draw();
    keep("found");
  });
}

async function search(now) {
  const game = gameNow();
  const key = positionKeys(game)[now];
  const known = searched.get(key);
  if (known?.candidates.length) return known;
  const body = JSON.stringify({ ...terms(game), move: now, visits: VISITS });
  return keepFound(game.side, key, await (await post("candidates", JSON_TYPE, body, asking.signal)).json());
}

// Searches the position that is shown if the reader wants to see candidates, and no review comes to it.
async function searchShown(signal) {
  if (wanted !== "candidates" || reviewing || signal.aborted || state !== accepted) return;
  if (searched.get(positionKeys(gameNow())[state.now])?.visits > 1 || isOver()) return;
  await search(state.now).then(showSoon, (error) => error.name === "AbortError" || tell(error.message));
}

at("review-game").addEventListener("click", reviewGame);
