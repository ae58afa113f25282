"use strict";
// Boards of web pages. The page holds an empty board from goban/board_svg.py, whose groups have the names that stand here.

const FILL = { 1: "#1c1c1e", "-1": "#fbfaf6" };
const INK = { 1: "#fbfaf6", "-1": "#1c1c1e" }; // on a stone
const LAST = { 1: "#ff9c8a", "-1": "#c22a12" }; // ink of the last move's number
const STAYS = 33; // percent: two to one
const FAINT = 10; // percent, below which ownership is not drawn
const DARKEST = 0.5; // opacity of the shade of a certain point
const PALE = 0.5; // opacity of a dead stone
const NEUTRAL = "#7a4d9e";
const STAKE = "#1f6feb"; // ring of a group with points at stake
const CORNER = 0.35; // from the middle of a numbered stone to marks beside the number
const MARK = { ...INK, 0: "#1f3fa8" }; // a record's marks
const MARK_SHAPES = {
  CR: "m-.28 0a.28 .28 0 1 0 .56 0a.28 .28 0 1 0-.56 0",
  SQ: "m-.24-.24h.48v.48h-.48z",
  TR: "m0-.31l.29 .5h-.58z",
  MA: "m-.24-.24l.48 .48m0-.48l-.48 .48",
};
const LOSS = ["#2e9e5b", "#e8b500", "#f07f13", "#d1261b"]; // of moves that lost nothing, and ever more

function shape(parent, tag, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

function square(parent, [x, y], size, attributes) {
  shape(parent, "rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, ...attributes });
}

// Cells are one object for each point: stone (1 Black, -1 White, 0 none), dead, owner (as stone), seki, gap, and the
// number of the move that is written on the stone, for which other marks leave the middle free.
class Board {
  constructor(svg, side) {
    this.svg = svg;
    svg.setAttribute("aria-hidden", true); // the grid of points speaks
    this.side = side;
    this.points = side * side;
  }

  layer(name) {
    return this.svg.querySelector(`.${name}`);
  }

  place(point) {
    return [point % this.side, Math.floor(point / this.side)];
  }

  vertex(point) {
    return vertexOf(point, this.side);
  }

  clear() {
    for (const name of ["shades", "stones", "values", "marks"]) this.layer(name).replaceChildren();
  }

  drawStones(cells) {
    cells.forEach(({ stone, dead }, point) => {
      if (!stone) return;
      const [cx, cy] = this.place(point);
      const look = dead ? { opacity: PALE } : {};
      shape(this.layer("stones"), "circle", { cx, cy, r: 0.5, fill: `url(#${stone > 0 ? "black" : "white"}-stone)`, ...look });
    });
  }

  // The cells with the numbers of moves, which are pairs of a colour and a point.
  numbered(cells, moves) {
    const numbers = new Map(moves.map(([, point], index) => [point, index + 1]));
    return cells.map((cell, point) => (cell.stone ? { ...cell, number: numbers.get(point) } : cell));
  }

  // Values are percentages, from -100, surely White's, to 100, surely Black's, or changes of these: shades of points,
  // and squares on stones that are not likely to stay, or that changes concern.
  drawOwnership(cells, values, areChanges = false) {
    values.forEach((value, point) => {
      const { stone, number } = cells[point];
      if (Math.abs(value) <= FAINT) return;
      const [x, y] = this.place(point);
      const fill = FILL[Math.sign(value)];
      square(this.layer("shades"), [x, y], 1, { fill, opacity: (DARKEST * Math.abs(value)) / 100 });
      if (!stone || (areChanges ? value * stone > 0 : value * stone >= STAYS)) return;
      const place = number ? [x + CORNER, y + CORNER] : [x, y];
      const look = { fill, stroke: "#6b5228", "stroke-width": 0.04, opacity: Math.max(0.4, Math.abs(value) / 100) };
      square(this.layer("values"), place, number ? 0.28 : 0.42, look);
    });
  }

  drawTerritory(cells, counted) {
    cells.forEach(({ stone, dead, owner, seki, gap, number }, point) => {
      const [x, y] = this.place(point);
      if (owner && (!stone || dead)) {
        square(this.layer("values"), [x, y], 0.36, { fill: FILL[owner], stroke: "#55524c", "stroke-width": 0.03 });
      } else if (!stone && counted) {
        const look = gap ? { fill: "none", stroke: NEUTRAL, "stroke-width": 0.09 } : { fill: NEUTRAL, stroke: "none" };
        shape(this.layer("values"), "path", { d: `M${x} ${y - 0.2}l.2 .2-.2 .2-.2-.2z`, ...look });
      } else if (seki) {
        const ring = { cx: x, cy: y, r: number ? 0.46 : 0.25, fill: "none", stroke: NEUTRAL, "stroke-width": 0.1 };
        shape(this.layer("values"), "circle", ring);
      }
    });
  }

  // A letter a point: X and O where Black or White is the final owner, else 1, 2 or 3, open for ever longer.
  drawSettled(map) {
    [...map].forEach((letter, point) => {
      const [x, y] = this.place(point);
      const fill = FILL[{ X: 1, O: -1 }[letter]];
      if (fill) square(this.layer("values"), [x, y], 0.42, { fill, stroke: "#8a8478", "stroke-width": 0.05 });
      else shape(this.layer("values"), "circle", { cx: x, cy: y, r: 0.04 + 0.06 * letter, fill: NEUTRAL, stroke: "#fff", "stroke-width": 0.04 });
    });
  }

  // Candidates have a point, a letter, and the points that they lose compared with the best.
  drawCandidates(candidates) {
    for (const { point, name, lost, level } of candidates) {
      if (point >= this.points) continue;
      const [x, y] = this.place(point);
      shape(this.layer("marks"), "circle", { cx: x, cy: y, r: 0.48, fill: LOSS[level], stroke: "#fff", "stroke-width": 0.05 });
      const look = { x, "text-anchor": "middle", fill: level === 1 ? "#241a00" : "#fff", "font-weight": "bold" };
      shape(this.layer("marks"), "text", { ...look, y: y + 0.02, "font-size": 0.46 }, name);
      shape(this.layer("marks"), "text", { ...look, y: y + 0.29, "font-size": 0.27 }, lostText(lost));
    }
  }

  // Dots at the moves that the network would look at first, larger for likelier ones: pairs of a point and a probability.
  drawLikely(moves) {
    for (const [point, probability] of moves) {
      if (point >= this.points) continue;
      const [cx, cy] = this.place(point);
      const r = 0.12 + 0.3 * Math.sqrt(probability);
      shape(this.layer("marks"), "circle", { class: "likely", cx, cy, r, fill: LOSS[0], stroke: "#fff", "stroke-width": 0.04 });
    }
  }

  // A ring in the colour of what a move lost, around its stone, or around its point before it is played.
  drawLoss(point, level) {
    if (point >= this.points) return;
    const [cx, cy] = this.place(point);
    shape(this.layer("marks"), "circle", { class: "loss", cx, cy, r: 0.42, fill: "none", stroke: LOSS[level], "stroke-width": 0.12 });
  }

  // A line around the points.
  drawOutline(points) {
    const inside = new Set(points);
    const isEdge = (x, y) => x < 0 || y < 0 || x >= this.side || y >= this.side || !inside.has(y * this.side + x);
    const d = points.map((point) => {
      const [x, y] = this.place(point);
      const sides = [[x, y - 1, -0.5, -0.5, "h1"], [x, y + 1, -0.5, 0.5, "h1"], [x - 1, y, -0.5, -0.5, "v1"], [x + 1, y, 0.5, -0.5, "v1"]];
      return sides.map(([column, row, right, down, line]) => (isEdge(column, row) ? `M${x + right} ${y + down}${line}` : "")).join("");
    }).join("");
    for (const each of this.svg.querySelectorAll(".outline")) each.remove();
    const look = { class: "outline", d, fill: "none", "stroke-linecap": "round" };
    if (d) for (const [stroke, width] of [["#fff", 0.16], ["#1f57c3", 0.09]]) shape(this.svg, "path", { ...look, stroke, "stroke-width": width });
  }

  drawDead(cells) {
    const cross = ([x, y]) => `M${x - 0.3} ${y - 0.3}l.6 .6m0-.6l-.6 .6`;
    const d = cells.map(({ dead }, point) => (dead ? cross(this.place(point)) : "")).join("");
    shape(this.layer("marks"), "path", { d, stroke: "#000", "stroke-width": 0.17 });
    shape(this.layer("marks"), "path", { d, stroke: "#ffd23f", "stroke-width": 0.09 });
  }

  // A question mark on stones whose status is in doubt.
  drawDoubts(cells) {
    cells.forEach(({ doubt, number }, point) => {
      if (!doubt) return;
      const [x, y] = this.place(point);
      const [cx, cy, r] = number ? [x + CORNER, y - CORNER, 0.21] : [x, y, 0.3];
      shape(this.layer("marks"), "circle", { cx, cy, r, fill: "#ffd23f", stroke: "#000", "stroke-width": 0.04 });
      const look = { x: cx, y: cy + 0.57 * r, "font-size": 1.6 * r, "text-anchor": "middle", fill: "#000", "font-weight": "bold" };
      shape(this.layer("marks"), "text", look, "?");
    });
  }

  // The number `last` is written in bold. Crosses stay visible around numbers.
  drawNumbers(cells, last) {
    cells.forEach(({ stone, dead, number }, point) => {
      if (!number) return;
      const [x, y] = this.place(point);
      if (dead) shape(this.layer("marks"), "rect", { x: x - 0.4, y: y - 0.18, width: 0.8, height: 0.36, fill: FILL[stone] });
      const size = number > 99 || dead ? 0.4 : 0.5;
      const isLast = number === last;
      const fill = isLast ? LAST[stone] : INK[stone];
      const look = { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle", fill };
      shape(this.layer("marks"), "text", isLast ? { ...look, "font-weight": "bold" } : look, number);
    });
  }

  // Marks of a record by their names in SGF: lists of vertices, of labels pairs of a vertex and a text.
  drawMarks(cells, { LB: labels = [], ...shapes }) {
    for (const [name, vertices] of Object.entries(shapes)) {
      for (const vertex of vertices) {
        const point = pointOf(vertex, this.side);
        const [x, y] = this.place(point);
        const look = { class: "mark", fill: "none", stroke: MARK[cells[point].stone], "stroke-width": 0.09 };
        shape(this.layer("marks"), "path", { ...look, d: `M${x} ${y}${MARK_SHAPES[name]}` });
      }
    }
    for (const [vertex, text] of labels) {
      const point = pointOf(vertex, this.side);
      const [x, y] = this.place(point);
      if (!cells[point].stone) shape(this.layer("marks"), "circle", { cx: x, cy: y, r: 0.4, fill: "#e3bd78" });
      const look = { class: "mark", x, y: y + 0.2, "font-size": 0.75 - 0.12 * text.length, "text-anchor": "middle" };
      shape(this.layer("marks"), "text", { ...look, "font-weight": "bold", fill: MARK[cells[point].stone] }, text);
    }
  }

  // Points on groups, each in the ink of its stones.
  drawStakes(stakes) {
    for (const { stones, colour, points } of stakes) {
      for (const [cx, cy] of stones.map((stone) => this.place(stone)))
        shape(this.layer("marks"), "circle", { class: "at-stake", cx, cy, r: 0.47, fill: "none", stroke: STAKE, "stroke-width": 0.07 });
      const [x, y] = this.place(stones[0]);
      const text = Math.round(points);
      const look = { class: "stake", x, y: y + 0.18, "font-size": text > 99 ? 0.48 : 0.56, "text-anchor": "middle" };
      shape(this.layer("marks"), "circle", { cx: x, cy: y, r: 0.47, fill: FILL[colour], stroke: STAKE, "stroke-width": 0.1 });
      shape(this.layer("marks"), "text", { ...look, "font-weight": "bold", fill: INK[colour] }, text);
    }
  }

  drawLast(cells, point) {
    if (point >= this.points || !cells[point].stone) return;
    const [cx, cy] = this.place(point);
    const stroke = INK[cells[point].stone];
    shape(this.layer("marks"), "circle", { cx, cy, r: 0.38, fill: "none", stroke, "stroke-width": 0.07 });
  }

  diagram(cells) {
    const letters = " " + Array.from({ length: this.side }, (_, column) => ` ${LETTERS[column]}`).join("");
    const mark = ({ stone, dead }) => (stone ? (dead ? "ox" : "OX")[(stone + 1) / 2] : ".");
    const rows = Array.from({ length: this.side }, (_, row) => {
      const line = cells.slice(row * this.side, (row + 1) * this.side).map(mark).join(" ");
      return `${String(this.side - row).padStart(2)} ${line} ${this.side - row}`;
    });
    return [` ${letters}`, ...rows, ` ${letters}`].join("\n");
  }
}
