"use strict";
// What the page gives away: the record with its variations, a picture, a report.

const LONGEST_NAME = 100; // characters of the name of a file

// The name of a file, after the date and the players, or else after the file that was opened.
function fileName(ending) {
  const [game] = state.lines;
  const [date] = /\d{4}(-\d\d){0,2}/.exec(game.date) ?? [];
  const players = `${game.black || texts.black} - ${game.white || texts.white}`;
  const stem = isNamed(game) ? [date, players].filter(Boolean).join(" ") : openedName()?.split("/").at(-1) ?? "game";
  return `${safeName(stem)}${ending}`;
}

// A name without what file systems refuse.
const safeName = (stem) =>
  stem.replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, "_").slice(0, LONGEST_NAME).replace(/^[. ]+|[. ]+$/g, "") || "game";

// The name of the game in the file that was opened, with its folders, without its ending; null for a text, and for a game
// that was set up.
function openedName() {
  const { file, number } = state;
  if (!file || file.name === texts.pasted_text) return null;
  const name = file.games[number - 1].file ?? (file.games.length > 1 ? `${file.name}#${number}` : file.name);
  return name.replace(/\.[^.#]*(?=#|$)/, "").replace("#", " ");
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function shareRecord(sgf, ending) {
  closeDialogs();
  const name = fileName(ending);
  try {
    save(await (await recordWith(sgf)).blob(), name);
  } catch (error) {
    tell(error.message);
  }
}

// A record with all that the reader added to it.
function recordWith(sgf) {
  const isAdded = ({ isRecorded, written, marked }) => !isRecorded || Object.keys({ ...written, ...marked }).length > 0;
  const lines = state.lines.filter(isAdded).map(lineBeside);
  return post("record", JSON_TYPE, JSON.stringify({ sgf, lines, ...termsToWrite() }));
}

async function copyRecord() {
  try {
    const isCopied = await copies(await (await recordWith(recordOf(state.lines[0]))).text());
    if (isCopied) closeDialogs();
    tell(isCopied ? texts.copied : texts.copy_it);
  } catch (error) {
    tell(error.message);
  }
}

// Puts a text into the clipboard; returns whether the browser lets it. Without its clipboard, as on a page that is not
// encrypted, the text is selected in a field, from where the reader can copy it as well.
async function copies(text) {
  const field = at("copied");
  field.hidden = true;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.hidden = false;
    field.value = text;
    field.select();
    return document.execCommand("copy");
  }
}

// A line as what it adds to the game, with the territory that is counted at its end if the board shows it. The marks of
// a record stay unless the reader has marked groups.
function lineBeside(line) {
  const [game] = state.lines;
  const { moves, side } = line;
  const after = sharedMoves(line, game);
  const added = moves.slice(after).map(([colour, point]) => [colour > 0 ? "B" : "W", vertexOf(point, side)]);
  const isMarked = Object.keys(line.territory).length > 0 && !claimsNow().length;
  return { after, moves: added, comments: line.written, marks: line.marked, ...(isCounted(line) && !isMarked ? { territory: territoryShown() } : {}) };
}

const isCounted = (line) => shown.finished && line === gameNow() && state.now === line.moves.length;

function territoryShown() {
  const all = cells();
  const of = (colour) => all.flatMap(({ stone, dead, owner }, point) =>
    (owner === colour && (!stone || dead) ? [board.vertex(point)] : []));
  return { TB: of(1), TW: of(-1) };
}

// The terms that the reader chose, and what a record without a result gets: that of the count, and all its terms.
function termsToWrite() {
  const [game] = state.lines;
  const isJudged = isCounted(game) && !knownResult(game.result || "?");
  const { rules, komi, result } = shown;
  return {
    ...(state.rules || (isJudged && !game.rules) ? { rules } : {}),
    ...(state.komi !== "" || (isJudged && game.komi === null) ? { komi } : {}),
    ...(isJudged ? { result } : {}),
    to_move: game.to_move > 0 ? "black" : "white",
  };
}

at("share-sgf").addEventListener("click", () => shareRecord(recordOf(state.lines[0]), ".sgf"));
at("share-analysis").addEventListener("click", () => shareRecord(analysisNow(), " analyzed.sgf"));
at("copy-sgf").addEventListener("click", copyRecord);

// A line in letters of a height in pixels, or smaller ones where it is longer than `most`.
function write(context, text, y, most, height, weight) {
  const setHeight = (pixels) => (context.font = `${weight} ${pixels}px sans-serif`);
  setHeight(height);
  setHeight(height * Math.max(0.5, Math.min(1, most / context.measureText(text).width)));
  context.fillText(text, 16, y, most);
}

at("share-png").addEventListener("click", async () => {
  const [size, margin] = [1000, 96];
  const drawn = board.svg.cloneNode(true);
  if (!at("coordinates").checked) drawn.querySelector(".coordinates").remove();
  const image = new Image(size, size);
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size + margin });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size, size + margin);
  context.fillStyle = "#1d2126";
  write(context, playersText(), 38, size - 32, 30, "bold");
  const said = [played(), verdict(), at("points").textContent].filter(Boolean).join(". ");
  write(context, said, 78, size - 32, 26, "normal");
  context.drawImage(image, 0, margin, size, size);
  canvas.toBlob((blob) => save(blob, fileName(".png")), "image/png");
  closeDialogs();
});

at("share-report").addEventListener("click", async () => {
  const [game, name] = [gameNow(), fileName(".html")];
  closeDialogs();
  tell(texts.making_report);
  try {
    const { move, ...asked } = request();
    const whole = move === game.moves.length ? asked : { ...asked, dead: [], alive: [], seki: [] };
    const sgf = toFullSgf(game);
    save(await (await post("report", JSON_TYPE, JSON.stringify({ ...whole, sgf }))).blob(), name);
    tell(texts.report_ready);
  } catch (error) {
    tell(error.message);
  }
});
