"use strict";
// The texts of the page, from the file of its language.

const at = (id) => document.getElementById(id);
const texts = JSON.parse(at("strings").textContent);
const grouped = (value) => (typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 6 }) : value);
const say = (name, values = {}) => texts[name].replace(/\{(\w+)\}/g, (_, key) => grouped(values[key]));
const colourName = (colour) => (colour > 0 ? texts.black : texts.white);
const lead = (score) => (score === 0 ? "0" : `${score > 0 ? "B" : "W"}+${Math.abs(score)}`);
const moveName = ([colour, point], side) => (point < side * side
  ? say("move_of", { colour: colourName(colour), vertex: vertexOf(point, side) })
  : say("pass_of", { colour: colourName(colour) }));

const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const vertexOf = (point, side) => (point < side ** 2 ? LETTERS[point % side] + (side - Math.floor(point / side)) : "pass");
const pointOf = (vertex, side) =>
  (vertex === "pass" ? side ** 2 : (side - vertex.slice(1)) * side + LETTERS.indexOf(vertex[0]));

function playedText(moves, now, side) {
  if (!now) return texts.move_at_start;
  return say("move_shown", { move: now, last: moves.length, played: moveName(moves[now - 1], side) });
}

// An element with a text, which is never read as markup.
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
