"use strict";
// Moves on the board: moves of the game, and own variations, which are kept with it.

let playsOut = false; // whether the model answers

// A move at a point, after the line that the board shows.
async function play(point) {
  const { side } = gameNow();
  const line = lineShown();
  const colour = line.length ? -line.at(-1)[0] : mover(gameNow(), state.now);
  const vertex = vertexOf(point, side);
  const stones = afterMoves(cells().map(({ stone }) => stone), side, line);
  const forbidden = stones[point] ? "occupied" : shown.ko === vertex && !line.length ? "ko" : null;
  const move = state.now + line.length + 1;
  if (forbidden) return tell(say(`illegal_${forbidden}`, { move, colour: colourName(colour), vertex }));
  await addMoves([...line, [colour, point]]);
  if (playsOut) await answerMove();
  return undefined;
}

// The moves that the side to move and the other one make at points.
function turns(...points) {
  const colour = mover(gameNow(), state.now);
  return points.map((point, index) => [index % 2 ? -colour : colour, point]);
}

// Goes on with moves; marks of groups come after the end.
async function addMoves(moves) {
  await goOn(moves);
  if (isOver()) choose("judge");
}

// Goes on in a line that has the moves already, or else adds them: to the end of an own line, or as another one.
function goOn(moves) {
  const { lines, line } = state;
  const now = state.now + moves.length;
  const known = [line, ...lines.keys()].find((each) => goesOn(lines[each], moves));
  if (known !== undefined) return turnTo({ ...state, line: known, now });
  const game = withMoves(gameNow(), state.now, moves);
  const isOwn = state.now === gameNow().moves.length && (line > 0 || !state.file);
  if (isOwn) return change({ ...withGame(game), now });
  return change({ ...state, lines: [...lines, game], line: lines.length, now });
}

// Whether a line has the moves that are shown, and then others.
function goesOn({ moves }, others) {
  const same = ([colour, at], index) => moves[index]?.[0] === colour && moves[index][1] === at;
  return [...gameNow().moves.slice(0, state.now), ...others].every(same);
}

async function pass() {
  await whenReady();
  await addMoves(turns(board.points));
  if (playsOut) await answerMove();
}

// Both sides pass, so that the position is counted.
async function endGame() {
  await whenReady();
  await addMoves(turns(board.points, board.points));
}

// The model plays the move that a search prefers, and passes where the game is counted, as nothing is searched there.
async function answerMove() {
  await whenReady();
  const { now } = state;
  if (isOver()) return setPlaysOut(false, texts.play_out_over);
  try {
    tell(texts.thinking);
    const [best] = (await search(now)).candidates;
    tell("");
    if (state.now !== now) return undefined;
    await addMoves(turns(best?.point ?? board.points));
    if (isOver()) setPlaysOut(false, texts.play_out_over);
    else if (!best) tell(texts.play_out_passes);
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message);
  }
  return undefined;
}

function setPlaysOut(on, said) {
  playsOut = on;
  at("play-out").setAttribute("aria-pressed", on);
  if (on) choose("play");
  tell(said);
}

at("pass").addEventListener("click", pass);
at("both-pass").addEventListener("click", endGame);
at("play-out").addEventListener("click", () => setPlaysOut(!playsOut, playsOut ? "" : texts.play_out_on));
