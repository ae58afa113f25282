"use strict";
// What the page asks the server.

async function post(path, type, body, signal) {
  let response;
  try {
    response = await fetch(path, { method: "POST", headers: { "Content-Type": type }, body, signal });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Error(texts.unreachable);
  }
  if (response.status === 503) throw new Error(texts.unreachable);
  if (!response.ok) throw new Error(refusal(await response.json()));
  return response;
}

// What the server found, with the reason why a record cannot be used in the reader's language.
const refusal = ({ error, reason }) => (reason
  ? error.replace(`: ${reason}: `, `: ${texts[`reason_${reason.toLowerCase().replaceAll(" ", "_")}`]}: `)
  : say("refused", { error }));

const score = async (asked, signal) => (await post("score", JSON_TYPE, JSON.stringify(asked), signal)).json();
const JSON_TYPE = "application/json";

// The game that is shown, and the terms that the reader chose.
function terms(game = gameNow()) {
  const { rules, komi, prisoners } = state;
  return {
    sgf: toSgf(game, {}, game.territory),
    ...(rules ? { rules } : {}),
    ...(komi === "" ? {} : { komi: Number(komi) }),
    ...(prisoners.black || prisoners.white ? { prisoners } : {}),
  };
}

// The whole record of a game.
const recordOf = (game) => (game === state.lines[0] && game.sgf) || toFullSgf(game);

function request() {
  const claims = claimsNow();
  const claimed = (status) =>
    claims.flatMap((claim) => (claim.status === status ? claim.points.map((point) => board.vertex(point)) : []));
  return {
    ...terms(),
    move: state.now,
    language: document.documentElement.lang,
    ...(claims.length ? { dead: claimed("dead"), alive: claimed("alive"), seki: claimed("seki") } : {}),
  };
}

// The ownership before the last move, if it is known; else it is asked for, and drawn then.
function ownershipBefore() {
  if (!state.now || wanted !== "change") return null;
  const asked = { ...request(), move: state.now - 1, symmetries: 1 };
  const known = answers.get(JSON.stringify(asked));
  if (known) return percentages(known.ownership);
  score(asked, asking.signal).then((answer) => {
    keepAnswer(asked, answer);
    draw();
  }, () => {});
  return null;
}
