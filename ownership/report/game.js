"use strict";
// Shows one position of the game at a time. Whatever comes from the record is set as text, never as markup.

const data = JSON.parse(at("game").textContent);
const { side, moves } = data;
const last = moves.length;
const points = side * side;
const ownership = Int8Array.from(atob(data.ownership), (letter) => letter.charCodeAt(0));
const board = new Board(at("board").querySelector("svg"), side);
const review = new Review(side, moves, data.found, data.noise, data.risks);
const isReviewed = data.players !== null;
let now = last;
let wanted = isReviewed ? "candidates" : null;
let shownLine = { index: 0, plies: 0 }; // the candidate, and how many moves of its line the board shows

const tell = (message) => (at("message").textContent = message);
const graph = new Graph(at("graph"), (move) => go(move), (number) => lists.go(number - 1));
const grid = new Grid(at("grid"), (point) => tell(grid.buttons[point].ariaLabel));
const lists = new ReviewLists(
  (move) => {
    history.replaceState(null, "", `#${move}`);
    wanted = "candidates";
    go(move);
    tell(lists.sentence(review, move));
  },
  (index, plies) => {
    shownLine = { index, plies };
    show();
  },
);

// One letter a point: stone + 1, + 3 if dead, + 6 * (owner + 1), + 18 if in seki, in base 36.
function cellsAfter(move) {
  return Array.from(data.boards.slice(move * points, (move + 1) * points), (letter) => {
    const code = parseInt(letter, 36);
    const dead = Math.floor(code / 3) % 2 === 1;
    return { stone: (code % 3) - 1, dead, owner: (Math.floor(code / 6) % 3) - 1, seki: code >= 18 };
  });
}

const ownershipAfter = (move) => Array.from(ownership.subarray(move * points, (move + 1) * points));
const toMove = () => (now ? -moves[now - 1][0] : data.to_move);

function positionNow() {
  return {
    cells: cellsAfter(now),
    ownership: ownershipAfter(now),
    before: now ? ownershipAfter(now - 1) : null,
    finished: data.counted[now],
    moves: moves.slice(0, now),
    played: review.played(now),
    next: review.next(now),
    candidates: review.candidates(now, toMove()),
    likely: data.policy[now].map(([point, percent]) => [point, percent / 100]),
    settled: data.settled_maps.slice(now * points, (now + 1) * points),
  };
}

function lineShown() {
  const line = review.rows(now, toMove())[shownLine.index]?.line.slice(0, shownLine.plies) ?? [];
  return line.map((point, index) => [index % 2 ? -toMove() : toMove(), point]);
}

function describe() {
  at("status").textContent = data.verdicts[now];
  at("played").textContent = playedText(moves, now, side);
  const outlook = () => [chanceText(data.found[now].black_wins), intervalText(data.found[now]), ...settledText()].join(" ");
  at("reason").textContent = data.counted[now] ? data.trust : outlook();
  at("comment").textContent = data.comments[now] ?? "";
  at("slider").value = now;
  at("slider").setAttribute("aria-valuetext", said());
}

const said = () => `${at("played").textContent}. ${at("status").textContent}`;
const settledText = () =>
  data.settled.map((percent) => say(wanted === "settled" ? "settled_map" : "settled", { percent })).slice(now, now + 1);
const intervalText = ({ low, high }) => say("interval", { low: leadText(low), high: leadText(high) });

function show() {
  const position = positionNow();
  const look = lookOf(position, wanted);
  const line = lineShown();
  describe();
  if (line.length) drawLine(board, position.cells.map(({ stone }) => stone), line, look);
  else drawPosition(board, position, look);
  lists.show(review, now, toMove(), shownLine, isReviewed);
  if (data.changes) listChanges();
  grid.label(position.cells, said());
  at("diagram").textContent = board.diagram(position.cells);
  graph.point(now);
}

// The moves that changed the ownership most, in the place of the mistakes.
function listChanges() {
  at("mistakes-heading").hidden = false;
  at("mistakes-heading").textContent = texts.changes_heading;
  at("noise").hidden = false;
  at("noise").textContent = texts.changes_note;
  at("mistakes").replaceChildren(...data.changes.map(([number, changed, gain]) => {
    const button = element("button", { className: "mistake" },
      element("b", { textContent: number }),
      element("span", { textContent: moveName(moves[number - 1], side) }),
      element("span", { className: "number", textContent: say("points_change", { points: changed.toFixed(1) }) }),
      element("span", { className: "soft", textContent: say("gain", { points: Math.abs(gain), colour: colourName(gain) }) }));
    button.dataset.move = number;
    if (number === now) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => {
      history.replaceState(null, "", `#${number}`);
      wanted = "change";
      go(number);
    });
    return element("li", {}, button);
  }));
}

function go(move) {
  now = Math.max(0, Math.min(last, move));
  shownLine = { index: 0, plies: 0 };
  tell("");
  show();
}

// The number of moves in the link; without one a review opens before the largest mistake, another page at the end.
function linked() {
  const number = /^#(\d+)$/.exec(location.hash)?.[1];
  if (number !== undefined) return Number(number);
  return isReviewed && review.mistakes().length ? review.mistakes()[0] - 1 : last;
}

grid.build(board);
followSteps(() => now, go);
for (const each of document.querySelectorAll("[name=view]")) {
  each.addEventListener("change", () => {
    wanted = each.value;
    shownLine = { index: 0, plies: 0 };
    show();
  });
}
for (const name of ["coordinates", "numbers", "shades"]) at(name).addEventListener("change", show);
addEventListener("hashchange", () => go(linked()));
at("accuracy").replaceChildren(accuracyTable(data.players));
const showGraph = () => graph.set({ ...review.graph(graphUnit()), settled: data.settled });
switchGraph(showGraph);
showGraph();
go(linked());
