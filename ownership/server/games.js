"use strict";
// Games. One never changes: every edit makes another one. That of a record keeps the SGF of all that the record holds; its
// variations, and one that was set up, have none. A variation that is recorded is part of that SGF; an own one is not.
// Comments and marks are by the number of moves before; those that the reader has written or marked are not in the SGF.

const emptyGame = (side) => ({
  side, black_stones: [], white_stones: [], to_move: 1, moves: [], komi: null, may_lack_komi: false, handicap: 0,
  rules: "", result: "", black: "", white: "", black_rank: "", white_rank: "", date: "", name: "", handicap_from: "", broken_off: false,
  notes: [], illegal_move: null, territory: {}, comments: {}, written: {}, marks: {}, marked: {}, sgf: null, isRecorded: false,
});

// The game that /game of the server describes, with points as numbers.
const fromServer = ({ to_move, rules, recorded, variations, ...game }) => {
  const point = (vertex) => pointOf(vertex, game.side);
  return {
    isRecorded: false,
    written: {},
    marked: {},
    ...game,
    black_stones: game.black_stones.map(point),
    white_stones: game.white_stones.map(point),
    to_move: to_move === "black" ? 1 : -1,
    moves: fromVertices(game.moves, game.side),
    rules: rules ?? "",
    result: recorded ?? "",
    territory: Object.fromEntries(Object.entries(game.territory).map(([name, vertices]) => [name, vertices.map(point)])),
  };
};

const fromVertices = (moves, side) => moves.map(([colour, vertex]) => [colour === "B" ? 1 : -1, pointOf(vertex, side)]);

// The game and the variations of it that /game of the server describes.
const linesFromServer = (described) => {
  const game = fromServer(described);
  let before = game;
  const lines = described.variations.map(({ after, moves, comments, marks }) => {
    const line = withMoves(game, after, fromVertices(moves, game.side));
    const same = sharedMoves(line, before); // the server says once what variations share
    const said = (name, own) => ({ ...line[name], ...upTo(before[name], same), ...own });
    before = { ...line, comments: said("comments", comments), marks: said("marks", marks), isRecorded: true };
    return before;
  });
  return [game, ...lines.filter(({ moves }) => moves.some((move, index) => String(move) !== String(game.moves[index])))];
};

// How many moves two lines begin with in common.
function sharedMoves({ moves }, other) {
  const differs = moves.findIndex((move, index) => String(move) !== String(other.moves[index]));
  return differs < 0 ? moves.length : differs;
}

// The colour that moves after some moves of a game.
const mover = (game, move) => (move ? -game.moves[move - 1][0] : game.to_move);

// An edited game goes on from the position that is shown, and has no result yet.
const withMoves = (game, move, moves) => ({
  ...game,
  moves: [...game.moves.slice(0, move), ...moves],
  result: "",
  broken_off: false,
  notes: [],
  illegal_move: null,
  territory: {},
  comments: upTo(game.comments, move),
  written: upTo(game.written, move),
  marks: upTo(game.marks, move),
  marked: upTo(game.marked, move),
  sgf: null,
  isRecorded: false,
});

const withNote = (game, move, text) => ({
  ...game,
  comments: { ...game.comments, [move]: text },
  written: { ...game.written, [move]: text },
});

const withMarks = (game, move, marks) => ({
  ...game,
  marks: { ...game.marks, [move]: marks },
  marked: { ...game.marked, [move]: marks },
});

// What is said about the positions up to a move.
const upTo = (said, move) => Object.fromEntries(Object.entries(said).filter(([number]) => Number(number) <= move));

// The side with fewer stones is to move, Black if both have as many.
const withStones = (game, stones) => ({
  ...game,
  black_stones: pointsOf(stones, 1),
  white_stones: pointsOf(stones, -1),
  to_move: pointsOf(stones, 1).length > pointsOf(stones, -1).length ? -1 : 1,
  moves: [],
  handicap: 0,
  handicap_from: "",
  result: "",
  broken_off: false,
  notes: [],
  illegal_move: null,
  territory: {},
  comments: {},
  written: {},
  marks: {},
  marked: {},
  sgf: null,
});

const pointsOf = (stones, colour) => stones.flatMap((stone, point) => (stone === colour ? [point] : []));

const sgfLetter = (number) => "abcdefghijklmnopqrstuvwxy"[number];
const sgfPoint = (point, side) =>
  (point >= side ** 2 ? "" : sgfLetter(point % side) + sgfLetter(Math.floor(point / side)));
const sgfText = (value) => (value === "" || value === null ? [] : [String(value).replace(/[\\\]]/g, "\\$&")]);
const sgfNode = (properties) => `;${Object.entries(properties).map(([name, values]) =>
  (values.length ? name + values.map((value) => `[${value}]`).join("") : "")).join("")}`;

// Extra properties of the last node and of the root are lists of values by name.
function toSgf(game, root = {}, end = {}) {
  const name = (point) => sgfPoint(point, game.side);
  const header = {
    GM: ["1"], FF: ["4"], CA: ["UTF-8"], SZ: [game.side], KM: sgfText(game.komi), HA: sgfText(game.handicap || ""),
    RU: sgfText(game.rules), RE: sgfText(game.result), DT: sgfText(game.date), PL: [game.to_move > 0 ? "B" : "W"],
    AB: game.black_stones.map(name), AW: game.white_stones.map(name), ...root,
  };
  const comment = (move) => (root.PB ? { C: sgfText(game.comments[move] ?? "") } : {});
  const moves = game.moves.map(([colour, point], index) =>
    ({ [colour > 0 ? "B" : "W"]: [name(point)], ...comment(index + 1) }));
  const nodes = [header, ...moves];
  Object.assign(nodes.at(-1), Object.fromEntries(Object.entries(end).map(([key, points]) => [key, points.map(name)])));
  return `(${nodes.map(sgfNode).join("")})`;
}

// The same with all that names the game, for people to keep.
const toFullSgf = (game) => toSgf(game, {
  PB: sgfText(game.black), PW: sgfText(game.white), BR: sgfText(game.black_rank), WR: sgfText(game.white_rank),
  GN: sgfText(game.name), C: sgfText(game.comments[0] ?? ""),
});
