"use strict";
// The review that the record of a game holds, which is shown without a search.

// Whether something is known about all positions of a game.
const isSearched = (game) => !game.moves.length || positionKeys(game).every((key) => searched.has(key));

function keepReview(review) {
  const [{ side }, names] = [gameNow(), positionKeys(gameNow())];
  for (const found of review.positions) keepFound(side, names[found.move], found);
  ({ noise } = review);
  if (review.players) accuracy = { players: review.players, end: names.at(-1), visits: Math.max(VISITS, ...review.positions.map(({ visits }) => visits)) };
  showSoon();
}
