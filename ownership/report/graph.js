"use strict";
// Graphs of web pages: a value for each move with its interval as a band, and a cursor. A graph is drawn for the pixels
// that it has, so that its letters stay as large as all others.

const EDGE = { left: 44, right: 8, top: 6, bottom: 20 };

class Graph {
  // Scale: `middle` is the line between Black and White, `most` the distance to the top, `step` that between two lines
  // of the grid, `label` the text of a value. `choose` receives the move that a user points at.
  constructor(host, { values, low, high }, scale, choose) {
    Object.assign(this, { host, values, low, high, ...scale });
    this.svg = host.querySelector("svg");
    this.last = values.length - 1;
    this.move = 0;
    const chosen = (event) => choose(Math.round(((event.clientX - this.box().left - EDGE.left) / this.width) * this.last));
    host.addEventListener("pointerdown", (event) => {
      host.setPointerCapture(event.pointerId);
      chosen(event);
    });
    host.addEventListener("pointermove", (event) => {
      if (event.buttons) chosen(event);
    });
    new ResizeObserver(() => this.draw()).observe(host);
    this.draw();
  }

  box() {
    return this.host.getBoundingClientRect();
  }

  x(move) {
    return EDGE.left + (this.width * move) / Math.max(this.last, 1);
  }

  y(value) {
    const share = Math.max(-1, Math.min(1, (value - this.middle) / this.most));
    return EDGE.top + (this.height * (1 - share)) / 2;
  }

  line(values) {
    return values.map((value, move) => `${this.x(move).toFixed(1)} ${this.y(value).toFixed(1)}`).join("L");
  }

  draw() {
    this.width = Math.max(50, this.box().width - EDGE.left - EDGE.right);
    this.height = this.box().height - EDGE.top - EDGE.bottom;
    this.svg.replaceChildren();
    this.drawGrid();
    const above = this.line(this.high).split("L").reverse().join("L");
    shape(this.svg, "path", { class: "band", d: `M${this.line(this.low)}L${above}Z` });
    const zero = this.y(this.middle);
    const area = `M${this.x(0)} ${zero}L${this.line(this.values)}L${this.x(this.last)} ${zero}Z`;
    for (const [name, y] of [["ahead", EDGE.top], ["behind", zero]]) {
      const half = shape(this.svg, "clipPath", { id: `${this.host.id}-${name}` });
      shape(half, "rect", { x: this.x(0), y, width: this.width, height: Math.max(0, this.height / 2) });
      shape(this.svg, "path", { class: name, d: area, "clip-path": `url(#${this.host.id}-${name})` });
    }
    shape(this.svg, "path", { class: "curve", d: `M${this.line(this.values)}` });
    this.cursor = shape(this.svg, "line", { class: "cursor", y1: this.y(Infinity), y2: this.y(-Infinity) });
    this.now = shape(this.svg, "circle", { class: "now", r: 5 });
    this.point(this.move);
  }

  drawGrid() {
    for (let value = this.middle - 2 * this.step; value <= this.middle + 2 * this.step; value += this.step) {
      if (Math.abs(value - this.middle) > this.most) continue;
      const y = this.y(value);
      shape(this.svg, "line", { class: "grid", x1: this.x(0), x2: this.x(this.last), y1: y, y2: y });
      shape(this.svg, "text", { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, this.label(value));
    }
    const every = [1, 2, 5, 10, 20, 50, 100].find((each) => this.last / each <= 8) ?? 200;
    for (let move = 0; move <= this.last; move += every) {
      shape(this.svg, "text", { x: this.x(move), y: this.y(-Infinity) + 16, "text-anchor": "middle" }, move);
    }
  }

  point(move) {
    this.move = move;
    const x = this.x(move);
    for (const name of ["x1", "x2"]) this.cursor.setAttribute(name, x);
    this.now.setAttribute("cx", x);
    this.now.setAttribute("cy", this.y(this.values[move]));
  }
}
