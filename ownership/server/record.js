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
});

const pointsOf = (stones, colour) => stones.flatMap((stone, point) => (stone === colour ? [point] : []));

const sgfLetter = (number) => "abcdefghijklmnopqrstuvwxy"[number];
const sgfPoint = (point, side) =>
  (point >= side ** 2 ? "" : sgfLetter(point % side) + sgfLetter(Math.floor(point / side)));
const sgfText = (value) => (value === "" || value === null ? [] : [String(value).replace(/[\\\]]/g, "\\$&")]);
const sgfNode = (properties) => `;${Object.entries(properties).map(([name, values]) =>
  (values.length ? name + values.map((value) => `[${value}]`).join("") : "")).join("")}`;

// Extra properties of the last node and of the root are lists of values by name. Variations are games that begin like
// this one.
function toSgf(game, root = {}, end = {}, variations = []) {
  const name = (point) => sgfPoint(point, game.side);
  const header = {
    GM: ["1"], FF: ["4"], CA: ["UTF-8"], SZ: [game.side], KM: sgfText(game.komi), HA: sgfText(game.handicap || ""),
    RU: sgfText(game.rules), RE: sgfText(game.result), PL: [game.to_move > 0 ? "B" : "W"],
    AB: game.black_stones.map(name), AW: game.white_stones.map(name), ...root,
  };
  const ending = Object.fromEntries(Object.entries(end).map(([key, points]) => [key, points.map(name)]));
  const write = (own, now) => {
    const [colour, point] = own.moves[now];
    const comment = root.PB ? { C: sgfText(own.comments[now + 1] ?? "") } : {};
    const last = own === game && now + 1 === game.moves.length ? ending : {};
    return sgfNode({ [colour > 0 ? "B" : "W"]: [name(point)], ...comment, ...last });
  };
  const start = sgfNode({ ...header, ...(game.moves.length ? {} : ending) });
  return `(${start}${sgfMoves([game, ...variations], 0, write)})`;
}

// The nodes after some moves that the games have in common; a node belongs to the first of them.
function sgfMoves(games, from, write) {
  let [text, left] = ["", games];
  for (let now = from; ; now += 1) {
    left = left.filter(({ moves }) => moves.length > now);
    const names = [...new Set(left.map(({ moves }) => String(moves[now])))];
    if (names.length > 1) {
      const branches = names.map((name) => left.filter(({ moves }) => String(moves[now]) === name));
      return text + branches.map((branch) => `(${sgfMoves(branch, now, write)})`).join("");
    }
    if (!left.length) return text;
    text += write(left[0], now);
  }
}

// The same with all that names the game, for people to keep.
function toFullSgf(game, end, variations = []) {
  const root = {
    PB: sgfText(game.black), PW: sgfText(game.white), BR: sgfText(game.black_rank), WR: sgfText(game.white_rank),
    DT: sgfText(game.date), GN: sgfText(game.name), C: sgfText(game.comments[0] ?? ""),
  };
  return toSgf(game, root, end, variations);
}
