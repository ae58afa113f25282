"use strict";
// Notes: the comment and the marks on the position that is shown, which the reader may write. They are shared with the record.

const LONGEST_NOTE = 2000; // characters of a comment that the server reads

const commentNow = () => gameNow().comments[state.now] ?? "";

function showComment() {
  at("comment").textContent = commentNow();
  at("notes").hidden = !commentNow() && at("note-text").hidden;
  at("note").disabled = commentNow().length >= LONGEST_NOTE; // it may go on in the record
}

function writeNote() {
  at("note-text").value = commentNow();
  at("note-text").hidden = false;
  at("comment").hidden = true;
  at("notes").hidden = false;
  at("note-text").focus();
}

// Keeps the note with all lines that have the position.
async function keepNote() {
  const [text, { now }, game] = [at("note-text").value.trim(), state, gameNow()];
  at("note-text").hidden = true;
  at("comment").hidden = false;
  if (text === commentNow()) return showComment();
  return change({ ...state, lines: linesWith(game, now, (line) => withNote(line, now, text)) });
}

// All lines, with what is added to those that share some moves of a game.
const linesWith = (game, moves, add) => state.lines.map((line) => (sharedMoves(line, game) >= moves ? add(line) : line));

// Puts a mark, TR, SQ or the next letter, on a point in place of others; the same mark is taken away.
async function markPoint(point, name) {
  const [vertex, { now }, game] = [board.vertex(point), state, gameNow()];
  const before = game.marks[now] ?? {};
  const isThere = (mark) => [mark].flat()[0] === vertex;
  const others = Object.entries(before).map(([each, marks]) => [each, marks.filter((mark) => !isThere(mark))]);
  const marks = Object.fromEntries(others.filter(([, left]) => left.length));
  const added = name === "LB" ? [vertex, nextLetter(before.LB ?? [])] : vertex;
  if (!(before[name] ?? []).some(isThere)) marks[name] = [...(marks[name] ?? []), added];
  await change({ ...state, lines: linesWith(game, now, (line) => withMarks(line, now, marks)) });
}

const nextLetter = (labels) =>
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => labels.every(([, text]) => text !== letter)) ?? "?";

at("note").addEventListener("click", writeNote);
at("note-text").addEventListener("blur", keepNote);
at("note-text").addEventListener("keydown", ({ key }) => key === "Escape" && at("note").focus());
