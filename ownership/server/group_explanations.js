"use strict";
// What the tool Why? shows: the points that hang on groups, and how one of them lives or dies.

const MOST_AT_STAKE = 3; // groups in the list
const LEAST_AT_STAKE = 1; // points times the chance of the less likely fate
const COLOURS = { Black: 1, White: -1 };
const explained = new Map(); // groups by position and first stone
const staked = new Map(); // what is at stake by position
let why = null; // the group that was asked about in the position that is shown
let explaining = new AbortController(); // what ends the search for it

const asksWhy = () => document.querySelector("[name=tool]:checked").value === "why";
const keyNow = () => positionKeys(gameNow())[state.now];
const stakesNow = () => staked.get(keyNow());
const inDanger = ({ chance }) => Math.min(chance, 1 - chance);
const percentOf = (share) => Math.round(100 * share);

function forgetWhy() {
  explaining.abort();
  explaining = new AbortController();
  why = null;
}

const chainAt = (point, all) => [...connected(point, board.side, (other) => all[other].stone === all[point].stone)];

// Asks how the group at a point lives or dies. Touches of the board need not wait for the answer.
async function explain(point) {
  const all = cells();
  const vertex = board.vertex(Math.min(...(all[point].stone ? chainAt(point, all) : [point])));
  if (!all[point].stone) {
    tell(say("no_group", { vertex }));
    return;
  }
  forgetWhy();
  shownLine = NO_LINE;
  const { signal } = explaining;
  const key = `${keyNow()} ${vertex}`;
  tell(explained.has(key) ? "" : say("reading_out", { vertex }));
  try {
    if (!explained.has(key)) explained.set(key, await groupFrom("explain", { vertex }, signal));
    why = explained.get(key);
    tell(whySentence());
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message);
  }
  showWhy();
  draw();
}

async function groupFrom(path, fields, signal) {
  const body = JSON.stringify({ ...terms(), move: state.now, ...fields });
  return (await post(path, JSON_TYPE, body, signal)).json();
}

// Asks what is at stake in the position that is shown, where the reader wants to see it or its next move is a mistake.
async function askStakes(signal) {
  const key = keyNow();
  const sentence = () => lists.sentence(reviewNow(), state.now);
  const said = sentence();
  if (staked.has(key) || !(asksWhy() || reviewNow().isMistake(state.now + 1))) return;
  try {
    staked.set(key, await groupFrom("stakes", { symmetries: 1 }, signal));
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message);
    return;
  }
  const isElsewhere = at("next-move").checkVisibility();
  if (at("message").textContent === said && !isElsewhere) tell(sentence()); // with what the move risks
  showWhy();
  showReview();
  draw();
}

function atStake() {
  const groups = (stakesNow()?.groups ?? []).filter((group) => group.at_stake >= LEAST_AT_STAKE);
  return groups.slice(0, MOST_AT_STAKE);
}

function drawStakes() {
  if (!asksWhy()) return;
  board.drawStakes(atStake().map(({ group, points, colour }) => (
    { stones: group.map((vertex) => pointOf(vertex, board.side)), colour: COLOURS[colour], points })));
}

const groupValues = ({ group, colour }) => ({ colour: colourName(COLOURS[colour]), vertex: group[0] });
const whySentence = () => say(`why_${why.status}`, groupValues(why));

function outcomeText({ outcome, proof, chance, ko, seki }) {
  const named = proof ? `end_${proof.replaceAll(" ", "_")}` : `end_likely_${outcome}`;
  const end = say(named, { percent: percentOf(chance) });
  return seki ? say("end_in_seki", { end }) : ko ? say("end_by_ko", { end, vertex: ko }) : end;
}

// The moves of a line of the group that was asked about, pairs of a colour and a point.
function whyLine(index) {
  const { first, moves } = why.lines[index];
  return moves.map((vertex, ply) => [(ply % 2 ? -1 : 1) * COLOURS[first], pointOf(vertex, board.side)]);
}

function showWhy() {
  const isAsking = asksWhy() && why === null;
  at("why").hidden = !isAsking && why === null;
  if (at("why").hidden) return;
  at("why-heading").hidden = why !== null; // the message has the sentence
  const shownPlies = (index) => (shownLine.isWhy && shownLine.index === index ? shownLine.plies : 0);
  const rows = why ? why.lines.map((line, index) => whyRow(line, index, shownPlies(index))) : stakeRows();
  at("why-rows").replaceChildren(...rows.map((row) => element("li", {}, ...row)));
}

function whyRow(line, index, plies) {
  const head = element("button", { className: "group" },
    element("b", { textContent: say("moves_first", { colour: colourName(COLOURS[line.first]) }) }),
    element("span", { textContent: outcomeText(line) }));
  head.setAttribute("aria-expanded", plies > 0);
  const showLine = (shown) => {
    shownLine = { index, plies: shown, isWhy: true };
    showWhy();
    showReview();
    draw();
  };
  head.disabled = !line.moves.length;
  head.addEventListener("click", () => showLine(plies ? 0 : 1));
  if (!plies) return [head];
  const step = element("p", { textContent: say("line_step", { ply: plies, moves: line.moves.length }) });
  return [head, step, lineSteps(line.moves, plies, showLine)];
}

function stakeRows() {
  if (!stakesNow()) return [[texts.waiting]];
  const groups = atStake();
  return groups.length ? groups.map(stakeRow) : [[texts.nothing_at_stake]];
}

function stakeRow(stake) {
  const values = { ...groupValues(stake), points: Math.round(stake.points), percent: percentOf(inDanger(stake)) };
  const button = element("button", { className: "group" },
    element("b", { textContent: say("move_of", values) }),
    element("span", { textContent: say(stake.chance >= 0.5 ? "stake_in_danger" : "stake_to_live", values) }));
  button.addEventListener("click", () => explain(pointOf(stake.group[0], board.side)));
  return [button];
}

function toolChosen() {
  if (!shown || state !== accepted) return;
  showWhy();
  draw();
  askStakes(asking.signal);
}

for (const each of document.querySelectorAll("[name=tool]")) each.addEventListener("change", toolChosen);
