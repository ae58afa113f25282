"use strict";
// Which moves of a search are shown.

const [FEWEST_CANDIDATES, MOST_CANDIDATES] = [3, 5]; // more than the fewest only where the search looked at them
const LOOKED_AT = 5; // visits

// The best move, and the others that keep most points for a colour, first those that the search looked at.
function shownCandidates([first, ...others], colour) {
  if (!first) return [];
  const isSure = ({ visits }) => visits >= LOOKED_AT;
  others.sort((one, other) => isSure(other) - isSure(one) || colour * (other.score - one.score));
  const most = Math.max(FEWEST_CANDIDATES - 1, others.filter(isSure).length);
  return [first, ...others.slice(0, Math.min(most, MOST_CANDIDATES - 1))];
}
