"use strict";
// Win rates: probabilities of winning, in words and in the graph.

// A probability in percent, which is never called certain.
const percentText = (wins) => {
  const percent = Math.round(100 * wins);
  return percent === 100 ? "> 99" : percent === 0 ? "< 1" : `${percent}`;
};

// The win rate of the side that has more of it, given Black's; "" where the score is counted.
function chanceText(blackWins) {
  if (blackWins === null) return "";
  const values = { colour: colourName(blackWins >= 0.5 ? 1 : -1), percent: percentText(Math.max(blackWins, 1 - blackWins)) };
  return say("chance", values);
}

// What a graph shows of each found position, null for nothing; how far it goes, the steps of its grid, and their labels.
const LEAD = {
  label: "graph_label",
  value: (found) => found?.score ?? null,
  most: (values) => 1.2 * Math.max(10, ...values.map((value) => Math.abs(value ?? 0))),
  steps: [5, 10, 20, 50, 100, 200, 400],
  text: lead,
};
const RATE = {
  label: "graph_rate_label",
  value: (found) => (typeof found?.black_wins === "number" ? 100 * found.black_wins - 50 : null),
  most: () => 52,
  steps: [10, 25, 50],
  text: (value) => `${value ? (value > 0 ? "B " : "W ") : ""}${50 + Math.abs(value)}%`,
};

// The button that switches the graph between leads and win rates; `show` is called after a switch.
function switchGraph(show) {
  at("graph-rate").addEventListener("click", () => {
    at("graph-rate").setAttribute("aria-pressed", graphUnit() === LEAD);
    show();
  });
}

const graphUnit = () => (at("graph-rate").getAttribute("aria-pressed") === "true" ? RATE : LEAD);
