"use strict";
// The list of the games in a file: players, result, and our count, which the page works out one after another.

const counted = new Map(); // result and state of our counts, by file and number
const NO_RECORD = new Set(["empty", "not SGF", "unreadable"]); // reasons why a file is not counted as a game
let counting = null; // what ends the count of all games

const countOf = (file, number) => counted.get(`${file.id} ${number}`);
const rowOf = (number) => at("game-rows").querySelector(`[data-number="${number}"]`);

function keepCount(file, number, { result, state: known }) {
  counted.set(`${file.id} ${number}`, { result, state: known });
  keep("found");
  if (file === state.file) rowOf(number)?.replaceWith(gameRow(file, number));
}

// The count of a record as it was opened is the one of the list, too.
function keepCountShown() {
  const { file, number, line, rules, komi, prisoners } = state;
  const { moves, sgf } = gameNow();
  const isChanged = claimsNow().length || rules || komi !== "" || prisoners.black || prisoners.white;
  if (file && sgf && line === 0 && state.now === moves.length && !isChanged) keepCount(file, number, shown);
}

// What the list shows of a game.
function gameCells(file, number) {
  const game = file.games[number - 1];
  const count = countOf(file, number);
  const isRead = game.length !== undefined;
  return [
    game.file ?? number,
    game.date ?? "",
    ...["black", "white"].map((colour) => (isRead ? playerOf(game, colour) : "")),
    (isRead && resultOf(game)) || "",
    count?.result ?? "",
    count ? texts[`state_${count.state}`] : "",
    game.length ?? "",
  ];
}

function gameRow(file, number) {
  const { error } = file.games[number - 1];
  const [name, ...cells] = gameCells(file, number);
  const button = element("button", { textContent: name, disabled: Boolean(error) });
  button.addEventListener("click", () => chooseGame(number));
  const shownCells = error
    ? [element("td", { textContent: refusal(file.games[number - 1]), colSpan: cells.length })]
    : cells.map((textContent, index) => element("td", { textContent, className: index === cells.length - 1 ? "number" : "" }));
  const row = element("tr", {}, element("th", { scope: "row" }, button), ...shownCells);
  row.dataset.number = number;
  if (file === state.file && number === state.number) row.setAttribute("aria-current", "true");
  row.hidden = !matchesSearch(row);
  return row;
}

const matchesSearch = ({ textContent }) => {
  const words = at("search-games").value.toLowerCase().split(/\s+/);
  return words.every((word) => textContent.toLowerCase().includes(word));
};

function listRows() {
  const { file } = state;
  at("game-rows").replaceChildren(...file.order.map((number) => gameRow(file, number)));
}

function filterRows() {
  for (const row of at("game-rows").rows) row.hidden = !matchesSearch(row);
}

async function countGame(file, number, signal) {
  const { sgf } = await readGame(file, number, signal);
  keepCount(file, number, await score({ sgf, language: document.documentElement.lang }, signal));
}

// Counts the games that the list shows, until all are done or the reader stops it.
async function countAll() {
  const { file } = state;
  const numbers = [...at("game-rows").rows].filter(({ hidden }) => !hidden).map(({ dataset }) => Number(dataset.number));
  const left = numbers.filter((number) => !file.games[number - 1].error && !countOf(file, number));
  counting = new AbortController();
  const { signal } = counting;
  for (const [done, number] of left.entries()) {
    at("count-all").textContent = say("stop_counting", { done, count: left.length });
    await countGame(file, number, signal).catch((error) => error.name === "AbortError" || tell(error.message));
    if (signal.aborted || file !== state.file) break;
  }
  counting = null;
  at("count-all").textContent = texts.count_all;
}

// A cell of a table for spreadsheets, which no spreadsheet runs as a formula.
const csvCell = (value) => {
  const text = typeof value === "number" ? String(value) : value.replace(/^(?=[=+\-@\t\r])/, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

function saveTable() {
  const { file } = state;
  const heads = [...at("games-table").tHead.rows[0].cells].map(({ textContent }) => textContent);
  const shownRows = [...at("game-rows").rows].filter(({ hidden }) => !hidden);
  const games = shownRows.map(({ dataset }) => gameCells(file, Number(dataset.number)));
  const text = [heads, ...games].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
  save(new Blob([text], { type: "text/csv" }), `${safeName(file.name.replace(/\.[^.]*$/, ""))}.csv`);
}

// The number of the next game of the file in a direction, or null.
function gameBeside(step) {
  const { file, number } = state;
  const following = step > 0 ? file.order : file.order.toReversed();
  return following.slice(following.indexOf(number) + 1).find((each) => !file.games[each - 1].error) ?? null;
}

at("list-games").addEventListener("click", listRows);
at("search-games").addEventListener("input", filterRows);
at("count-all").addEventListener("click", () => (counting ? counting.abort() : countAll()));
at("save-csv").addEventListener("click", saveTable);
for (const button of document.querySelectorAll("[data-beside]")) {
  button.addEventListener("click", () => chooseGame(gameBeside(Number(button.dataset.beside))));
}
