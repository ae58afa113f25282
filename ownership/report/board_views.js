"use strict";
// What the board shows of a position: one view at a time.

// A position has cells (see Board); ownership in percent, and that of the position before, or null; whether it is
// counted; the moves that led to it, pairs of a colour and a point; what each of these lost, and what the next one in
// the game loses, as { point, level } of those that are known; candidates, null where it was not searched; likely next
// moves, pairs of a point and a probability; the map of what is settled, or null; and perhaps the record's marks.
function drawPosition(board, position, look) {
  const { moves } = position;
  const hasDead = look.view === "ownership" || look.view === "territory";
  const plain = hasDead ? position.cells : position.cells.map((cell) => ({ ...cell, dead: false, seki: false }));
  const cells = look.numbers ? board.numbered(plain, moves) : plain;
  board.clear();
  board.drawStones(cells);
  if (look.hasShades && position.ownership) board.drawOwnership(cells, position.ownership);
  if (look.view === "territory") board.drawTerritory(cells, position.finished);
  if (look.view === "settled" && position.settled) board.drawSettled(position.settled);
  if (look.view === "change" && position.before) board.drawOwnership(cells, changes(position), true);
  if (hasDead) board.drawDead(cells);
  if (look.numbers) board.drawNumbers(cells, moves.length);
  else if (moves.length) board.drawLast(cells, moves.at(-1)[1]);
  board.drawMarks(cells, position.marks ?? {});
  if (look.view === "candidates") drawMoves(board, position, cells);
  if (hasDead && position.finished) board.drawDoubts(cells);
  board.svg.classList.toggle("bare", !look.coordinates);
}

function drawMoves(board, { played, next, candidates, likely }, cells) {
  for (const { point, level } of played) if (level && cells[point]?.stone) board.drawLoss(point, level);
  if (candidates) board.drawCandidates(candidates);
  else board.drawLikely(likely);
  if (next) board.drawLoss(next.point, next.level);
}

const changes = ({ ownership, before }) =>
  ownership.map((value, point) => Math.max(-100, Math.min(100, value - before[point])));

// The board after some moves of a line, numbered from 1.
function drawLine(board, stones, line, look) {
  const after = afterMoves(stones, board.side, line).map((stone) => ({ stone }));
  const cells = board.numbered(after, line);
  board.clear();
  board.drawStones(cells);
  board.drawNumbers(cells, line.length);
  board.svg.classList.toggle("bare", !look.coordinates);
}

// The view that the reader wants, by default territory of counted positions and ownership of others, and what else is
// shown on the board.
function lookOf(position, wanted) {
  const view = wanted ?? (position.finished ? "territory" : "ownership");
  for (const each of document.querySelectorAll("[name=view]")) each.checked = each.value === view;
  const hasShades = view === "ownership" || (view === "candidates" && at("shades").checked);
  return { view, hasShades, numbers: at("numbers").checked, coordinates: at("coordinates").checked };
}
