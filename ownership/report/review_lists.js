"use strict";
// What searches found about the positions of a game, and the lists that show it.

const MOST_MISTAKES = 10; // in the list
const PLAIN = 2; // level from which a mistake is marked in any case
const MOST_CANDIDATES = 3;
const LONGEST_LINE = 10; // moves
const PHASES = ["game", "opening", "middle", "end"];

// A found position has visits, score, low and high, Black's; candidates as { point, score, line }, the best first, none
// where it was not searched or is counted; and perhaps the points that the last move lost. Moves are pairs of a colour
// and a point.
class Review {
  constructor(side, moves, found, noise) {
    Object.assign(this, { side, moves, found, noise });
  }

  // The points that a move, by its number from 1, lost; null where a position is missing.
  lost(number) {
    const [before, after] = [this.found[number - 1], this.found[number]];
    if (!before?.candidates.length || !after) return null;
    return after.lost ?? (after.visits > 1 ? Math.max(0, this.moves[number - 1][0] * (before.score - after.score)) : null);
  }

  level(lost) {
    return [1, 2, 4].filter((times) => lost >= times * this.noise).length;
  }

  isMistake(number) {
    const lost = this.lost(number);
    return lost >= this.noise && lost > 0 && this.found[number - 1].candidates[0].point !== this.moves[number - 1][1];
  }

  mistakes() {
    const numbers = this.moves.map((_, index) => index + 1).filter((number) => this.isMistake(number));
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
    return this.best(ply, toMove).map((each, index) => {
      const lost = Math.max(0, toMove * (found.candidates[0].score - each.score));
      return { ...each, name: "ABC"[index], lost: lostText(lost), level: this.level(lost) };
    });
  }

  best(ply, toMove) {
    const [first, ...others] = this.found[ply]?.candidates ?? [];
    others.sort((one, other) => toMove * (other.score - one.score));
    return first ? [first, ...others.slice(0, MOST_CANDIDATES - 1)] : [];
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

  graph() {
    const values = Array.from({ length: this.moves.length + 1 }, (_, ply) => this.found[ply]?.score ?? null);
    return { values, dots: this.marked().map((number) => ({ move: number, level: this.level(this.lost(number)) })) };
  }
}

// What fits into the mark of a candidate.
const lostText = (lost) => (lost ? `−${lost.toFixed(lost < 9.95 ? 1 : 0)}` : "0");

const rounded = (points) => Number(points.toFixed(1)) + 0;
const leadText = (score) => (Math.abs(score) < 0.05 ? "0" : `${score > 0 ? "B" : "W"}+${Math.abs(score).toFixed(1)}`);

// The lists beside the board. `go` is called with the number of moves to show, `showLine` with a candidate and how many
// moves of its line.
class ReviewLists {
  constructor(go, showLine) {
    Object.assign(this, { go, showLine, listed: {} });
    at("next-mistake").addEventListener("click", () => go(this.following - 1));
  }

  // `chosen` is a candidate and the number of moves of its line that the board shows; `isWhole` tells whether all
  // positions were searched.
  show(review, ply, toMove, chosen, isWhole) {
    at("next-move").textContent = this.sentence(review, ply);
    const candidates = review.candidates(ply, toMove) ?? [];
    this.list("candidates", [candidates, chosen], () =>
      candidates.map((each, index) => this.candidate(review, each, index, chosen)));
    const mistakes = review.mistakes().slice(0, MOST_MISTAKES);
    const told = mistakes.map((number) => [number, review.lost(number), review.found[number - 1].candidates[0].point]);
    this.list("mistakes", [told, ply], () => mistakes.map((number) => this.mistake(review, number, ply)));
    at("mistakes-heading").hidden = at("noise").hidden = !mistakes.length && !isWhole;
    at("noise").textContent = say(mistakes.length ? "noise" : "no_mistakes", { points: rounded(review.noise) });
    this.offer(mistakes, ply);
  }

  // Fills a list if it is to show something else: a touch must not lose what it has begun on.
  list(name, shown, make) {
    const key = JSON.stringify(shown);
    if (this.listed[name] === key) return;
    this.listed[name] = key;
    at(name).replaceChildren(...make());
  }

  // The button goes from the largest mistake to the next one, and on.
  offer(mistakes, ply) {
    const now = mistakes.indexOf(ply + 1);
    this.following = mistakes[(now + 1) % mistakes.length];
    at("next-mistake").disabled = mistakes.length === 0;
    at("next-mistake").textContent = texts[now < 0 ? "largest_mistake" : "next_mistake"];
  }

  sentence(review, ply) {
    const next = review.next(ply);
    if (!next) return "";
    const move = moveName(review.moves[ply], review.side);
    const best = review.found[ply].candidates[0].point;
    const values = { move, number: ply + 1, points: next.lost.toFixed(1), better: vertexOf(best, review.side) };
    if (best === next.point) return say("move_is_best", values);
    return say(next.level ? "move_lost" : "move_lost_little", values);
  }

  candidate(review, { name, point, score, level, line }, index, chosen) {
    const isChosen = index === chosen.index;
    const head = element("button", { className: "candidate" },
      element("b", { className: `level${level}`, textContent: name }),
      element("span", { textContent: vertexOf(point, review.side) }),
      element("span", { className: "number", textContent: leadText(score) }));
    head.setAttribute("aria-expanded", isChosen);
    head.addEventListener("click", () => this.showLine(index, 1));
    const item = element("li", {}, head);
    if (isChosen) item.append(this.line(review, line.slice(0, LONGEST_LINE), index, chosen.plies));
    return item;
  }

  line(review, line, index, plies) {
    const steps = element("div", { className: "line" });
    line.forEach((point, ply) => {
      const step = element("button", { textContent: vertexOf(point, review.side) });
      step.setAttribute("aria-pressed", plies === ply + 1);
      step.addEventListener("click", () => this.showLine(index, plies === ply + 1 ? 0 : ply + 1));
      steps.append(step);
    });
    return steps;
  }

  mistake(review, number, ply) {
    const lost = review.lost(number);
    const best = vertexOf(review.found[number - 1].candidates[0].point, review.side);
    const button = element("button", { className: "mistake" },
      element("b", { className: `level${review.level(lost)}`, textContent: number }),
      element("span", { textContent: moveName(review.moves[number - 1], review.side) }),
      element("span", { className: "number", textContent: say("points_lost", { points: lost.toFixed(1) }) }),
      element("span", { className: "soft", textContent: say("better", { vertex: best }) }));
    button.dataset.move = number;
    if (number === ply + 1) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => {
      this.go(number - 1);
      at("board").scrollIntoView({ block: "nearest" });
    });
    return element("li", {}, button);
  }
}

// The table of both players' accuracy, from the players of a review (docs/review.md), or nothing.
function accuracyTable(players) {
  if (!players) return "";
  const [black, white] = [players.black, players.white];
  const percent = (part) => (part ? `${part.accuracy_percent.toFixed(0)}%` : "");
  const rows = PHASES.map((phase) => [texts[`accuracy_${phase}`], percent(black[phase]), percent(white[phase])]);
  const whole = (name, shown) => [black, white].map(({ game }) => (game ? shown(game[name]) : ""));
  rows.push([texts.mean_lost, ...whole("mean_points_lost", (points) => points.toFixed(2))]);
  rows.push([texts.best_moves, ...whole("best_percent", (share) => `${share.toFixed(0)}%`)]);
  const row = (tag, cells) => element("tr", {}, ...cells.map((text, index) =>
    element(index ? tag : "th", { textContent: text, className: index ? "number" : "", scope: index ? "" : "row" })));
  const body = element("tbody", {}, ...rows.map((cells) => row("td", cells)));
  const label = { ariaLabel: texts.accuracy_game };
  return element("table", label, element("thead", {}, row("th", ["", texts.black, texts.white])), body);
}
