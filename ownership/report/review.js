"use strict";
// What searches found about the positions of a game.

const MOST_MISTAKES = 10; // in the list
const PLAIN = 2; // level from which a mistake is marked in any case

// A found position has visits, score, low, high and black_wins (null where it is counted), Black's; candidates as { point,
// visits, score, black_wins, line }, the best first, none where it was not searched or is counted; and perhaps the points
// that the last move lost. Moves are pairs of a colour and a point. Risks are, by the number of moves before it, what a move
// put in danger, where that is known (docs/serve.md).
class Review {
  constructor(side, moves, found, noise, risks) {
    Object.assign(this, { side, moves, found, noise, risks });
  }

  // The points that a move, by its number from 1, lost; null where a position is missing.
  lost(number) {
    const [before, after] = [this.found[number - 1], this.found[number]];
    if (!before?.candidates.length || !after) return null;
    return after.lost ?? (after.visits !== 1 ? Math.max(0, this.moves[number - 1][0] * (before.score - after.score)) : null);
  }

  level(lost) {
    return [1, 2, 4].filter((times) => lost >= times * this.noise).length;
  }

  isMistake(number) {
    const lost = this.lost(number);
    return lost >= this.noise && lost > 0 && this.found[number - 1].candidates[0].point !== this.moves[number - 1][1];
  }

  // The numbers of the mistakes of a colour, by default of both, the largest first.
  mistakes(colour = 0) {
    const all = this.moves.map((_, index) => index + 1);
    const numbers = all.filter((number) => this.moves[number - 1][0] !== -colour && this.isMistake(number));
    return numbers.sort((one, other) => this.lost(other) - this.lost(one));
  }

  // The mistakes that board and graph mark: the largest ones, and all that are plain.
  marked() {
    return this.mistakes().filter((number, index) => index < MOST_MISTAKES || this.level(this.lost(number)) >= PLAIN);
  }

  // The move that the search prefers after some moves, and the other moves that keep most points, with letters and the
  // points that they lose compared with the first; null where none were searched.
  candidates(ply, toMove) {
    const found = this.found[ply];
    if (!(found?.visits > 1)) return null;
    const played = this.playedMove(ply);
    return shownCandidates(found.candidates, toMove).map((each, index) => {
      const isPlayed = each.point === played?.point;
      const lost = index ? Math.max(0, toMove * (found.candidates[0].score - each.score)) : 0;
      const shown = isPlayed && index ? played : { ...each, isPlayed, lost, level: this.level(lost) };
      return { ...shown, name: "ABCDE"[index] };
    });
  }

  // The move of the game after some moves, as a candidate, with what the search of the position after it found; null
  // where that is not known.
  playedMove(ply) {
    const next = this.next(ply);
    if (!next) return null;
    const { visits, score, black_wins, candidates } = this.found[ply + 1];
    return { ...next, name: "", isPlayed: true, visits, score, black_wins, line: [next.point, ...(candidates[0]?.line ?? [])] };
  }

  // The candidates, and the move of the game unless it is one of them.
  rows(ply, toMove) {
    const rows = this.candidates(ply, toMove) ?? [];
    const played = rows.length && !rows.some(({ isPlayed }) => isPlayed) ? this.playedMove(ply) : null;
    return played ? [...rows, played] : rows;
  }

  // What the marked moves up to a number lost.
  played(ply) {
    const numbers = this.marked().filter((number) => number <= ply);
    return numbers.map((number) => ({ point: this.moves[number - 1][1], level: this.level(this.lost(number)) }));
  }

  next(ply) {
    const lost = ply < this.moves.length ? this.lost(ply + 1) : null;
    return lost === null ? null : { point: this.moves[ply][1], lost, level: this.level(lost) };
  }

  // The graph in a unit (see win_rate.js).
  graph(unit) {
    const values = Array.from({ length: this.moves.length + 1 }, (_, ply) => unit.value(this.found[ply]));
    return { unit, values, dots: this.marked().map((number) => ({ move: number, level: this.level(this.lost(number)) })) };
  }
}
