"use strict";
// The graph of the lead or the win rate: a value for each move, dots at mistakes, a cursor, and how far a review has come.
// It is drawn for the pixels that it has, so that its letters stay as large as all others, and a touch goes to a move.

const EDGE = { left: 48, right: 10, top: 6, bottom: 18 };
const REACH = 9; // pixels from the middle of a dot within which a touch means its mistake
const STILL = 4; // pixels that a touch may move before it goes through the game

class Graph {
  // `choose` receives the move that a user points at, `chooseMistake` that of a dot. Values that are not known yet are
  // null.
  constructor(host, choose, chooseMistake) {
    Object.assign(this, { host, move: 0, values: [null], dots: [], settled: [], unit: LEAD, searching: null });
    this.svg = host.querySelector("svg");
    const chosen = (event) => choose(Math.round(((event.clientX - this.box().left - EDGE.left) / this.width) * this.last));
    let [begun, isDragged] = [0, false];
    host.addEventListener("pointerdown", (event) => {
      host.setPointerCapture(event.pointerId);
      [begun, isDragged] = [event.clientX, false];
    });
    host.addEventListener("pointermove", (event) => {
      isDragged ||= event.buttons > 0 && Math.abs(event.clientX - begun) > STILL;
      if (event.buttons && isDragged) chosen(event);
    });
    // A finger that scrolls the page clicks nothing.
    host.addEventListener("click", (event) => {
      const dot = this.dotAt(event);
      if (isDragged) return;
      if (dot) chooseMistake(dot.move);
      else chosen(event);
    });
    new ResizeObserver(() => this.draw()).observe(host);
  }

  // Shows values of a unit (see win_rate.js) with dots, and perhaps the share of the board that is settled, in percent;
  // `searching` is the move where a review is, or null.
  set(graph, searching = null) {
    Object.assign(this, graph, { searching });
    this.svg.setAttribute("aria-label", texts[this.unit.label]);
    this.draw();
  }

  get last() {
    return this.values.length - 1;
  }

  box() {
    return this.host.getBoundingClientRect();
  }

  x(move) {
    return EDGE.left + (this.width * move) / Math.max(this.last, 1);
  }

  y(value) {
    const share = Math.max(-1, Math.min(1, value / this.most));
    return EDGE.top + (this.height * (1 - share)) / 2;
  }

  // The height of a move; one without a value has that of the move before.
  yAt(move) {
    return this.y(this.values[move] ?? this.values[move - 1] ?? 0);
  }

  // The dot that a user points at, or null.
  dotAt({ clientX, clientY }) {
    const { left, top } = this.box();
    const distance = ({ move }) => Math.hypot(clientX - left - this.x(move), clientY - top - this.yAt(move));
    const [nearest] = this.dots.toSorted((one, other) => distance(one) - distance(other));
    return nearest && distance(nearest) <= REACH ? nearest : null;
  }

  // The stretches of moves whose values are known.
  stretches() {
    const found = [];
    this.values.forEach((value, move) => {
      if (value === null) return;
      if (found.at(-1)?.at(-1) === move - 1) found.at(-1).push(move);
      else found.push([move]);
    });
    return found;
  }

  draw() {
    this.width = Math.max(50, this.box().width - EDGE.left - EDGE.right);
    this.height = Math.max(10, this.box().height - EDGE.top - EDGE.bottom);
    this.most = this.unit.most(this.values);
    this.svg.replaceChildren();
    shape(this.svg, "rect", { class: "ground", x: EDGE.left, y: EDGE.top, width: this.width, height: this.height, rx: 3 });
    for (const moves of this.stretches()) this.drawStretch(moves);
    this.drawGrid();
    this.drawSettled();
    for (const { move, level } of this.dots) {
      shape(this.svg, "circle", { class: "dot", cx: this.x(move), cy: this.yAt(move), r: 3.5, fill: LOSS[level] });
    }
    if (this.searching !== null) this.drawSearching();
    this.cursor = shape(this.svg, "line", { class: "cursor", y1: EDGE.top, y2: EDGE.top + this.height });
    this.now = shape(this.svg, "circle", { class: "now", r: 5 });
    this.point(this.move);
  }

  // A bar along the moves that were searched, and a line where the search is.
  drawSearching() {
    const x = this.x(Math.min(this.searching, this.last));
    shape(this.svg, "path", { class: "searching", d: `M${EDGE.left} ${EDGE.top}H${x}V${EDGE.top + this.height}` });
  }

  drawStretch(moves) {
    const zero = this.y(0);
    const line = moves.map((move) => `${this.x(move).toFixed(1)} ${this.y(this.values[move]).toFixed(1)}`).join("L");
    const area = `M${this.x(moves[0])} ${zero}L${line}L${this.x(moves.at(-1))} ${zero}Z`;
    for (const [name, y] of [["ahead", EDGE.top], ["behind", zero]]) {
      const id = `${this.host.id}-${name}`;
      if (!this.svg.querySelector(`#${id}`)) {
        const half = shape(this.svg, "clipPath", { id });
        shape(half, "rect", { x: EDGE.left, y, width: this.width, height: this.height / 2 });
      }
      shape(this.svg, "path", { class: name, d: area, "clip-path": `url(#${id})` });
    }
    shape(this.svg, "path", { class: "curve", d: `M${line}` });
  }

  // From the lower edge, nothing, to the upper, the whole board.
  drawSettled() {
    const points = this.settled.map((percent, move) => `${this.x(move).toFixed(1)} ${this.y((this.most * (percent - 50)) / 50).toFixed(1)}`);
    if (points.length) shape(this.svg, "path", { class: "settled", d: `M${points.join("L")}` });
  }

  drawGrid() {
    const { steps } = this.unit;
    const step = steps.find((each) => (this.most / each) * 30 < this.height) ?? steps.at(-1);
    const most = Math.floor(this.most / step);
    for (let line = -most; line <= most; line += 1) {
      const y = this.y(line * step);
      shape(this.svg, "line", { class: "grid", x1: EDGE.left, x2: EDGE.left + this.width, y1: y, y2: y });
      shape(this.svg, "text", { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, this.unit.text(line * step));
    }
    const every = [1, 2, 5, 10, 20, 50, 100].find((each) => (this.last / each) * 40 <= this.width) ?? 200;
    for (let move = 0; move <= this.last; move += every) {
      shape(this.svg, "text", { x: this.x(move), y: this.y(-Infinity) + 14, "text-anchor": "middle" }, move);
    }
  }

  point(move) {
    this.move = Math.min(move, this.last);
    const x = this.x(this.move);
    for (const name of ["x1", "x2"]) this.cursor?.setAttribute(name, x);
    this.now?.setAttribute("cx", x);
    this.now?.setAttribute("cy", this.yAt(this.move));
  }
}
