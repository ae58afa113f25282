"""Analysis that streams until the client sends something: lz-analyze, kata-analyze and their variants.

Their arguments are `[colour] [interval] [key value ...]`; all numbers of a line are from one player's view.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, SYMMETRIES, gtp_name, parse_gtp, pass_point
from goban.errors import shown
from goban.game import Game
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.gtp_arguments import (
    is_colour,
    parse_bool,
    parse_colour,
    whole_argument,
)
from gogui_plugin.session import Action, Session
from gogui_plugin.standard_commands import make_move
from ownership.players.mcts_player import MctsPlayer
from ownership.search.leaf_evaluation import NetworkLeaves
from ownership.search.mcts.tree_result import TreeMove, TreeOwnership, TreeResult, Value
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_options import Forbidden, Limits

_DEFAULT_INTERVAL: Final = 100  # centiseconds
_LEAST_INTERVAL: Final = 5
_MOST: Final = 999_999_999  # of a number
_FLAGS: Final = (
    "rootInfo",
    "ownership",
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
)
_NUMBERS: Final = ("interval", "minmoves", "maxmoves")
_SYMMETRIES: Final = (*map(str, SYMMETRIES), "all")


@dataclass
class Request:
    """The options of an analysis.

    Attributes:
        colour: the colour to analyse for.
        side: of the board.
        numbers: values of _NUMBERS by name, in centiseconds or moves.
        flags: those of _FLAGS that are set.
        forbidden: the moves that are not to be made.
    """

    colour: int
    side: int
    numbers: dict[str, int] = field(default_factory=lambda: {"interval": _DEFAULT_INTERVAL})
    flags: set[str] = field(default_factory=set)
    forbidden: Forbidden = field(init=False)

    def __post_init__(self) -> None:
        self.forbidden = Forbidden(self.side)

    @property
    def seconds(self) -> float:
        """Seconds between two lines."""
        return max(_LEAST_INTERVAL, self.numbers["interval"]) / 100

    def allows(self, point: int) -> bool:
        """Return whether the colour may make a move now: where it may make none, the search passes."""
        plies = self.forbidden.plies
        return plies is None or not plies[0 if self.colour == BLACK else 1, point]


def parse_request(command: Command, session: Session) -> Request:
    """Return the options of a command; raise InputError."""
    words = list(command.arguments)
    colour = parse_colour(words.pop(0)) if words and is_colour(words[0]) else session.game.position.to_move
    request = Request(colour, session.game.side)
    if words and words[0].isdigit():
        request.numbers["interval"] = whole_argument(words.pop(0), 0, _MOST)
    while words:
        _parse_key(request, words)
    return request


def _parse_key(request: Request, words: list[str]) -> None:
    """Take one key and its values from the front of `words`."""
    key = words.pop(0)
    values = [words.pop(0) for _ in range(min(len(words), 3 if key in ("avoid", "allow") else 1))]
    if key in _NUMBERS and values:
        request.numbers[key] = whole_argument(values[0], 0, _MOST)
    elif key in _FLAGS and values:
        (request.flags.add if parse_bool(values[0]) else request.flags.discard)(key)
    elif key in ("avoid", "allow") and len(values) == 3:
        points = {parse_gtp(vertex, request.side) for vertex in values[1].split(",")}
        request.forbidden.add(key, parse_colour(values[0]), points, whole_argument(values[2], 1, _MOST))
    else:
        known = ", ".join((*_NUMBERS, "avoid", "allow", *_FLAGS))
        raise GtpError(f"syntax error: expected {known}, each with its values. Received: {shown(key)}")


Writer = Callable[[Request, TreeSearch], str]
"""Returns a line about what a search has found; an empty one where no move may be shown."""


def leela_line(request: Request, search: TreeSearch) -> str:
    """Return one line as `lz-analyze` writes it: probabilities are whole numbers of 1/10,000."""
    return " ".join(
        _leela_move(request, each, order) for order, each in enumerate(_shown(request, search, search.result()))
    )


def sabaki_line(request: Request, search: TreeSearch) -> str:
    """Return one line as `analyze` writes it, which Sabaki defined: that of `lz-analyze` with `scoreLead`."""
    return " ".join(
        _leela_move(request, each, order, f" scoreLead {_lead(each.value, request.colour):.2f}")
        for order, each in enumerate(_shown(request, search, search.result()))
    )


def _leela_move(request: Request, each: TreeMove, order: int, score: str = "") -> str:
    return (
        f"info move {gtp_name(each.point, request.side)} visits {each.visits} "
        f"winrate {round(10000 * each.value.wins_for(request.colour))}{score} prior {round(10000 * each.prior)} "
        f"lcb {round(10000 * each.lower_bound)} order {order} pv {_names(each.line, request.side)}"
    )


def kata_line(request: Request, search: TreeSearch) -> str:
    """Return one line as `kata-analyze` writes it."""
    result = search.result()
    moves = _shown(request, search, result)
    maps: dict[int, TreeOwnership] = {}
    whole = None
    if request.flags & {"ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev"}:
        whole, maps = search.ownership()
    parts = [_kata_move(request, each, order, maps.get(each.point)) for order, each in enumerate(moves)]
    if "rootInfo" in request.flags:
        parts.append(f"rootInfo visits {result.root.visits} {_worth(result.root, request.colour)}")
        parts.append(f"lcb {result.root.wins_for(request.colour):.4f}")  # KataGo's is the root's win rate
    if whole is not None:
        parts += _maps(request, whole, "ownership", "ownershipStdev")
    return " ".join(parts) if moves else ""


def _kata_move(request: Request, each: TreeMove, order: int, below: TreeOwnership | None) -> str:
    name, low = gtp_name(each.point, request.side), each.lower_bound
    utility, line_visits = each.value.value * request.colour, " ".join(map(str, each.line_visits))
    parts = [
        f"info move {name} visits {each.visits} {_worth(each.value, request.colour)} prior {each.prior:.4f} "
        f"lcb {low:.4f} utilityLcb {utility - 2 * (each.value.wins_for(request.colour) - low):.4f} order {order} "
        f"pv {_names(each.line, request.side)}"
    ]
    parts += [f"{flag} {line_visits}" for flag in ("pvVisits", "pvEdgeVisits") if flag in request.flags]
    if below is not None:
        parts += _maps(request, below, "movesOwnership", "movesOwnershipStdev")
    return " ".join(parts)


def _worth(value: Value, colour: int) -> str:
    lead = _lead(value, colour)
    return (
        f"utility {value.value * colour:.4f} winrate {value.wins_for(colour):.4f} scoreMean {lead:.2f} "
        f"scoreStdev {value.deviation:.2f} scoreLead {lead:.2f} scoreSelfplay {lead:.2f}"
    )


def _lead(value: Value, colour: int) -> float:
    return value.score * colour + 0.0


def _maps(request: Request, averaged: TreeOwnership, mean: str, deviation: str) -> list[str]:
    """Return the requested maps, by the names of their flags."""
    boards = {mean: request.colour * averaged.mean, deviation: averaged.deviation}
    return [f"{flag} {_floats(board)}" for flag, board in boards.items() if flag in request.flags]


def _shown(request: Request, search: TreeSearch, result: TreeResult) -> Sequence[TreeMove]:
    """Return the moves to show: those that were visited, then, up to `minmoves`, the likeliest of the others."""
    moves = [each for each in result.moves if request.allows(each.point)]
    least = max(1, request.numbers.get("minmoves", 1))
    if 0 < len(moves) < least:
        moves += islice(_unvisited(request, search, result), least - len(moves))
    return moves[: max(least, request.numbers.get("maxmoves", len(moves)))]


def _unvisited(request: Request, search: TreeSearch, result: TreeResult) -> Iterator[TreeMove]:
    """Yield the moves without visits, the likeliest first; each is worth what the position is."""
    policy, value = search.policy(), replace(result.root, visits=0)
    policy[[each.point for each in result.moves]] = 0
    for point in np.argsort(-policy, kind="stable").tolist():
        if policy[point] > 0 and request.allows(point):
            yield TreeMove(point, float(policy[point]), value, 0.0, (point,), (0,))


def _names(points: Sequence[int], side: int) -> str:
    return " ".join(gtp_name(point, side) for point in points)


def _floats(values: NDArray[np.floating]) -> str:
    return " ".join(f"{value:.3f}" for value in (values + 0.0).ravel().tolist())


def _analyze(writer: Writer, session: Session, command: Command) -> Iterator[str]:
    """Check all arguments, then return the lines: an answer that has started cannot fail any more."""
    request = parse_request(command, session)
    game = session.turn(request.colour).game
    search = session.search(game)
    visits = search.run(game, Limits(), lambda: session.wait(0), request.forbidden.plies)
    return _until_input(session, request, _lines(request, search, visits, writer), writer, search)


def _until_input(
    session: Session, request: Request, lines: Iterator[str], writer: Writer, search: TreeSearch
) -> Iterator[str]:
    """Yield the lines of a search, and where it ends for want of room or of lines, the last one again and again."""
    yield from lines
    while not session.wait(request.seconds):
        if line := writer(request, search):
            yield line


def _genmove(writer: Writer, session: Session, command: Command) -> Iterator[str]:
    """Search and play the best move that was shown; other players than those of a tree show nothing."""
    request = parse_request(command, session)
    player = session.player()
    if not isinstance(player, MctsPlayer):
        return iter([f"play {make_move(session, request.colour, session.choose(request.colour))}"])
    return _stream_and_move(session, request, player, writer)


def _stream_and_move(session: Session, request: Request, player: MctsPlayer, writer: Writer) -> Iterator[str]:
    began, turn = time.monotonic(), session.turn(request.colour)
    search = player.search(turn.game)
    visits = search.run(turn.game, player.limits_of(turn), session.interrupted, request.forbidden.plies)
    yield from _lines(request, search, visits, writer)
    if line := writer(request, search):
        yield line
    thought = player.thought(turn, search.result(), session.interrupted)
    point = player.decide(turn, player.estimate(turn), thought)
    session.charge(request.colour, began)
    yield f"play {make_move(session, request.colour, point)}"


def _lines(request: Request, search: TreeSearch, visits: Iterator[int], writer: Writer) -> Iterator[str]:
    """Yield a line as soon as there is a move to show, and one after each interval."""
    due = 0.0
    for _ in visits:
        if time.monotonic() >= due and (line := writer(request, search)):
            yield line
            due = time.monotonic() + request.seconds


def raw_network(session: Session, command: Command) -> str:
    """Return the answer to `kata-raw-nn [COLOR] SYMMETRY`: the network's outputs, from White's view, for a symmetry.

    With `all` it has a block of lines for each of the eight.
    """
    words = list(command.arguments)
    colour = parse_colour(words.pop(0)) if words and is_colour(words[0]) else None
    if len(words) != 1 or words[0].lower() not in _SYMMETRIES:
        raise GtpError(f"expected a colour or none, and a symmetry 0 to 7 or all. Received: {shown(command.text)}")
    game, symmetry = session.turn(colour).game, words[0].lower()
    chosen = SYMMETRIES if symmetry == "all" else (int(symmetry),)
    return "\n".join(_raw_outputs(session, game, each) for each in chosen)


def _raw_outputs(session: Session, game: Game, symmetry: int) -> str:
    position, side, evaluator = game.position, game.side, session.model.evaluator
    [prediction] = evaluator.evaluate([position], [symmetry], game.terms)
    leaf = NetworkLeaves(evaluator, game.ruleset, game.terms.total_komi).leaf(position, prediction)
    policy = np.full(side * side + 1, np.nan)
    legal = game.legal_moves()
    np.copyto(policy, 1 / legal.sum() if prediction.policy is None else prediction.policy, where=legal)
    return "\n".join(
        [
            f"symmetry {symmetry}",
            f"whiteWin {1 - leaf.black_wins:.6f}",
            f"whiteLoss {leaf.black_wins:.6f}",
            "noResult 0.000000",
            f"whiteLead {-leaf.score:.3f}",
            f"whiteScoreSelfplay {-leaf.score:.3f}",
            f"shorttermScoreError {leaf.deviation:.3f}",
            "policy",
            *_rows(policy[:-1].reshape(side, side)),
            f"policyPass {policy[pass_point(side)]:.6f}",
            "whiteOwnership",
            *_rows(-prediction.ownership),
        ]
    )


def _rows(values: NDArray[np.floating]) -> list[str]:
    return [" ".join("NAN" if math.isnan(v) else f"{v:.6f}" for v in row) for row in (values + 0.0).tolist()]


ACTIONS: Final[Mapping[str, Action]] = {
    "lz-analyze": partial(_analyze, leela_line),
    "lz-genmove_analyze": partial(_genmove, leela_line),
    "kata-analyze": partial(_analyze, kata_line),
    "kata-genmove_analyze": partial(_genmove, kata_line),
    "analyze": partial(_analyze, sabaki_line),
    "genmove_analyze": partial(_genmove, sabaki_line),
    "kata-raw-nn": raw_network,
}
