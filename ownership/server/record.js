"use strict";
// Games. One never changes: every edit makes another one.

const emptyGame = (side) => ({
  side, black_stones: [], white_stones: [], to_move: 1, moves: [], komi: null, may_lack_komi: false, handicap: 0,
  rules: "", result: "", black: "", white: "", black_rank: "", white_rank: "", date: "", name: "", handicap_from: "", broken_off: false,
  notes: [], illegal_move: null, territory: {}, comments: {},
});

// The game that /game of the server describes, with points as numbers.
const fromServer = ({ to_move, rules, recorded, ...game }) => {
  const point = (vertex) => pointOf(vertex, game.side);
  return {
    ...game,
    black_stones: game.black_stones.map(point),
    white_stones: game.white_stones.map(point),
    to_move: to_move === "black" ? 1 : -1,
    moves: game.moves.map(([colour, vertex]) => [colour === "B" ? 1 : -1, point(vertex)]),
    rules: rules ?? "",
    result: recorded ?? "",
    territory: Object.fromEntries(Object.entries(game.territory).map(([name, vertices]) => [name, vertices.map(point)])),
  };
};

const pointOf = (vertex, side) =>
  vertex === "pass" ? side ** 2 : (side - vertex.slice(1)) * side + "ABCDEFGHJKLMNOPQRSTUVWXYZ".indexOf(vertex[0]);

// The colour that moves after some moves of a game.
const mover = (game, move) => (move ? -game.moves[move - 1][0] : game.to_move);

// An edited game goes on from the position that is shown, and has no result yet.
const withMove = (game, move, point) => ({
  ...game,
  moves: [...game.moves.slice(0, move), [mover(game, move), point]],
  result: "",
  broken_off: false,
  notes: [],
  illegal_move: null,
  territory: {},
  comments: Object.fromEntries(Object.entries(game.comments).filter(([number]) => Number(number) <= move)),
});

const withStones = (game, stones, toMove) => ({
  ...game,
  black_stones: pointsOf(stones, 1),
  white_stones: pointsOf(stones, -1),
  to_move: toMove,
  moves: [],
  handicap: 0,
  handicap_from: "",
  result: "",
  broken_off: false,
  notes: [],
  illegal_move: null,
  territory: {},
  comments: {},
});

const pointsOf = (stones, colour) => stones.flatMap((stone, point) => (stone === colour ? [point] : []));

// Extra properties of the last node and of the root are lists of values by name.
function toSgf(game, root = {}, end = {}) {
  const letter = (number) => "abcdefghijklmnopqrstuvwxy"[number];
  const name = (point) =>
    point >= game.side ** 2 ? "" : letter(point % game.side) + letter(Math.floor(point / game.side));
  const property = ([key, values]) => (values.length ? key + values.map((value) => `[${value}]`).join("") : "");
  const node = (properties) => ";" + Object.entries(properties).map(property).join("");
  const text = (value) => (value === "" || value === null ? [] : [String(value).replace(/[\\\]]/g, "\\$&")]);
  const header = {
    GM: ["1"], FF: ["4"], CA: ["UTF-8"], SZ: [game.side], KM: text(game.komi), HA: text(game.handicap || ""),
    RU: text(game.rules), RE: text(game.result), PL: [game.to_move > 0 ? "B" : "W"],
    AB: game.black_stones.map(name), AW: game.white_stones.map(name), ...root,
  };
  const nodes = game.moves.map(([colour, point], index) => ({
    [colour > 0 ? "B" : "W"]: [name(point)],
    ...(root.PB ? { C: text(game.comments[index + 1] ?? "") } : {}),
  }));
  const ending = Object.fromEntries(Object.entries(end).map(([key, points]) => [key, points.map(name)]));
  const all = [header, ...nodes];
  all[all.length - 1] = { ...all[all.length - 1], ...ending };
  return `(${all.map(node).join("")})`;
}

// The same with all that names the game, for people to keep.
function toFullSgf(game, end) {
  const text = (value) => (value ? [value.replace(/[\\\]]/g, "\\$&")] : []);
  const root = {
    PB: text(game.black), PW: text(game.white), BR: text(game.black_rank), WR: text(game.white_rank),
    DT: text(game.date), GN: text(game.name), C: text(game.comments[0] ?? ""),
  };
  return toSgf(game, root, end);
}
