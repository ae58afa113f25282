"use strict";
// Moves on the board: moves of the game, and own variations, which are kept with it.

let playsOut = false; // whether the model answers

async function play(point) {
  const { side } = gameNow();
  const colour = mover(gameNow(), state.now);
  const vertex = vertexOf(point, side);
  const forbidden = cells()[point].stone ? "occupied" : shown.ko === vertex ? "ko" : null;
  if (forbidden) return tell(say(`illegal_${forbidden}`, { move: state.now + 1, colour: colourName(colour), vertex }));
  await addMoves(point);
  if (playsOut) await answerMove();
  return undefined;
}

// Goes on with moves at points; marks of groups come after the end.
async function addMoves(...points) {
  await goOn(points);
  if (isOver()) choose("judge");
}

// Goes on in a line that has the moves already, or else adds them: to the end of an own line, or as another one.
function goOn(points) {
  const { lines, line } = state;
  const now = state.now + points.length;
  const known = [line, ...lines.keys()].find((each) => goesOn(lines[each], points));
  if (known !== undefined) return turnTo({ ...state, line: known, now });
  const game = points.reduce((begun, point, index) => withMove(begun, state.now + index, point), gameNow());
  const isOwn = state.now === gameNow().moves.length && (line > 0 || !state.file);
  if (isOwn) return change({ ...withGame(game), now });
  return change({ ...state, lines: [...lines, game], line: lines.length, now });
}

// Whether a line has the moves that are shown, and then moves at points.
function goesOn({ moves }, points) {
  const same = ([colour, at], index) => moves[index]?.[0] === colour && moves[index][1] === at;
  const follow = points.every((point, index) => moves[state.now + index]?.[1] === point);
  return follow && gameNow().moves.slice(0, state.now).every(same);
}

async function pass() {
  await whenReady();
  await addMoves(board.points);
  if (playsOut) await answerMove();
}

// Both sides pass, so that the position is counted.
async function endGame() {
  await whenReady();
  await addMoves(board.points, board.points);
}

// The model plays the move that a search prefers.
async function answerMove() {
  await whenReady();
  const { now } = state;
  if (isOver()) return setPlaysOut(false);
  try {
    tell(texts.thinking);
    const [best] = (await search(now)).candidates;
    tell("");
    if (best && state.now === now) await addMoves(best.point);
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message);
  }
  return undefined;
}

function setPlaysOut(on) {
  playsOut = on;
  at("play-out").setAttribute("aria-pressed", on);
  if (on) choose("play");
}

at("pass").addEventListener("click", pass);
at("both-pass").addEventListener("click", endGame);
at("play-out").addEventListener("click", () => setPlaysOut(!playsOut));
