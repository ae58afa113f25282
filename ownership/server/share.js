"use strict";
// What the page gives away: the record with its variations, a picture, a report.

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

at("share-sgf").addEventListener("click", () => {
  const [game, now] = [gameNow(), state.now];
  const counted = shown.finished && now === game.moves.length;
  const all = cells();
  const territory = (colour) =>
    all.flatMap(({ stone, dead, owner }, point) => (owner === colour && (!stone || dead) ? [point] : []));
  const rules = state.rules || game.rules || shown.rules;
  const judged = { ...game, rules, komi: shown.komi, result: counted ? shown.result : game.result };
  const ending = counted ? { TB: territory(1), TW: territory(-1) } : {};
  const others = state.lines.filter((line) => line !== game);
  save(new Blob([toFullSgf(judged, ending, others)], { type: SGF }), "game.sgf");
  closeDialogs();
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
  write(context, `${played()}. ${shown.verdict}. ${at("points").textContent}`, 78, size - 32, 26, "normal");
  context.drawImage(image, 0, margin, size, size);
  canvas.toBlob((blob) => save(blob, "board.png"), "image/png");
  closeDialogs();
});

at("share-report").addEventListener("click", async () => {
  const [game, now] = [gameNow(), state.now];
  closeDialogs();
  tell(texts.making_report);
  try {
    const { move, ...asked } = request();
    const whole = move === game.moves.length ? asked : { ...asked, dead: [], alive: [], seki: [] };
    const sgf = toFullSgf(game, {});
    save(await (await post("report", "application/json", JSON.stringify({ ...whole, sgf }))).blob(), "game.html");
    tell(texts.report_ready);
  } catch (error) {
    tell(error.message);
  }
});
