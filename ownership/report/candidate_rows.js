"use strict";
// The rows of the moves that a search compares: letter, vertex, points lost, lead, win rate, visits, line.

const LONGEST_LINE = 10; // moves

// What fits into the mark of a candidate.
const lostText = (lost) => (lost ? `−${lost.toFixed(lost < 9.95 ? 1 : 0)}` : "0");

const rounded = (points) => Number(points.toFixed(1)) + 0;
const leadText = (score) => (Math.abs(score) < 0.05 ? "0" : `${score > 0 ? "B" : "W"}+${Math.abs(score).toFixed(1)}`);

// A colour's win rate, such as "W 53%"; a dash after a move that ends the game.
const rateText = (blackWins, colour) =>
  (blackWins === null ? "–" : `${colour > 0 ? "B" : "W"} ${percentText(colour > 0 ? blackWins : 1 - blackWins)}%`);

// The row of a move (see Review.rows) of a colour, whose steps are shown if `plies` of them are on the board; `showLine` is
// called with another number.
function candidateRow(row, side, colour, plies, showLine) {
  const line = row.line.slice(0, LONGEST_LINE).map((point) => vertexOf(point, side));
  const name = row.name || texts.played_move;
  const cell = (className, textContent) => element("span", { className, textContent });
  const vertex = cell("vertex", line[0]);
  if (row.isPlayed) vertex.append(" ", element("small", { textContent: texts.played_move }));
  const lost = row.lost ? say("points_lost", { points: row.lost.toFixed(1) }) : "0";
  const rate = rateText(row.black_wins, colour);
  const head = element("button", { className: "candidate" },
    element("b", { className: `level${row.level}${row.name ? "" : " ring"}`, textContent: row.name }), vertex,
    cell("number", lost), cell("number lead", leadText(row.score)), cell("number", rate), cell("number", row.visits ? grouped(row.visits) : "–"),
    cell("rest", line.slice(1).join(" ")));
  head.ariaLabel = say("candidate_text", { name, vertex: line[0], points: rounded(row.lost), rate, visits: row.visits });
  head.setAttribute("aria-expanded", plies > 0);
  head.addEventListener("click", () => showLine(plies ? 0 : 1));
  const item = element("li", {}, head);
  if (plies) item.append(lineSteps(line, plies, showLine));
  return item;
}

function lineSteps(line, plies, showLine) {
  return element("div", { className: "line" }, ...line.map((vertex, ply) => {
    const step = element("button", { textContent: vertex });
    step.setAttribute("aria-pressed", plies === ply + 1);
    step.addEventListener("click", () => showLine(plies === ply + 1 ? 0 : ply + 1));
    return step;
  }));
}
