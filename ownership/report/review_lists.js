"use strict";
// The lists beside the board: the candidates of a position, the mistakes of the game, the accuracy of both players.

const PHASES = ["game", "opening", "middle", "end"];

// `go` is called with the number of moves to show, `showLine` with a candidate and how many
// moves of its line.
class ReviewLists {
  constructor(go, showLine) {
    Object.assign(this, { go, showLine, listed: {} });
    at("next-mistake").addEventListener("click", () => go(this.following - 1));
    at("previous-mistake").addEventListener("click", () => go(this.preceding - 1));
    at("mistakes-of").addEventListener("change", () => this.show(...this.shown));
  }

  // `chosen` is a candidate and the number of moves of its line that the board shows; `isWhole` tells whether all
  // positions were searched.
  show(...shown) {
    this.shown = shown;
    const [review, ply, toMove, chosen, isWhole] = shown;
    at("next-move").textContent = this.sentence(review, ply);
    const rows = review.rows(ply, toMove);
    const plies = (index) => (index === chosen.index ? chosen.plies : 0);
    at("candidates-head").hidden = at("searched").hidden = !rows.length;
    this.list("candidates", [rows, chosen], () => rows.map((row, index) =>
      candidateRow(row, review.side, toMove, plies(index), (shown) => this.showLine(index, shown))));
    at("searched").textContent = rows.length ? this.searchText(review.found[ply]) : "";
    const mistakes = review.mistakes(this.colour).slice(0, MOST_MISTAKES);
    const told = mistakes.map((number) => [number, review.lost(number), review.found[number - 1].candidates[0].point, review.risks[number - 1]]);
    this.list("mistakes", [told, ply], () => mistakes.map((number) => this.mistake(review, number, ply)));
    at("mistakes-of").hidden = !review.mistakes().length;
    at("mistakes-heading").hidden = at("noise").hidden = at("mistakes-of").hidden && !isWhole;
    at("noise").textContent = say(mistakes.length ? "noise" : "no_mistakes", { points: rounded(review.noise) });
    at("mistakes-heading").textContent = texts[isWhole ? "mistakes_heading" : "mistakes_so_far"];
    this.offer(mistakes, ply, isWhole);
  }

  // The colour whose mistakes the reader wants to see, 0 for both.
  get colour() {
    return Number(document.querySelector("[name=mistakes-of]:checked").value);
  }

  riskText(risk) {
    return risk ? say("risked", { points: Math.round(risk.points) }) : "";
  }

  searchText({ visits, score, black_wins }) {
    return say("searched_with", { visits, lead: leadText(score), chance: chanceText(black_wins) });
  }

  // Fills a list if it is to show something else: a touch must not lose what it has begun on.
  list(name, shown, make) {
    const key = JSON.stringify(shown);
    if (this.listed[name] === key) return;
    this.listed[name] = key;
    at(name).replaceChildren(...make());
  }

  // The buttons go from the largest mistake to the next one, and on, and back.
  offer(mistakes, ply, isWhole) {
    const now = mistakes.indexOf(ply + 1);
    this.following = mistakes[(now + 1) % mistakes.length];
    this.preceding = mistakes[now - 1];
    at("previous-mistake").hidden = now < 1;
    at("next-mistake").disabled = mistakes.length === 0;
    at("next-mistake").textContent = texts[now >= 0 ? "next_mistake" : isWhole ? "largest_mistake" : "largest_so_far"];
  }

  sentence(review, ply) {
    const next = review.next(ply);
    if (!next) return "";
    const move = moveName(review.moves[ply], review.side);
    const best = review.found[ply].candidates[0].point;
    const values = { move, number: ply + 1, points: next.lost.toFixed(1), better: vertexOf(best, review.side) };
    if (best === next.point) return say("move_is_best", values);
    return `${say(next.level ? "move_lost" : "move_lost_little", values)} ${this.riskSentence(review.risks[ply])}`.trim();
  }

  riskSentence(risk) {
    if (!risk) return "";
    const [before, after] = [risk.chance_before, risk.chance].map((chance) => Math.round(100 * (1 - chance)));
    const colour = risk.colour === "Black" ? texts.black : texts.white;
    return say("move_risked", { colour, vertex: risk.group[0], points: Math.round(risk.points), before, after });
  }

  mistake(review, number, ply) {
    const lost = review.lost(number);
    const best = vertexOf(review.found[number - 1].candidates[0].point, review.side);
    const button = element("button", { className: "mistake" },
      element("b", { className: `level${review.level(lost)}`, textContent: number }),
      element("span", { textContent: moveName(review.moves[number - 1], review.side) }),
      element("span", { className: "number", textContent: say("points_lost", { points: lost.toFixed(1) }) }),
      element("span", { className: "soft", textContent: [say("better", { vertex: best }), this.riskText(review.risks[number - 1])].filter(Boolean).join(", ") }));
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
