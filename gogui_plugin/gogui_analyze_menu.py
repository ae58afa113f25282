"""GoGui's analyze commands: the entries of its menu and the displays behind them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban import chain_kernels
from goban.coords import colour_name, gtp_name, pass_point
from goban.counting.estimate import Estimate
from goban.errors import plural
from gogui_plugin import gogui_graphics
from gogui_plugin.gogui_graphics import numbered_moves
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.gtp_arguments import parse_file, parse_point
from gogui_plugin.loaded_record import LoadedGame, load_game, terms_text
from gogui_plugin.parameter_dialog import parameters
from gogui_plugin.search_displays import paint_best_line, paint_ownership, paint_visits, searching
from gogui_plugin.session import Action, Session
from ownership.evaluation.metrics import brier, point_accuracy
from ownership.explaining.explanation_text import line_text, verdict
from ownership.explaining.group_status import explain_group
from ownership.explaining.settled import settled
from ownership.explaining.stakes import stakes
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.players.move_ranking import Candidate, last_ranking, rank
from ownership.scoring.score_figures import headline, outlook_texts
from ownership.scoring.score_games import score_game
from ownership.scoring.scored_game import ScoreOptions
from planes.position_planes import plane

_LABELLED = 10  # most moves with a label
_NAMED = 3  # most likely moves named in the status line
_LEAST_SHOWN = 0.01  # probability of a move that gets a label
_POLICY: Final = ("policy",)
_BOTH: Final = ("ownership", "policy")


@dataclass(frozen=True)
class Analysis:
    """An entry of GoGui's menu.

    Attributes:
        display: GoGui's name for the type of display.
        label: the text in the menu.
        command: the GTP command with GoGui's placeholders.
        action: the command's handler.
        heads: outputs that the model's network must have for the entry to be in the menu.
    """

    display: str
    label: str
    command: str
    action: Action
    heads: tuple[str, ...] = ("ownership",)

    @property
    def name(self) -> str:
        """The command without placeholders."""
        return self.command.partition(" ")[0]


def _menu(session: Session, _: Command) -> str:
    shown = [each for each in ANALYSES if {*each.heads} <= {*session.model.heads}]
    return "\n".join(f"{each.display}/{each.label}/{each.command}" for each in shown)


def estimate_details(estimate: Estimate, assumed: Collection[str]) -> str:
    """Return the figures of an estimate, one a line; `assumed` as for `terms_text`."""
    further = " less the stones still to be played" if estimate.before_further_stones else ""
    return "\n".join(
        [
            f"Rules: {terms_text(estimate.terms, assumed)}",
            f"Score: {estimate.result}",
            f"State: {estimate.trust}",
            *(f"Outlook: {text}" for text in outlook_texts(estimate)),
            f"Black: {estimate.black:.1f} points{further}",
            f"White: {estimate.white:.1f} points{further}",
            f"Decided: {int(estimate.decided.sum())} of {estimate.decided.size} points",
            f"Dead: {plural(int(estimate.dead.sum()), 'stone')}",
        ]
    )


def _details(session: Session, _: Command) -> str:
    return estimate_details(session.estimate(), session.assumed)


def _score(session: Session) -> str:
    return f"{session.terms_text}: {headline(session.estimate())}"


def _squares(session: Session, _: Command) -> str:
    return gogui_graphics.graphics([gogui_graphics.influence(session.ownership()), f"TEXT {_score(session)}"])


def _colours(session: Session, _: Command) -> str:
    return gogui_graphics.colours(session.ownership())


def _numbers(session: Session, _: Command) -> str:
    return gogui_graphics.hundredths(session.ownership())


def _territory(session: Session, _: Command) -> str:
    return gogui_graphics.letters(session.estimate().owner)


def _dead(session: Session, _: Command) -> str:
    points = np.flatnonzero(session.estimate().dead).tolist()
    return " ".join(gtp_name(point, session.game.side) for point in points)


def _change(session: Session, _: Command) -> str:
    """Paint the change made by the last move; a change of 0.5 in ownership fills the square."""
    difference = _difference(session)
    colour, point = session.game.indexed_moves[-1]
    gained = colour * float(difference.sum())
    mover, vertex = colour_name(colour), gtp_name(point, session.game.side)
    text = f"TEXT {mover} {vertex} changed the expected area by {gogui_graphics.signed(gained)} points for {mover}"
    return gogui_graphics.graphics([gogui_graphics.influence((2 * difference).clip(-1, 1)), text])


def _change_numbers(session: Session, _: Command) -> str:
    return gogui_graphics.hundredths(_difference(session))


def _difference(session: Session) -> NDArray[np.float32]:
    """Return ownership now minus ownership before the last move, float32 (N, N) in [-2, 2].

    Raises GtpError before the first move.
    """
    if not session.game.indexed_moves:
        raise GtpError("expected a move on the board. Received: none")
    before, now = session.model.evaluator.evaluate(
        session.game.positions[-2:], session.settings.symmetries, session.game.terms
    )
    return now.owners - before.owners


def _candidates(session: Session) -> tuple[Candidate, ...]:
    """Return the candidate moves of the side to move, best first; fewer if the client interrupts."""
    rankings = rank(session.turn(), session.model.evaluator)
    return last_ranking(rankings, session.interrupted).candidates


def _best(session: Session, _: Command) -> str:
    side = session.game.side
    moves = [each for each in _candidates(session) if each.point != pass_point(side)][:_LABELLED]
    if not moves:
        return gogui_graphics.graphics(["TEXT no sensible move is left: pass"])
    names = [gtp_name(each.point, side) for each in moves]
    labels = [f"{name} {gogui_graphics.signed(each.gain)}" for name, each in zip(names, moves, strict=True)]
    mover, best = colour_name(session.game.position.to_move), moves[0]
    return gogui_graphics.graphics(
        [
            f"COLOR green {names[0]}",
            f"COLOR cyan {' '.join(names[1:])}" if names[1:] else "",
            f"LABEL {' '.join(labels)}",
            f"TEXT {mover} {names[0]}: {gogui_graphics.signed(best.gain)} points compared with a pass, "
            f"wins {best.wins:.0%}",
        ]
    )


def _policy(session: Session) -> NDArray[np.float32]:
    """Return the probability of each move, float32 (N*N + 1), the pass last.

    Raises InputError for a model without a policy.
    """
    session.model.files.require_head("policy", "this command")
    policy = session.prediction().policy
    assert policy is not None
    return policy


def _likely(session: Session, _: Command) -> str:
    side, policy = session.game.side, _policy(session)
    best = [point for point in np.argsort(-policy, kind="stable").tolist() if policy[point] >= _LEAST_SHOWN][:_LABELLED]
    names = {point: gtp_name(point, side) for point in best if point != pass_point(side)}
    labels = " ".join(f"{name} {policy[point]:.0%}" for point, name in names.items())
    likeliest = ", ".join(f"{gtp_name(point, side)} {policy[point]:.0%}" for point in best[:_NAMED])
    return gogui_graphics.graphics(
        [
            gogui_graphics.influence(policy[:-1].reshape(side, side)),
            f"LABEL {labels}" if labels else "",
            f"TEXT {colour_name(session.game.position.to_move)} is likely to play {likeliest}",
        ]
    )


def _likely_numbers(session: Session, _: Command) -> str:
    policy = _policy(session)[:-1].reshape(session.game.side, -1)
    return gogui_graphics.board(
        [[f"{100 * each:.1f}" if each >= 0.0005 else "" for each in row] for row in policy.tolist()]
    )


def _gains(session: Session, _: Command) -> str:
    side = session.game.side
    labels = [""] * (side * side + 1)
    for candidate in _candidates(session):
        labels[candidate.point] = gogui_graphics.signed(candidate.gain)
    return gogui_graphics.board([labels[row * side : (row + 1) * side] for row in range(side)])


def _accuracy(session: Session, _: Command) -> str:
    """Compare the ownership on the board with the end of the loaded game, scored as `ownership score` does it."""
    loaded = session.require_loaded()
    record = loaded.record
    plies = loaded.plies(session.game.position, len(session.game.indexed_moves))
    final = score_game(record, session.model.evaluator, ScoreOptions(second_judge=SECOND_JUDGE)).estimate
    state = "" if final.finished else ", which is not finished"
    return (
        f"{_comparison(session.ownership(), final)}, after move {plies} of {len(record.move_points)}"
        f" (end: {final.result}{state}; recorded: {record.result.text or 'nothing'})"
    )


def _comparison(ownership: NDArray[np.float32], final: Estimate) -> str:
    """Return accuracy and Brier score over the points that have an owner in the end."""
    count = int((final.owner != 0).sum())
    if count == 0:
        return "no point has an owner in the end"
    probability, owner = ((1 + ownership[None]) / 2).astype(np.float32), final.owner[None]
    [right], [error] = point_accuracy(probability, owner), brier(probability, owner)
    return f"{right:.1%} of {plural(count, 'point')} foreseen, Brier score {error:.3f}"


def _about(session: Session, _: Command) -> str:
    return _summary(session, session.require_loaded())


def _next_game(session: Session, _: Command) -> str:
    return _summary(session, session.load_next())


def _load_game(session: Session, command: Command) -> str:
    session.loaded = load_game(parse_file(command)[0])
    return _summary(session, session.loaded)


def _summary(session: Session, loaded: LoadedGame) -> str:
    return loaded.summary(session.terms_of(loaded))


def _explain(session: Session, command: Command) -> str:
    """Show how the group at a point lives or dies: the line in which the side that has to act moves first."""
    side = session.game.side
    status = explain_group(session.model.evaluator, session.game, parse_point(command.text, side))
    shown, other = status.lines
    return gogui_graphics.graphics(
        [
            numbered_moves(shown.moves, shown.first, side) if shown.moves else "",
            f"TEXT {verdict(status)}. {line_text(shown, side)}; {line_text(other, side)}",
        ]
    )


def _stakes(session: Session, _: Command) -> str:
    """Write on each group the points that the game turns on its life."""
    side = session.game.side
    labels = [""] * side**2
    for stake in stakes(session.model.evaluator, session.game, session.settings.symmetries):
        for point in stake.points if round(stake.worth) else ():
            labels[point] = str(round(stake.worth))
    return gogui_graphics.board([labels[row * side : (row + 1) * side] for row in range(side)])


def _at_stake(session: Session, _: Command) -> str:
    """Paint the groups, the darker the more is at stake, and name the three with most of it."""
    side = session.game.side
    found = stakes(session.model.evaluator, session.game, session.settings.symmetries)
    most = max((each.at_stake for each in found), default=0.0)
    values = np.zeros((side, side), np.float32)
    for each in found:
        values.flat[list(each.points)] = each.colour * each.at_stake / max(most, 1.0)
    text = "; ".join(each.text for each in found[:_NAMED] if round(each.worth)) or "nothing is at stake"
    return gogui_graphics.graphics([gogui_graphics.influence(values), f"TEXT {text}"])


def _settled(session: Session, _: Command) -> str:
    """Paint the points by their owner, smaller where it may still change, and say whether the game is decided."""
    game, evaluator = session.game, session.model.evaluator
    [found] = settled(evaluator, [game.position], game.terms, session.settings.symmetries)
    values = found.owner * found.chances[..., 0]
    text = f"{found.share:.0%} of the board is settled, {found.soon:.0%} in 20 moves; {found.verdict}"
    return gogui_graphics.graphics([gogui_graphics.influence(values), f"TEXT {text}"])


def _chains(session: Session, _: Command) -> str:
    """Number the chains from the top left."""
    position = session.game.position
    shown = np.zeros_like(position.stones, dtype=np.int16).ravel()
    for number, chain in enumerate(position.chains(), 1):
        shown[list(chain.points)] = number
    return _whole_numbers(shown.reshape(position.stones.shape))


def _liberties(session: Session, _: Command) -> str:
    position = session.game.position
    counts = chain_kernels.liberties(position.side, position.flat, position.chain_ids().ravel())
    return _whole_numbers(counts.reshape(position.stones.shape))


def _whole_numbers(values: NDArray[np.int16]) -> str:
    """Return a board of whole numbers, empty where they are 0."""
    return gogui_graphics.board([[str(value) if value else "" for value in row] for row in values.tolist()])


def _plane(session: Session, command: Command) -> str:
    """Show the input plane of a name, by default that of the settings."""
    return gogui_graphics.decimals(plane(session.game.position, command.text or session.settings.plane))


ANALYSES: Final = (
    Analysis("gfx", "Ownership: squares", "ownership-squares", _squares),
    Analysis("cboard", "Ownership: colors", "ownership-colors", _colours),
    Analysis("sboard", "Ownership: numbers", "ownership-numbers", _numbers),
    Analysis("bwboard", "Ownership: territory", "ownership-territory", _territory),
    Analysis("plist", "Ownership: dead stones", "ownership-dead", _dead),
    Analysis("string", "Score: in one line", "ownership-score", lambda session, _: _score(session)),
    Analysis("hstring", "Score: in detail", "ownership-details", _details),
    Analysis("gfx", "Search: best line", "ownership-search_line", searching(paint_best_line), _BOTH),
    Analysis("gfx", "Search: moves by visits", "ownership-search_visits", searching(paint_visits), _BOTH),
    Analysis("gfx", "Search: ownership", "ownership-search_ownership", searching(paint_ownership), _BOTH),
    Analysis("gfx", "Last move: change of ownership", "ownership-change", _change),
    Analysis("sboard", "Last move: change of ownership, numbers", "ownership-change_numbers", _change_numbers),
    Analysis("gfx", "Moves: the best ten, one move deep", "ownership-candidates", _best),
    Analysis("sboard", "Moves: points that each gains", "ownership-gains", _gains),
    Analysis("gfx", "Moves: strong players", "ownership-policy", _likely, _POLICY),
    Analysis("sboard", "Moves: strong players, percent", "ownership-policy_numbers", _likely_numbers, _POLICY),
    Analysis("gfx", "Group: how it lives or dies", "ownership-explain %p", _explain, _BOTH),
    Analysis("gfx", "Group: what is at stake", "ownership-stakes", _at_stake),
    Analysis("sboard", "Group: points that hang on its life", "ownership-stakes_points", _stakes),
    Analysis("gfx", "Game: which points are settled", "ownership-settled", _settled, _BOTH),
    Analysis("string", "Game: how much of the end is foreseen", "ownership-accuracy", _accuracy),
    Analysis("string", "Game: the loaded record", "ownership-game", _about, ()),
    Analysis("string", "Game: load the next record of the folder", "ownership-next_game", _next_game, ()),
    Analysis("string", "Game: load a record...", "ownership-load_game %r", _load_game, ()),
    Analysis("param", "Options...", "ownership-options", parameters, ()),
    Analysis("sboard", "Chains: numbered", "ownership-chains", _chains, ()),
    Analysis("sboard", "Chains: liberties", "ownership-liberties", _liberties, ()),
    Analysis("dboard", "Network: input plane (chosen in Options)", "ownership-plane", _plane, ()),
)

MENU_ACTIONS: Final[Mapping[str, Action]] = {
    "gogui-analyze_commands": _menu,
    **{each.name: each.action for each in ANALYSES},
}
