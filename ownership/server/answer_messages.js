"use strict";
// What the page says about the answer that it shows.

// The search of the position that is shown, which knows more than the network alone; null where there is none, where the
// position is counted, and where groups are marked, of which the search knows nothing.
function searchNow() {
  const found = foundNow();
  return found?.visits > 1 && !shown.finished && !claimsNow().length ? found : null;
}

// The points of both, half of what a search adds to Black's lead for each.
function figuresNow() {
  const { black, white } = shown.figures;
  const gain = searchNow() ? (searchNow().score - shown.score) / 2 : 0;
  return gain ? { black: (Number(black) + gain).toFixed(1), white: (Number(white) - gain).toFixed(1) } : { black, white };
}

function pointsOfBoth() {
  const { black, white } = figuresNow();
  const name = shown.before_further_stones ? "points_before_further_stones" : "points";
  return say(name, { black, white, komi: shown.komi, rules: rulesName(shown.rules) });
}

function drawSheet() {
  const { black, white } = shown.figures;
  const rows = [...(shown.sheet ?? []), ["total", black, white]];
  at("sheet").hidden = !shown.sheet;
  at("sheet").tBodies[0].replaceChildren(...rows.map(([name, black, white]) => {
    const row = document.createElement("tr");
    const head = Object.assign(document.createElement("th"), { scope: "row" });
    head.textContent = say(`sheet_${name.replace(" ", "_")}`);
    row.append(head);
    for (const points of [black, white]) row.insertCell().textContent = Number(Number(points).toPrecision(6));
    for (const cell of row.cells) if (cell !== head) cell.className = "number";
    return row;
  }));
}

// What the record leaves open, a doubtful komi of 0, and where it ends too early.
function assumed(game) {
  const values = { rules: rulesName(shown.rules), komi: shown.komi };
  const names = shown.assumed.filter((name) => values[name] !== undefined);
  const said = names.map((name) => say(`assumed_${name}`, { value: values[name] }));
  if (game.handicap_from) said.push(say(`assumed_${game.handicap_from.replace(" ", "_")}`, { value: game.handicap }));
  if (game.may_lack_komi && shown.komi === 0 && state.komi === "") said.push(texts.may_lack_komi, texts.enter_komi);
  return [...said, ...game.notes.map(sentence), missing(game)].join(" ");
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function missing(game) {
  if (game.illegal_move) {
    const { number, colour, vertex, reason } = game.illegal_move;
    return say(`record_${reason.replace(" ", "_")}`, { move: number, colour: texts[colour], vertex });
  }
  return game.broken_off ? say("broken_off", { move: game.moves.length }) : "";
}

function recorded() {
  const parts = resultOf(shown) ? [compared()] : [];
  const differs = shown.territory_differs ?? [];
  if (differs.length) parts.push(say("territory_differs", { vertices: someOf(differs, MOST_NAMED) }));
  return parts.join(". ");
}

// The recorded result compared with the count, by the record's terms where the reader chose others.
function compared() {
  if (shown.difference === null) return say("recorded", { result: shown.recorded });
  const terms = shown.record_terms;
  if (!terms) return withDifference();
  const named = say("terms", { rules: rulesName(terms.rules), komi: terms.komi });
  return say("by_record_terms", { compared: withDifference(), terms: named });
}

function withDifference() {
  const { recorded: result, difference, difference_is } = shown;
  if (difference === 0) return say("recorded_same", { result });
  const exactly = difference_is ? say(`exactly_${difference_is.replaceAll(" ", "_")}`) : "";
  const points = Math.abs(difference);
  return say(`recorded_${points === 1 ? "one" : "many"}`, { result, colour: colourName(difference), points, exactly });
}

// What stands behind the verdict: win rate and interval of an expected score, and why a count may be wrong.
function details() {
  if (searchNow()) return [...searchDetails(searchNow()), ...(state.now === gameNow().moves.length ? [shown.trust] : [])];
  if (shown.figures.interval) {
    const [low, high] = shown.figures.interval;
    return [chanceText(shown.black_wins), say("interval", { low, high }), shown.trust];
  }
  const vertices = someOf(shown.gaps, MOST_NAMED);
  const others = shown.reasons.map(({ text }) => text).filter((text) => !shown.trust.includes(text));
  const reasons = someOf(others, MOST_REASONS);
  const teire = someOf(shown.teire, MOST_NAMED);
  return [
    shown.trust,
    ...(vertices ? [say("seal_at", { vertices })] : []),
    ...(reasons ? [say(shown.state === "confirmed" ? "left_open" : "in_doubt", { reasons })] : []),
    ...(teire ? [say("teire_at", { vertices: teire })] : []),
    ...(komiDecides() ? [texts.komi_decides] : []),
  ];
}

const searchDetails = ({ black_wins, low, high, visits }) => [
  chanceText(black_wins),
  ...(low === null ? [] : [say("interval", { low: leadText(low), high: leadText(high) })]),
  say("by_search", { visits }),
];

const MOST_NAMED = 12; // points
const MOST_REASONS = 5; // that the details name, as the terminal does

// The first names of a list, and how many are left out.
function someOf(names, most) {
  const left = names.length - most;
  const named = names.slice(0, most).join(", ");
  return left > 0 ? say("and_more", { named, left }) : named;
}

// The score, by the search of the position where there is one.
function describeScore() {
  const game = gameNow();
  showText("status", verdict());
  showText("reason", isBlank(game) ? "" : details().join(" "));
  showText("points", isBlank(game) ? "" : pointsOfBoth());
  describeSlider(game);
}

// Shows a text if it is another one: screen readers speak what changes.
function showText(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

// All that stands beside the board.
function describe() {
  const game = gameNow();
  describeScore();
  drawSheet();
  listGames();
  showTree();
  showReview();
  showWhy();
  at("begin").hidden = !isBlank(game);
  at("assumed").textContent = assumed(game);
  at("recorded").textContent = recorded();
  at("model").textContent = say("scored_by", { model: shown.model });
  at("played").textContent = played();
  showComment();
  const name = isNamed(game) ? playersText() : openedName();
  document.querySelector("h1").textContent = name ?? texts.title;
  document.title = [name, texts.title].filter(Boolean).join(" · ");
  document.querySelector("header .soft").textContent = state.file ? circumstances(game) : texts.subtitle;
  at("graph").hidden = !game.moves.length;
  describeTerms(game);
  at("undo").disabled = states.length === 0;
  at("share").disabled = false;
}

function verdict() {
  if (isBlank(gameNow())) return texts.start;
  return searchNow() ? leadSentence(searchNow().score) : shown.verdict;
}

function leadSentence(score) {
  const points = rounded(score);
  return points ? say("leads", { colour: colourName(points), points: Math.abs(points) }) : texts.leads_neither;
}

// Whether another usual komi than the assumed one would change the winner.
function komiDecides() {
  const before = shown.score + shown.komi; // Black's lead without komi
  const isOpen = shown.finished && shown.assumed.includes("komi") && shown.state !== "confirmed";
  return isOpen && before >= 0 && before <= Math.max(MOST_USUAL, shown.komi);
}

const MOST_USUAL = 7.5; // points of komi

const isBlank = ({ moves }) => state.file === null && moves.length === 0 && !shown.stones.some((row) => /[XO]/.test(row));
const isNamed = (game) => Boolean(game.black || game.white);
const playersText = () => `${playerOf(gameNow(), "black")} – ${playerOf(gameNow(), "white")}`;

const circumstances = ({ name, date, result }) => [name, date, knownResult(result)].filter(Boolean).join(" · ");
const rulesName = (name) => texts[`rules_${name}`];

function describeSlider(game) {
  const slider = at("slider");
  slider.max = game.moves.length;
  slider.value = state.now;
  slider.setAttribute("aria-valuetext", `${played()}. ${verdict()}`);
}

function describeTerms(game) {
  const doubt = shown.assumed.length ? "?" : "";
  at("terms").textContent = say("terms", { rules: rulesName(shown.rules), komi: shown.komi }) + doubt;
  at("terms").classList.toggle("asked", komiDecides());
  at("rules").value = state.rules;
  if (document.activeElement !== at("komi")) at("komi").value = state.komi;
  at("komi").placeholder = shown.komi;
  at("to-move").value = mover(game, state.now);
  at("to-move").disabled = game.moves.length > 0;
  for (const colour of PRISONERS) {
    at(`prisoners-${colour}`).value = state.prisoners[colour];
    at(`prisoners-${colour}`).parentElement.hidden = !shown.counts_prisoners;
  }
}

const played = () => playedText(gameNow().moves, state.now, board.side);
