"use strict";
// The points of the board as buttons: for the mouse, for a finger that aims, for the keyboard and for screen readers.

class Grid {
  // `act` is called with the point that was chosen.
  constructor(element, act) {
    this.element = element;
    this.act = act;
    this.focused = 0;
    this.lifted = -Infinity; // when a finger chose a point: the browser may send a click as well
    element.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button && event.timeStamp - this.lifted > 700) act(Number(button.dataset.point));
    });
    element.addEventListener("keydown", (event) => this.#move(event));
    element.addEventListener("focusin", (event) => this.#focus(Number(event.target.dataset.point)));
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      element.addEventListener(name, (event) => event.pointerType === "touch" && this.#aim(event));
    }
  }

  build(board) {
    this.board = board;
    const { side } = board;
    const edge = 100 / (side + 2);
    this.element.style.inset = `${edge}%`;
    this.element.style.gridTemplate = `repeat(${side}, 1fr) / repeat(${side}, 1fr)`;
    const rows = Array.from({ length: side }, (_, row) => {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      // Without a label of its own, a row's name would be that of all its points, which screen readers speak.
      line.setAttribute("aria-label", say("board_row", { number: side - row }));
      line.append(...Array.from({ length: side }, (_, column) => this.#button(row * side + column)));
      return line;
    });
    this.element.replaceChildren(...rows);
    this.buttons = [...this.element.querySelectorAll("button")];
    this.#focus(Math.floor((side * side) / 2));
  }

  label(labels) {
    labels.forEach((label, point) => this.buttons[point].setAttribute("aria-label", label));
  }

  #button(point) {
    const button = document.createElement("button");
    button.setAttribute("role", "gridcell");
    button.dataset.point = point;
    button.tabIndex = -1;
    return button;
  }

  #focus(point) {
    this.buttons[this.focused]?.setAttribute("tabindex", -1);
    this.focused = point;
    this.buttons[point].tabIndex = 0;
  }

  #move(event) {
    const { side } = this.board;
    const [column, row] = this.board.place(this.focused);
    const to = {
      ArrowLeft: [column - 1, row], ArrowRight: [column + 1, row], ArrowUp: [column, row - 1],
      ArrowDown: [column, row + 1], Home: [0, row], End: [side - 1, row],
    }[event.key];
    if (!to || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const inside = (number) => Math.max(0, Math.min(side - 1, number));
    this.buttons[inside(to[1]) * side + inside(to[0])].focus();
  }

  // A finger hides what it touches: a cross follows it, and lifting it chooses the point. Two fingers zoom.
  #aim(event) {
    const point = this.#under(event);
    if (event.type === "pointerdown" && event.isPrimary) {
      this.pinched = false;
      this.element.setPointerCapture(event.pointerId);
    }
    if (!event.isPrimary) this.pinched = true;
    const ends = event.type === "pointerup" || event.type === "pointercancel";
    this.#drawCross(ends || this.pinched ? null : point);
    if (event.type !== "pointerup" || !event.isPrimary || this.pinched || point === null) return;
    this.lifted = event.timeStamp;
    this.act(point);
  }

  #under(event) {
    const { side } = this.board;
    const box = this.element.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * side);
    const row = Math.floor(((event.clientY - box.top) / box.height) * side);
    return Math.min(column, row) >= 0 && Math.max(column, row) < side ? row * side + column : null;
  }

  #drawCross(point) {
    this.board.svg.querySelector(".cross")?.remove();
    if (point === null) return;
    const [x, y] = this.board.place(point);
    const most = this.board.side - 1;
    const look = { class: "cross", d: `M0 ${y}H${most}M${x} 0V${most}`, stroke: "#1f57c3", "stroke-width": 0.16 };
    shape(this.board.svg, "path", look);
  }
}
