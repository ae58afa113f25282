"use strict";
// Records that are opened: files, pasted texts, archives and collections, of which the reader chooses a game.

const SGF = "application/x-go-sgf";
const MOST_BYTES = 1 << 20; // that the server reads in one request
const MOST_OPENED = 256 << 20;

let listed = null; // the file whose games the list holds

// A file has games, and for each the part that holds it: a piece of a collection, which the server can read, or a member
// of an archive or folder, which is read when it is chosen. The games of a part are numbered from 1. The order is that of
// the list: as the members are read, collections among them turn out to have more games, which get the next numbers.
const open = (blob, name) => openWith(name, async () => {
  const data = await bytesOf(blob, name);
  return isZip(data) ? archive(data, name) : collection(data, name);
});

// Opens several files, or those of a folder.
const openAll = (files, name) => openWith(name, async () => records(name, files, (file) => ({ blob: file })));

async function openWith(name, read) {
  tell(texts.reading);
  try {
    const file = { ...(await read()), id: Date.now() };
    file.order = file.games.map((_, index) => index + 1);
    await openFirst(file);
    closeDialogs();
    if (!file.parts[0].data) await listMembers(file);
    if (file.games.length > 1 && state.file === file) tell([say("games_found", { name, count: file.count }), leftOut(file)].filter(Boolean).join(" "));
  } catch (error) {
    const isPasted = name === texts.pasted_text;
    tell(isPasted ? `${notOpened(error).replace(/\.?$/, ".")} ${texts.paste_expected}` : notOpened(error));
  }
}

// Opens the first game that the server takes.
async function openFirst(file) {
  let refused = null;
  for (const [index, { error }] of file.games.entries()) {
    if (error) continue;
    try {
      await openGame(file, index + 1);
      return;
    } catch (failure) {
      if (file.parts[index].data || failure.message === texts.unreachable) throw failure;
      refused ??= failure;
      file.games[index] = { ...file.games[index], error: failure.message };
    }
  }
  throw refused ?? new Error(refusal(file.games[0]));
}

const leftOut = ({ count, games }) =>
  (count > games.length ? say("games_left_out", { listed: games.length, left: count - games.length }) : "");

const notOpened = (error) => say("not_opened", { reason: error.message });

async function bytesOf(blob, name) {
  const size = Number((blob.size / (1 << 20)).toFixed(1));
  if (blob.size > MOST_OPENED) throw new Error(say("file_too_large", { name, size, most: MOST_OPENED >> 20 }));
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch {
    throw new Error(say("file_unreadable", { name }));
  }
}

// The games of a collection, listed by the server in pieces that it can read.
async function collection(data, name) {
  const file = { name, count: 0, games: [], parts: [] };
  for (const piece of piecesOf(data, name)) {
    const found = await (await post(`games?${new URLSearchParams({ name })}`, SGF, piece)).json();
    file.count += found.count;
    found.games.forEach((game, index) => {
      file.games.push(game);
      file.parts.push({ data: piece, number: index + 1 });
    });
    if (file.games.length >= MOST_LISTED) return { ...file, count: gameStarts(data).length };
  }
  return file;
}

// Reads the members of an archive for the list. Files that are no records are not counted as games.
async function listMembers(file) {
  const order = [];
  for (const [index, member] of [...file.parts.entries()]) {
    if (state.file !== file) return;
    const { count, games, parts } = await memberGames(member);
    file.count += NO_RECORD.has(games[0].reason) ? -1 : count - 1;
    file.games[index] = games[0];
    const room = MOST_LISTED - file.games.length;
    const others = games.slice(1, 1 + room);
    order.push(index + 1, ...others.map((_, more) => file.games.length + more + 1));
    file.games.push(...others);
    file.parts.push(...parts.slice(1, 1 + room));
  }
  file.order = order;
  listed = keptFile = null;
  listGames();
  if (at("games-dialog").open) listRows();
  keepState();
}

async function memberGames(member) {
  const { name } = member;
  try {
    const { count, games, parts } = await collection(await wholeOf(member), name);
    const named = games.map((game, index) => ({ file: games.length > 1 ? `${name}#${index + 1}` : name, ...game }));
    return { count, games: named, parts: parts.map((part) => ({ name, ...part })) };
  } catch (error) {
    return { count: 1, games: [{ file: name, error: error.message }], parts: [member] };
  }
}

const wholeOf = (part) => (part.blob ? bytesOf(part.blob, part.name) : unpack(part));
const dataOf = async (part) => part.data ?? piecesOf(await wholeOf(part), part.name)[0];

// What the server reads of a game.
async function readGame(file, number, signal) {
  const part = file.parts[number - 1];
  const query = new URLSearchParams({ name: part.name ?? file.name, number: part.number });
  return (await post(`game?${query}`, SGF, await dataOf(part), signal)).json();
}

async function openGame(file, number) {
  const { review, ...described } = await readGame(file, number);
  const lines = linesFromServer(described);
  const [game] = lines;
  if (searched.size > MOST_SEARCHED) searched.clear();
  answers.clear();
  wanted = null;
  await change(opened(lines, game.moves.length, file, number));
  choose(shown?.finished ? "judge" : "play");
  if (review && gameNow() === game) keepReview(review);
  if (!isSearched(game)) drawGraph();
  if (missing(game) && gameNow() === game) tell(missing(game));
}

// The list of the games in the file, of which errors cannot be chosen.
function listGames() {
  const { file, number } = state;
  const games = file?.games ?? [];
  at("collection").hidden = games.length < 2;
  if (file !== listed) {
    const options = (file?.order ?? []).map((each) => {
      const game = games[each - 1];
      const option = new Option(gameEntry(game, each), each);
      option.disabled = Boolean(game.error);
      return option;
    });
    const rest = Object.assign(new Option(file && leftOut(file)), { disabled: true });
    at("games").replaceChildren(...options, ...(rest.text ? [rest] : []));
  }
  listed = file;
  at("games").value = number;
  for (const button of document.querySelectorAll("[data-beside]")) {
    button.disabled = games.length < 2 || gameBeside(Number(button.dataset.beside)) === null;
  }
}

function gameEntry(game, number) {
  if (game.error) return refusal(game);
  if (game.file) return game.file;
  const [black, white] = ["black", "white"].map((colour) => playerOf(game, colour));
  return say("game_entry", { number, black, white, result: resultOf(game) ?? texts.result_unknown, length: game.length });
}

const playerOf = (game, colour) => `${game[colour] || texts[colour]} ${game[`${colour}_rank`]}`.trim();
const knownResult = (result) => (result === "?" ? null : result);
const resultOf = ({ recorded }) => knownResult(recorded ?? "?");

at("file").addEventListener("change", () => {
  const [file] = at("file").files;
  if (file) open(file, file.name);
  at("file").value = "";
});
at("read").addEventListener("click", () => open(new Blob([at("paste").value]), texts.pasted_text));
at("games").addEventListener("change", () => chooseGame(Number(at("games").value)));

// Opens a game from the list.
async function chooseGame(number) {
  try {
    await openGame(state.file, number);
    closeDialogs();
  } catch (error) {
    tell(notOpened(error));
    at("games").value = state.number;
  }
}

addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
for (const name of ["dragleave", "drop"]) addEventListener(name, () => document.body.classList.remove("dropping"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  const text = event.dataTransfer.getData("text");
  const items = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
  const dropped = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean); // before the event ends
  const files = (await Promise.all(dropped.map(filesIn)).catch(() => [])).flat(); // a folder may be forbidden
  if (files.length === 1 && !dropped[0].isDirectory) open(files[0], files[0].name);
  else if (dropped.length) openAll(files, dropped.length > 1 ? texts.dropped_files : dropped[0].name);
  else if (text) open(new Blob([text]), texts.pasted_text);
});

// The files of an entry that was dropped: itself, or all in a folder.
async function filesIn(entry) {
  if (entry instanceof File) return [entry];
  const read = (source, method) => new Promise((resolve, reject) => source[method](resolve, reject));
  if (entry.isFile) return [await read(entry, "file")];
  const [reader, found] = [entry.createReader(), []];
  for (let some = await read(reader, "readEntries"); some.length; some = await read(reader, "readEntries")) {
    for (const each of some) found.push(...(await filesIn(each)));
  }
  return found;
}
