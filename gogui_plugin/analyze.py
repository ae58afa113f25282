"""The analyze commands of GoGui: what stands in its menu, and what is painted."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from goban import kernels
from goban.coords import BLACK, colour_name, gtp_name, pass_point
from goban.counting.estimate import Estimate, estimate
from goban.counting.score import format_result
from goban.rulesets import Terms
from gogui_plugin import displays
from gogui_plugin.arguments import parse_file
from gogui_plugin.gtp import Command, GtpError, Handler
from gogui_plugin.parameters import parameters
from gogui_plugin.records import accuracy, read_record
from gogui_plugin.session import Action, Session, bind
from ownership.players import Candidate, last_ranking, rank
from ownership.scoring.text import headline
from preprocessing.features.kernels import PLANES
from preprocessing.features.planes import plane

_LABELLED, _TOLD = 10, 3
_LEAST_SHOWN = 0.01


@dataclass(frozen=True)
class Analysis:
    """An entry of GoGui's menu: its type of display, its label, its command with placeholders, and what it does.

    head: what a model must answer for the entry to be in the menu.
    """

    display: str
    label: str
    command: str
    action: Action
    head: str = "ownership"

    @property
    def name(self) -> str:
        """The command without placeholders."""
        return self.command.partition(" ")[0]


def handlers(session: Session) -> dict[str, Handler]:
    """Return the handlers of all analyze commands and of `gogui-analyze_commands`, by name."""
    actions = {each.name: each.action for each in ANALYSES}
    return bind(session, {"gogui-analyze_commands": _menu, **actions})


def _menu(session: Session, _: Command) -> str:
    shown = [each for each in ANALYSES if each.head in session.judge.heads]
    return "\n".join(f"{each.display}/{each.label}/{each.command}" for each in shown)


def details(answer: Estimate) -> str:
    """Return everything that the estimate says, one fact a line."""
    return "\n".join(
        [
            f"Score: {answer.result}",
            f"State: {'finished, counted' if answer.finished else 'open, expected'}",
            f"Interval: {_interval(answer)} (90%)",
            f"Black: {answer.black:.1f} points, wins {answer.black_wins:.1%}",
            f"White: {answer.white:.1f} points, wins {1 - answer.black_wins:.1%}",
            f"Decided: {int(answer.decided.sum())} of {answer.decided.size} points",
            f"Dead: {int(answer.dead.sum())} stones",
            f"Rules: {answer.rules}, komi {answer.komi:g}",
        ]
    )


def _one_line(answer: Estimate) -> str:
    return f"{headline(answer)} ({answer.rules}, komi {answer.komi:g})"


def _interval(answer: Estimate) -> str:
    low, high = (format_result(round(bound, 1)) for bound in answer.interval)
    return f"{low} to {high}"


def _squares(session: Session, _: Command) -> str:
    answer = session.estimate()
    return displays.graphics([displays.influence(answer.ownership), f"TEXT {_one_line(answer)}"])


def _colours(session: Session, _: Command) -> str:
    return displays.colours(session.ownership())


def _numbers(session: Session, _: Command) -> str:
    return displays.hundredths(session.ownership())


def _territory(session: Session, _: Command) -> str:
    return displays.letters(session.estimate().owner)


def _dead(session: Session, _: Command) -> str:
    points = np.flatnonzero(session.estimate().dead).tolist()
    return " ".join(gtp_name(point, session.state.side) for point in points)


def _change(session: Session, _: Command) -> str:
    """Paint what the last move changed; a point of which a quarter changes hands has a full square already."""
    difference = _difference(session)
    colour, point = session.state.moves[-1]
    gained = float(difference.sum()) * (1 if colour == BLACK else -1)
    mover, vertex = colour_name(colour), gtp_name(point, session.state.side)
    text = f"TEXT {mover} {vertex} changed the expected area by {displays.signed(gained)} points for {mover}"
    return displays.graphics([displays.influence((2 * difference).clip(-1, 1)), text])


def _change_numbers(session: Session, _: Command) -> str:
    return displays.hundredths(_difference(session))


def _difference(session: Session) -> NDArray[np.float32]:
    """Return ownership now minus ownership before the last move, float32 (N, N) in [-2, 2]; raise GtpError."""
    if not session.state.moves:
        raise GtpError("expected a move on the board. Received: none")
    before, now = session.judge.evaluator.evaluate(session.state.positions[-2:], session.settings.symmetries)
    return now.ownership - before.ownership


def _candidates(session: Session) -> tuple[Candidate, ...]:
    """Return the candidates of the side to move, best first; fewer if the client interrupts."""
    rankings = rank(session.state.turn(), session.judge.evaluator)
    return last_ranking(rankings, session.interrupted).candidates


def _best(session: Session, _: Command) -> str:
    side = session.state.side
    moves = [each for each in _candidates(session) if each.point != pass_point(side)][:_LABELLED]
    if not moves:
        return displays.graphics(["TEXT no sensible move is left: pass"])
    names = [gtp_name(each.point, side) for each in moves]
    labels = [f"{name} {displays.signed(each.gain)}" for name, each in zip(names, moves, strict=True)]
    mover, best = colour_name(session.state.position.to_move), moves[0]
    return displays.graphics(
        [
            f"COLOR green {names[0]}",
            f"COLOR cyan {' '.join(names[1:])}" if names[1:] else "",
            f"LABEL {' '.join(labels)}",
            f"TEXT {mover} {names[0]}: {displays.signed(best.gain)} points compared with a pass, wins {best.wins:.0%}",
        ]
    )


def _policy(session: Session) -> NDArray[np.float32]:
    """Return the probability of each move, float32 (N*N + 1), the last being a pass; raise GtpError."""
    policy = session.prediction().policy
    if policy is None:
        raise GtpError(f"expected a model with a move policy. Received: {session.judge.name}")
    return policy


def _likely(session: Session, _: Command) -> str:
    side, policy = session.state.side, _policy(session)
    best = [point for point in np.argsort(-policy, kind="stable").tolist() if policy[point] >= _LEAST_SHOWN][:_LABELLED]
    names = {point: gtp_name(point, side) for point in best if point != pass_point(side)}
    labels = " ".join(f"{name} {policy[point]:.0%}" for point, name in names.items())
    told = ", ".join(f"{gtp_name(point, side)} {policy[point]:.0%}" for point in best[:_TOLD])
    return displays.graphics(
        [
            displays.influence(policy[:-1].reshape(side, side)),
            f"LABEL {labels}" if labels else "",
            f"TEXT {colour_name(session.state.position.to_move)} is likely to play {told}",
        ]
    )


def _likely_numbers(session: Session, _: Command) -> str:
    policy = _policy(session)[:-1].reshape(session.state.side, -1)
    return displays.board([[f"{100 * each:.1f}" if each >= 0.0005 else "" for each in row] for row in policy.tolist()])


def _gains(session: Session, _: Command) -> str:
    side = session.state.side
    words = [""] * (side * side + 1)
    for candidate in _candidates(session):
        words[candidate.point] = displays.signed(candidate.gain)
    return displays.board([words[row * side : (row + 1) * side] for row in range(side)])


def _accuracy(session: Session, _: Command) -> str:
    record = session.loaded()
    game = record.game
    plies = record.plies(session.state.position, len(session.state.moves))
    [last] = session.judge.evaluator.ownership([record.last], 8)
    final = estimate(record.last, last, Terms(session.state.ruleset, game.komi, game.handicap), ended=True)
    right, brier, count = accuracy(session.ownership(), final)
    state = "" if final.finished else ", which is not finished"
    return (
        f"{right:.1%} of {count} points foreseen, Brier score {brier:.3f}, after move {plies} of {len(game.moves)}"
        f" (end: {final.result}{state}; recorded: {game.result.text or 'nothing'})"
    )


def _about(session: Session, _: Command) -> str:
    return session.loaded().summary()


def _next_game(session: Session, _: Command) -> str:
    return session.load_next().summary()


def _load_game(session: Session, command: Command) -> str:
    session.record = read_record(parse_file(command)[0])
    return session.record.summary()


def _chains(session: Session, _: Command) -> str:
    """Show the chains numbered from the top left."""
    position = session.state.position
    shown = np.zeros_like(position.stones, dtype=np.int16).ravel()
    for number, chain in enumerate(position.chains(), 1):
        shown[list(chain.points)] = number
    return _whole_numbers(shown.reshape(position.stones.shape))


def _liberties(session: Session, _: Command) -> str:
    stones, ids = session.state.position.stones, session.state.position.chain_ids()
    return _whole_numbers(kernels.liberties(len(stones), stones.ravel().copy(), ids.ravel()).reshape(stones.shape))


def _whole_numbers(values: NDArray[np.int16]) -> str:
    """Return a board of whole numbers, empty where they are 0."""
    return displays.board([[str(value) if value else "" for value in row] for row in values.tolist()])


def _plane(name: str, session: Session, _: Command) -> str:
    return displays.numbers(plane(session.state.position, name))


ANALYSES = (
    Analysis("gfx", "Ownership: squares", "ownership-squares", _squares),
    Analysis("cboard", "Ownership: colors", "ownership-colors", _colours),
    Analysis("sboard", "Ownership: numbers", "ownership-numbers", _numbers),
    Analysis("bwboard", "Ownership: territory", "ownership-territory", _territory),
    Analysis("plist", "Ownership: dead stones", "ownership-dead", _dead),
    Analysis("string", "Score: in one line", "ownership-score", lambda session, _: _one_line(session.estimate())),
    Analysis("hstring", "Score: in detail", "ownership-details", lambda session, _: details(session.estimate())),
    Analysis("gfx", "Move: what the last one changed", "ownership-change", _change),
    Analysis("sboard", "Move: what the last one changed, numbers", "ownership-change_numbers", _change_numbers),
    Analysis("gfx", "Move: best candidates", "ownership-candidates", _best),
    Analysis("sboard", "Move: gain of every move", "ownership-gains", _gains),
    Analysis("gfx", "Move: likely next ones", "ownership-policy", _likely, "policy"),
    Analysis("sboard", "Move: likely next ones, percent", "ownership-policy_numbers", _likely_numbers, "policy"),
    Analysis("string", "Game: accuracy so far", "ownership-accuracy", _accuracy),
    Analysis("string", "Game: about the loaded one", "ownership-game", _about),
    Analysis("string", "Game: load the next of the folder", "ownership-next_game", _next_game),
    Analysis("string", "Game: load a file...", "ownership-load_game %r", _load_game),
    Analysis("param", "Options...", "ownership-options", parameters),
    Analysis("sboard", "Network: chains", "ownership-chains", _chains),
    Analysis("sboard", "Network: liberties", "ownership-liberties", _liberties),
    *(
        Analysis("dboard", f"Network: plane {name}", f"ownership-plane_{name}", partial(_plane, name))
        for name in PLANES
    ),
)
