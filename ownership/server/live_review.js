"use strict";
// What searches have found about the positions of all games, and the review of the game that is shown.

const MOST_SEARCHED = 10_000; // positions that are kept
const searched = new Map(); // positions that were searched, by the moves that lead to them
const keys = new WeakMap();
let noise = 3;
let accuracy = null; // of both players, once all positions are searched, with the key of the game's end and its SGF
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
    shownLine = { index, plies, isWhy: false };
    showWhy();
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
  const [found, risks] = [searched, staked].map((known) => positionKeys(game).map((key) => known.get(key)));
  return new Review(game.side, game.moves, found, noise, risks.map((stakes) => stakes?.risk));
}

// Whether the last two moves that are shown are passes.
const isOver = () =>
  gameNow().moves.slice(0, state.now).slice(-2).filter(([, point]) => point >= board.points).length === 2;

// The moves of a line that the board shows, pairs of a colour and a point.
function lineShown() {
  const line = shownLine.isWhy ? whyLine(shownLine.index) : candidateLine(shownLine.index);
  return line.slice(0, shownLine.plies);
}

function candidateLine(index) {
  const colour = mover(gameNow(), state.now);
  const line = reviewNow().rows(state.now, colour)[index]?.line ?? [];
  return line.map((point, ply) => [ply % 2 ? -colour : colour, point]);
}

// The record with its review, if the whole game was searched as it is counted now.
const analysisNow = () => (accuracy?.end === positionKeys(state.lines[0]).at(-1) ? accuracy.sgf ?? null : null);

function showReview() {
  const review = reviewNow();
  const players = accuracy && isHere(accuracy.end) ? accuracy.players : null;
  graph.set(review.graph(graphUnit()), reviewing?.isBegun ? reviewing.move : null);
  lists.show(review, state.now, mover(gameNow(), state.now), shownLine.isWhy ? NO_LINE : shownLine, players !== null);
  lists.list("accuracy", players, () => [accuracyTable(players)]);
  showButtons(players !== null);
  showDeeper();
  at("share-analysis").hidden = !analysisNow();
}

// What the server finds about a position, with points as numbers. Deeper searches replace others; the points that the last
// move lost stay, as they compare two searches of one depth.
function keepFound(side, key, { candidates, ownership, ...rest }) {
  const point = (vertex) => pointOf(vertex, side);
  const known = searched.get(key);
  const moves = candidates.map(({ vertex, line, ...each }) => ({ ...each, point: point(vertex), line: line.map(point) }));
  const found = { lost: known?.lost, ...rest, candidates: moves };
  if (!(known?.visits > found.visits)) searched.set(key, found);
  return found;
}

// Not more often than the screen is drawn.
function showSoon() {
  if (isDrawing || !shown) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    if (state === accepted) describeScore();
    showReview();
    draw();
    keep("found");
  });
}

switchGraph(showReview);
