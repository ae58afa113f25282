"use strict";
// The tree of the game and its variations, the record's and own ones; moves go from left to right.

const STEP = 24; // pixels from a node to the next one
const NODE = 7; // radius in pixels
let treeShown = { lines: null, nodes: [], current: null }; // the lines that it shows, their nodes, and the marked one

// The nodes of all lines: each with its move, the number of moves up to it, the first line that has it, the first move of
// that line which no line before has, and the node before. The first node is the start of the game.
function treeNodes(lines) {
  const start = { ply: 0, line: 0, first: 0, before: null, next: new Map() };
  const nodes = [start];
  lines.forEach((game, line) => {
    let node = start;
    game.moves.forEach((move, index) => {
      const key = String(move);
      if (!node.next.has(key)) {
        const first = node.line === line ? node.first : index + 1;
        const added = { ply: index + 1, line, first, move, before: node, next: new Map() };
        node.next.set(key, added);
        nodes.push(added);
      }
      node = node.next.get(key);
    });
  });
  return nodes;
}

// Gives each line a row: the game the first one, a branch the first one that is free, with all below it, for the branch
// and what leaves it. Later branches come first, so that no connection crosses a line. Returns the number of rows.
function placeRows(nodes) {
  for (const node of nodes) node.end = node.ply; // of the longest line through it
  for (const { end, before } of nodes.toReversed()) if (before) before.end = Math.max(before.end, end);
  const free = Array(nodes[0].end + 1).fill(0); // the first free row, by the number of moves
  const place = (first) => {
    const from = Math.max(0, first.ply - 1);
    const row = Math.max(...free.slice(from, first.end + 1));
    const chain = [first];
    for (let [node] = first.next.values(); node; [node] = node.next.values()) chain.push(node);
    for (const node of chain) node.row = row;
    free.fill(row + 1, from, chain.at(-1).ply + 1);
    for (const node of chain.toReversed()) for (const branch of [...node.next.values()].slice(1)) place(branch);
  };
  place(nodes[0]);
  return Math.max(...free);
}

// The nodes on the way to the position that is shown.
function wayTo(nodes) {
  const { moves } = gameNow();
  const way = [nodes[0]];
  for (const move of moves.slice(0, state.now)) way.push(way.at(-1).next.get(String(move)));
  return way;
}

// Goes to a node, in the line that is shown if it has it.
function goToNode(node) {
  const way = [];
  for (let each = node; each.before; each = each.before) way.unshift(String(each.move));
  const has = ({ moves }) => way.every((move, index) => String(moves[index]) === move);
  turnTo({ ...state, line: has(gameNow()) ? state.line : node.line, now: node.ply });
}

function nodeText({ ply, line, first, move }) {
  const name = line ? say("variation", { number: line, move: first }) : texts.main_line;
  return `${name}, ${ply ? `${ply}: ${moveName(move, gameNow().side)}` : texts.start}`;
}

const hasWords = ({ ply, line }) => {
  const { comments, marks } = state.lines[line];
  return Boolean(comments[ply]) || Object.keys(marks[ply] ?? {}).length > 0;
};

function drawTree(nodes) {
  const svg = at("tree").querySelector("svg");
  const [x, y] = [({ ply }) => STEP * (ply + 0.5), ({ row }) => STEP * (row + 0.5)];
  svg.replaceChildren();
  svg.setAttribute("height", STEP * placeRows(nodes));
  svg.setAttribute("width", STEP * (1 + Math.max(...nodes.map(({ ply }) => ply))));
  const edges = nodes.slice(1).map((node) => `M${x(node.before)} ${y(node.before)}V${y(node)}H${x(node)}`);
  shape(svg, "path", { d: edges.join(""), class: "branches" });
  nodes.forEach((node, index) => {
    const colour = node.move ? (node.move[0] > 0 ? "black" : "white") : "start";
    const look = { cx: x(node), cy: y(node), r: NODE, class: `node ${colour}`, id: `node${index}`, role: "treeitem", "aria-label": nodeText(node) };
    node.mark = shape(svg, "circle", look);
    if (hasWords(node)) shape(svg, "circle", { cx: x(node) + NODE, cy: y(node) - NODE, r: 2.5, class: "words" });
  });
}

// A game without variations needs no tree.
function showTree() {
  const { lines } = state;
  at("tree").hidden = lines.length < 2;
  at("to-game").hidden = state.line === 0;
  if (at("tree").hidden) return;
  if (treeShown.lines !== lines) {
    treeShown = { lines, nodes: treeNodes(lines), current: null };
    drawTree(treeShown.nodes);
  }
  const current = wayTo(treeShown.nodes).at(-1);
  if (current === treeShown.current) return;
  treeShown.current?.mark.removeAttribute("aria-selected");
  treeShown.current = current;
  current.mark.setAttribute("aria-selected", "true");
  at("tree").setAttribute("aria-activedescendant", current.mark.id);
  const [left, top] = [STEP * (current.ply + 0.5), STEP * (current.row + 0.5)];
  at("tree").scrollTo(left - at("tree").clientWidth / 2, top - at("tree").clientHeight / 2);
}

// Goes back to the game, to the position where the variation begins.
function goToGame() {
  const [game] = state.lines;
  turnTo({ ...state, line: 0, now: sharedMoves(gameNow(), game) });
}

// The node above or below the one that is shown: in the nearest row that has one as late as it, or the branch there.
function nodeBeside(step) {
  const { nodes, current } = treeShown;
  const reached = nodes.filter(({ row, ply }) => (row - current.row) * step > 0 && ply <= current.ply + 1);
  const nearest = Math.min(...reached.map(({ row }) => Math.abs(row - current.row)));
  return reached.filter(({ row }) => Math.abs(row - current.row) === nearest)
    .toSorted((one, other) => Math.abs(one.ply - current.ply) - Math.abs(other.ply - current.ply))[0];
}

at("to-game").addEventListener("click", goToGame);
at("tree").addEventListener("click", ({ clientX, clientY }) => {
  const { left, top } = at("tree").querySelector("svg").getBoundingClientRect();
  const [ply, row] = [clientX - left, clientY - top].map((pixels) => Math.floor(pixels / STEP));
  const node = treeShown.nodes.find((each) => each.ply === ply && each.row === row);
  if (node) goToNode(node);
});
at("tree").addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const node = nodeBeside(step);
  if (node) goToNode(node);
});
