"use strict";
// Notes: the comment on the position that is shown, which the reader may write. Notes are shared with the record.

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
  const lines = state.lines.map((line) => (sharedMoves(line, game) >= now ? withNote(line, now, text) : line));
  return change({ ...state, lines });
}

at("note").addEventListener("click", writeNote);
at("note-text").addEventListener("blur", keepNote);
at("note-text").addEventListener("keydown", ({ key }) => key === "Escape" && at("note").focus());
