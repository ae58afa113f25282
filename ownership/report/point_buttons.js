"use strict";
// The points of the board as buttons: for the mouse, a finger, the keyboard and screen readers. A browser sends a click
// for a tap without movement only; a finger that moves scrolls.

// What screen readers speak at a point.
function pointText(board, cell, point) {
  const vertex = board.vertex(point);
  const kind = cell.stone ? (cell.dead ? "dead" : cell.seki ? "seki" : "stone") : "empty";
  const parts = [say(`point_${kind}`, { vertex, colour: colourName(cell.stone) })];
  if (cell.owner && (!cell.stone || cell.dead)) parts.push(cell.owner > 0 ? texts.point_black : texts.point_white);
  if (cell.gap) parts.push(texts.point_gap);
  if (cell.doubt) parts.push(texts.point_doubt);
  return parts.join(", ");
}

class Grid {
  // `act` is called with the point that was chosen.
  constructor(element, act) {
    this.element = element;
    this.act = act;
    this.focused = 0;
    element.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) act(Number(button.dataset.point));
    });
    element.addEventListener("keydown", (event) => this.#move(event));
    element.addEventListener("focusin", (event) => this.#focus(Number(event.target.dataset.point)));
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

  // `said` is the position in words.
  label(cells, said) {
    this.element.setAttribute("aria-label", `${texts.board_label}. ${said}`);
    cells.forEach((cell, point) => this.buttons[point].setAttribute("aria-label", pointText(this.board, cell, point)));
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
}
