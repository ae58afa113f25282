"use strict";
// Chains and captures, on boards as flat lists of colours: 1 Black, -1 White, 0 none.

// The points that are connected with a point through points that `joins`.
function connected(point, side, joins) {
  const found = new Set([point]);
  for (const each of found) for (const other of beside(each, side)) if (joins(other)) found.add(other);
  return found;
}

function beside(point, side) {
  const found = [point - side, point + side];
  if (point % side > 0) found.push(point - 1);
  if (point % side < side - 1) found.push(point + 1);
  return found.filter((other) => other >= 0 && other < side * side);
}

// Whether a point is empty, or the chain on it has an empty point beside it.
function hasLiberty(point, side, stones) {
  if (!stones[point]) return true;
  const chain = connected(point, side, (other) => stones[other] === stones[point]);
  return [...chain].some((each) => beside(each, side).some((other) => !stones[other]));
}

// The stones after moves, pairs of a colour and a point, whose legality is not checked.
function afterMoves(stones, side, moves) {
  const now = [...stones];
  for (const [colour, point] of moves) {
    if (point >= now.length) continue;
    now[point] = colour;
    for (const other of [...beside(point, side), point]) {
      if (now[other] !== (other === point ? colour : -colour) || hasLiberty(other, side, now)) continue;
      for (const taken of connected(other, side, (each) => now[each] === now[other])) now[taken] = 0;
    }
  }
  return now;
}
