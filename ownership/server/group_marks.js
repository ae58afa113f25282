"use strict";
// Groups that a tap marks as dead, alive or in seki.

const asksStatus = () => ["judge", "seki"].includes(document.querySelector("[name=tool]:checked").value);
const statusOf = ({ dead, seki }) => (dead ? "dead" : seki ? "seki" : "alive");

// A tap on a group that was marked takes the mark back; so the same tap undoes itself.
async function mark(point, tool) {
  const all = cells();
  if (!all[point].stone) {
    tell(say("no_group", { vertex: board.vertex(point) }));
    return;
  }
  const claim = claimAt(point);
  const status = claim?.status ?? statusOf(all[point]); // the count may show "alive" as seki
  const isSame = claim && (tool === "seki") === (status === "seki");
  const points = tappedAt(point, all);
  const others = claimsNow().filter((claim) => !claim.points.some((each) => points.includes(each)));
  const marked = tool === "seki" ? (status === "seki" ? "alive" : "seki") : status === "alive" ? "dead" : "alive";
  const claims = isSame ? others : [...others, { points, status: marked }];
  const before = shown;
  const next = { ...state, claims: { ...state.claims, [place()]: claims } };
  await change(next);
  if (accepted === next) tell(changed(before, point));
}

// What a mark has changed, such as "L14 is alive now: +52 for White".
function changed(before, point) {
  const gain = rounded(shown.score - before.score);
  const values = { vertex: board.vertex(point), points: Math.abs(gain), colour: colourName(gain) };
  const said = say(`now_${statusOf(cells()[point])}`, values);
  const counted = !before.finished && shown.finished ? ` ${texts.counted_open}` : "";
  return say(gain ? "changed_by" : "changed_nothing", { ...values, said }) + counted;
}

const claimAt = (point) => claimsNow().find(({ points }) => points.includes(point));

// The stones that a tap on one of them marks, or takes a mark from.
const tappedAt = (point, all) => claimAt(point)?.points ?? groupAt(point, all);

// The stones of a colour and status that are connected through each other and empty points of one owner.
function groupAt(point, all) {
  const { stone, owner } = all[point];
  const area = connected(point, board.side, (other) => all[other].owner === owner && all[other].stone !== -stone);
  return [...area].filter((each) => all[each].stone === stone && statusOf(all[each]) === statusOf(all[point]));
}
