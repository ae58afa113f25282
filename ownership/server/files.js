"use strict";
// Files: records that are opened, and what is shared.

const SGF = "application/x-go-sgf";
const MOST_BYTES = 1 << 20;

let listed = null; // the file whose games the list holds

async function open(blob, name) {
  at("message").textContent = texts.reading;
  try {
    const data = await bytesOf(blob, name);
    const file = { name, data, ...(await (await post(`games?${new URLSearchParams({ name })}`, SGF, data)).json()) };
    await openGame(file, 1 + Math.max(0, file.games.findIndex(({ error }) => !error)));
    if (file.games.length < 2) return;
    at("message").textContent = [say("games_found", { name, count: file.count }), leftOut(file)].join(" ");
  } catch (error) {
    at("message").textContent = notOpened(error);
  }
}

const leftOut = ({ count, games }) =>
  (count > games.length ? say("games_left_out", { listed: games.length, left: count - games.length }) : "");

const notOpened = (error) => say("not_opened", { reason: error.message });

async function bytesOf(blob, name) {
  const size = Number((blob.size / MOST_BYTES).toFixed(1));
  if (blob.size > MOST_BYTES) throw new Error(say("file_too_large", { name, size }));
  try {
    return await blob.arrayBuffer();
  } catch {
    throw new Error(say("file_unreadable", { name }));
  }
}

async function openGame(file, number) {
  const query = new URLSearchParams({ name: file.name, number });
  const game = fromServer(await (await post(`game?${query}`, SGF, file.data)).json());
  answers.clear();
  await change({ game, now: game.moves.length, claims: {}, rules: "", komi: "", file, number });
  choose(shown?.finished ? "judge" : "play");
  if (missing(game) && state.game === game) at("message").textContent = missing(game);
}

// The list of the games in the file, of which errors cannot be chosen.
function listGames() {
  const { file, number } = state;
  const games = file?.games ?? [];
  at("collection").hidden = games.length < 2;
  if (file !== listed) {
    const options = games.map((game, index) => {
      const option = new Option(gameEntry(game, index + 1), index + 1);
      option.disabled = Boolean(game.error);
      return option;
    });
    const rest = Object.assign(new Option(file && leftOut(file)), { disabled: true });
    at("games").replaceChildren(...options, ...(rest.text ? [rest] : []));
  }
  listed = file;
  at("games").value = number;
}

function gameEntry(game, number) {
  if (game.error) return game.error;
  const [black, white] = ["black", "white"].map((colour) => playerOf(game, colour));
  return say("game_entry", { number, black, white, result: resultOf(game) ?? texts.result_unknown, length: game.length });
}

const playerOf = (game, colour) => `${game[colour] || texts[colour]} ${game[`${colour}_rank`]}`.trim();
const resultOf = ({ recorded }) => ((recorded ?? "?") === "?" ? null : recorded);

at("file").addEventListener("change", () => {
  const [file] = at("file").files;
  if (file) open(file, file.name);
  at("file").value = "";
});
at("read").addEventListener("click", () => open(new Blob([at("paste").value]), texts.pasted_text));
at("games").addEventListener("change", async () => {
  try {
    await openGame(state.file, Number(at("games").value));
  } catch (error) {
    at("message").textContent = notOpened(error);
    at("games").value = state.number;
  }
});

addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
for (const name of ["dragleave", "drop"]) addEventListener(name, () => document.body.classList.remove("dropping"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  const { files } = event.dataTransfer;
  const text = event.dataTransfer.getData("text");
  if (files.length) {
    const [file] = files;
    const count = files.length;
    await open(file, file.name);
    if (count > 1 && state.file?.name === file.name && !at("message").textContent) {
      at("message").textContent = say("first_of_files", { name: file.name, count });
    }
  } else if (text) open(new Blob([text]), texts.pasted_text);
});

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

at("share-sgf").addEventListener("click", () => {
  const { game, now } = state;
  const counted = shown.finished && now === game.moves.length;
  const all = cells();
  const territory = (colour) =>
    all.flatMap(({ stone, dead, owner }, point) => (owner === colour && (!stone || dead) ? [point] : []));
  const rules = state.rules || game.rules || shown.rules;
  const judged = { ...game, rules, komi: shown.komi, result: counted ? shown.result : game.result };
  const sgf = toFullSgf(judged, counted ? { TB: territory(1), TW: territory(-1) } : {});
  save(new Blob([sgf], { type: SGF }), "game.sgf");
});

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
  if (!isOn("coordinates")) drawn.querySelector(".coordinates").remove();
  const image = new Image(size, size);
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size + margin });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size, size + margin);
  context.fillStyle = "#1d2126";
  write(context, at("players").textContent, 38, size - 32, 30, "bold");
  write(context, `${played()}. ${shown.verdict}. ${at("points").textContent}`, 78, size - 32, 26, "normal");
  context.drawImage(image, 0, margin, size, size);
  canvas.toBlob((blob) => save(blob, "board.png"), "image/png");
});

at("share-report").addEventListener("click", async () => {
  const { game, now } = state;
  at("message").textContent = texts.making_report;
  try {
    const { move, ...asked } = request();
    const whole = move === game.moves.length ? asked : { ...asked, dead: [], alive: [], seki: [] };
    const sgf = toFullSgf(game, {});
    save(await (await post("report", "application/json", JSON.stringify({ ...whole, sgf }))).blob(), "game.html");
    at("message").textContent = texts.report_ready;
  } catch (error) {
    at("message").textContent = error.message;
  }
});
