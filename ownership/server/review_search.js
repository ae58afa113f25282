"use strict";
// The review of the game, while the server searches its positions, and deeper searches of single positions.

const VISITS = 50; // of a position that is looked at, and of each position of a review unless the reader chooses more
const TIMES_DEEPER = 4;
const DEEPEST = 1000; // visits that the server takes
const PACED = 24; // positions, from which the time is estimated that a review takes
let reviewing = null; // the review that goes on
let halted = null; // the review that was stopped
let looking = new AbortController(); // what ends the look at all positions
let isDeepening = false;

// How far a review is: the visits of its passes through the game, the pass and the number of moves that it is at. `end` is
// the key of the game's end, `visits` those of the last pass, `isBegun` tells whether the server searches.
class ReviewRun {
  constructor(end, visits = VISITS) {
    Object.assign(this, { end, visits, ending: new AbortController(), isBegun: false, passes: [1], pass: 0, moves: 0, move: 0 });
    this.pace = []; // when the last positions came, in seconds, and the share of the review that was done then
  }

  take(found) {
    if (found.kind === "game") Object.assign(this, { isBegun: true, passes: found.passes, moves: found.moves });
    if (found.kind === "position") this.move = found.move;
    if (found.kind === "pass") Object.assign(this, { pass: this.pass + 1, move: 0 });
    if (this.pass) this.pace = [...this.pace, [performance.now() / 1000, this.share]].slice(-PACED);
  }

  get share() {
    const visits = (passes) => passes.reduce((sum, each) => sum + each, 0);
    const now = (this.passes[this.pass] ?? 0) * (this.move / (this.moves + 1));
    return (visits(this.passes.slice(0, this.pass)) + now) / visits(this.passes);
  }

  // What is done, and the time that is left at the pace of the last positions.
  get text() {
    const percent = `${Math.floor(100 * this.share)}%`;
    const [[begun, before], [now, share]] = [this.pace[0] ?? [0, 0], this.pace.at(-1) ?? [0, 0]];
    return share > before ? `${percent}, ${durationText(((1 - share) * (now - begun)) / (share - before))}` : percent;
  }
}

const durationText = (seconds) =>
  (seconds < 60 ? say("seconds", { count: Math.ceil(seconds) }) : say("minutes", { count: Math.ceil(seconds / 60) }));

const visitsChosen = () => Number(at("visits").value);

function takeIn(side, names, found) {
  if (found.kind === "error") throw new Error(found.error);
  if (found.kind === "game") ({ noise } = found);
  else if (found.kind !== "pass") keepFound(side, names[found.move], found);
  else if (found.sgf) accuracy = { players: found.players, end: names.at(-1), sgf: found.sgf, visits: found.visits };
}

async function* linesOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean);
    if (done) return;
  }
}

// Goes through the game; the first time with the network alone, for the graph.
async function goThrough(visits, signal, run = null) {
  const game = gameNow();
  const names = positionKeys(game);
  const body = JSON.stringify({ ...terms(game), sgf: recordOf(game), visits });
  const response = await post("review", JSON_TYPE, body, signal);
  for await (const line of linesOf(response)) {
    const found = JSON.parse(line);
    takeIn(game.side, names, found);
    run?.take(found);
    showSoon();
  }
}

async function reviewGame() {
  endReview();
  const run = new ReviewRun(positionKeys(gameNow()).at(-1), visitsChosen());
  reviewing = run;
  halted = null;
  showSoon();
  const isDone = await goThrough(run.visits, run.ending.signal, run).then(() => true, (error) => {
    if (error.name !== "AbortError") tell(error.message);
  });
  if (reviewing !== run) return;
  if (!isDone) halted = run;
  reviewing = null;
  showSoon();
  searchOn(asking.signal);
}

// The graph of a game that was opened.
function drawGraph() {
  looking.abort();
  looking = new AbortController();
  goThrough(1, looking.signal).catch(() => {}); // the graph stays empty
}

// Ends the review; the server keeps what it found, so that the same review goes on there.
function endReview() {
  if (reviewing) halted = reviewing;
  reviewing?.ending.abort();
  reviewing = null;
  showSoon();
}

function showButtons(isWhole) {
  const isDone = isWhole && visitsChosen() <= accuracy.visits;
  const stopped = !isDone && halted && isHere(halted.end) && halted.visits === visitsChosen() ? halted : null;
  const hasReview = reviewing !== null || isWhole || stopped !== null;
  at("next-mistake").hidden = !hasReview;
  if (reviewing && at("next-mistake").disabled) {
    at("next-mistake").textContent = texts[reviewing.isBegun ? "searching" : "review_begins"];
  }
  at("stop-review").hidden = !reviewing;
  at("stop-review").textContent = `${texts.stop_review} ${reviewing?.text}`;
  at("visits").hidden = reviewing !== null || !gameNow().moves.length;
  at("review-game").hidden = at("visits").hidden || isDone;
  at("review-game").textContent = stopped ? `${texts.continue_review} ${Math.floor(100 * stopped.share)}%` : texts.review_game;
}

// Searches a position of the game that is shown; its key, and what was found.
async function searchAt(now, visits, signal = asking.signal) {
  const game = gameNow();
  const key = positionKeys(game)[now];
  const body = JSON.stringify({ ...terms(game), move: now, visits });
  const found = await (await post("candidates", JSON_TYPE, body, signal)).json();
  return [key, keepFound(game.side, key, found)];
}

const foundNow = (now = state.now) => searched.get(positionKeys(gameNow())[now]);

async function search(now) {
  const known = foundNow(now);
  return known?.visits >= VISITS ? known : (await searchAt(now, VISITS))[1];
}

// Searches the position that is shown if the reader wants to see candidates, and no review comes to it.
async function searchShown(signal) {
  if (wanted !== "candidates" || reviewing || signal.aborted || state !== accepted) return;
  if (isOver()) return;
  await search(state.now).then(showSoon, (error) => error.name === "AbortError" || tell(error.message));
}

const deeperVisits = () => Math.min(DEEPEST, TIMES_DEEPER * Math.max(VISITS, foundNow().visits));

// Searches the position that is shown, and the one after the next move of the game, deeper than the review.
async function lookDeeper() {
  const { now } = state;
  const visits = deeperVisits();
  isDeepening = true;
  showReview();
  try {
    await searchAt(now, visits);
    showSoon();
    if (now < gameNow().moves.length) {
      const [key, found] = await searchAt(now + 1, visits);
      searched.set(key, { ...found, lost: undefined }); // it follows from the two searches
    }
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message);
  }
  isDeepening = false;
  showSoon();
}

function showDeeper() {
  const visits = foundNow()?.visits ?? 0;
  at("keep-searching").hidden = visits < 2 && !isEndless;
  at("deeper").hidden = visits < 2 || visits >= DEEPEST || isEndless;
  if (at("deeper").hidden) return;
  at("deeper").disabled = isDeepening;
  at("deeper").textContent = isDeepening ? texts.searching : say("deeper", { visits: deeperVisits() });
}

at("review-game").addEventListener("click", reviewGame);
at("stop-review").addEventListener("click", endReview);
at("visits").addEventListener("change", () => {
  showReview();
  keepState();
});
at("deeper").addEventListener("click", lookDeeper);
