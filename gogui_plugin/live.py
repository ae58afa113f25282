"""Analysis that streams until the client sends something: lz-analyze, kata-analyze and their variants."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, gtp_name, parse_gtp, pass_point
from goban.counting.expected import win_probability
from gogui_plugin.arguments import is_colour, parse_bool, parse_colour, parse_whole
from gogui_plugin.engine import make_move
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.session import Action, Session
from ownership.players import Candidate, GreedyPlayer, Ranking, last_ranking, rank

TEMPERATURE = 1.0  # points: a move that is worth one point less has a prior e times smaller
_DEFAULT_INTERVAL = 100  # centiseconds
_LEAST_INTERVAL = 5
_FLAGS = ("rootInfo", "ownership", "ownershipStdev", "movesOwnership", "pvVisits")
_NUMBERS = ("interval", "minmoves", "maxmoves")


@dataclass
class Request:
    """The options of an analysis.

    Attributes:
        colour: the colour to analyse for.
        numbers: values of _NUMBERS by name, in centiseconds or moves.
        flags: those of _FLAGS that are set.
        avoided: flat indices of moves that are not shown.
        allowed: flat indices of the only moves that are shown; None for all.
    """

    colour: int
    numbers: dict[str, int] = field(default_factory=lambda: {"interval": _DEFAULT_INTERVAL})
    flags: set[str] = field(default_factory=set)
    avoided: set[int] = field(default_factory=set)
    allowed: set[int] | None = None

    @property
    def seconds(self) -> float:
        """Seconds between two lines."""
        return max(_LEAST_INTERVAL, self.numbers["interval"]) / 100

    def shows(self, point: int) -> bool:
        """Return whether a move may be shown."""
        return point not in self.avoided and (self.allowed is None or point in self.allowed)


Writer = Callable[[Request, Ranking], str]


def _analyze(writer: Writer, session: Session, command: Command) -> Iterator[str]:
    """Check all arguments, then return the lines: an answer that has started cannot fail any more."""
    request = parse_request(command, session)
    return _stream(session, request, _rankings(session, request), writer)


def _genmove(writer: Writer, session: Session, command: Command) -> Iterator[str]:
    request = parse_request(command, session)
    return _stream_and_move(session, request, _rankings(session, request), writer, _decision(session, request))


def _decision(session: Session, request: Request) -> Callable[[Ranking], int]:
    """Return a function from the last ranking to the move; players that use no ranking choose beforehand."""
    player = session.player()
    if isinstance(player, GreedyPlayer):
        return partial(player.decide, session.turn(request.colour))
    point = session.choose(request.colour)
    return lambda _: point


def _rankings(session: Session, request: Request) -> Iterator[Ranking]:
    return rank(session.turn(request.colour), session.model.evaluator, session.settings.candidates)


def parse_request(command: Command, session: Session) -> Request:
    """Return the options of `[colour] [interval] [key value ...]`; raise InputError."""
    words = list(command.arguments)
    colour = parse_colour(words.pop(0)) if words and is_colour(words[0]) else session.game.position.to_move
    request = Request(colour)
    if words and words[0].isdigit():
        request.numbers["interval"] = parse_whole(words.pop(0))
    while words:
        _parse_key(request, words, session.game.side)
    return request


def _parse_key(request: Request, words: list[str], side: int) -> None:
    """Take one key and its values from the front of `words`."""
    key = words.pop(0)
    values = [words.pop(0) for _ in range(min(len(words), 3 if key in ("avoid", "allow") else 1))]
    if key in _NUMBERS and values:
        request.numbers[key] = parse_whole(values[0])
    elif key in _FLAGS and values:
        (request.flags.add if parse_bool(values[0]) else request.flags.discard)(key)
    elif key in ("avoid", "allow") and len(values) == 3:
        points = {parse_gtp(vertex, side) for vertex in values[1].split(",")}
        if parse_colour(values[0]) != request.colour:
            return
        if key == "avoid":
            request.avoided |= points
        else:
            request.allowed = points | (request.allowed or set())
    else:
        known = ", ".join((*_NUMBERS, "avoid", "allow", *_FLAGS))
        raise GtpError(f"syntax error: expected {known}, each with its values. Received: {key!r}")


def _stream(session: Session, request: Request, rankings: Iterator[Ranking], writer: Writer) -> Iterator[str]:
    """Yield a line for the first candidates and one after each interval, until the client sends anything.

    Yields no line while no candidate may be shown: an empty line would end the answer.
    """
    due = 0.0
    for ranking in rankings:
        line = writer(request, ranking)
        if line and time.monotonic() >= due:
            yield line
            due = time.monotonic() + request.seconds
        if session.wait(0):
            return
    while not session.wait(max(0.0, due - time.monotonic())):
        if line:
            yield line
        due = time.monotonic() + request.seconds


def _stream_and_move(
    session: Session,
    request: Request,
    rankings: Iterator[Ranking],
    writer: Writer,
    decide: Callable[[Ranking], int],
) -> Iterator[str]:
    """Yield a line for each better ranking, then the player's move."""
    for ranking in rankings:
        if line := writer(request, ranking):
            yield line
        if session.interrupted():
            break
    yield f"play {make_move(session, request.colour, decide(ranking))}"


def leela_line(request: Request, ranking: Ranking) -> str:
    """Return one line as `lz-analyze` writes it: probabilities are whole numbers of 1/10,000."""
    side = len(ranking.estimate.ownership)
    return " ".join(
        f"info move {gtp_name(each.point, side)} visits {each.visits} winrate {round(10000 * each.wins)} "
        f"prior {round(10000 * prior)} lcb {round(10000 * lower_bound(each))} order {order} "
        f"pv {gtp_name(each.point, side)}"
        for order, (each, prior) in enumerate(_shown(request, ranking))
    )


def kata_line(request: Request, ranking: Ranking) -> str:
    """Return one line as `kata-analyze` writes it; all numbers from the view of the side to move."""
    sign = 1 if request.colour == BLACK else -1
    side = len(ranking.estimate.ownership)
    parts = [
        _kata_move(each, prior, order, request, side) for order, (each, prior) in enumerate(_shown(request, ranking))
    ]
    if "rootInfo" in request.flags:
        parts.append(_root(ranking, sign))
    ownership = sign * ranking.estimate.ownership
    if "ownership" in request.flags:
        parts.append(f"ownership {_floats(ownership)}")
    if "ownershipStdev" in request.flags:
        parts.append(f"ownershipStdev {_floats(np.sqrt(1 - np.square(ownership).clip(0, 1)))}")
    return " ".join(parts)


def _kata_move(each: Candidate, prior: float, order: int, request: Request, side: int) -> str:
    name, low = gtp_name(each.point, side), lower_bound(each)
    text = (
        f"info move {name} visits {each.visits} utility {2 * each.wins - 1:.4f} winrate {each.wins:.4f} "
        f"scoreMean {each.lead:.2f} scoreStdev {each.deviation:.2f} scoreLead {each.lead:.2f} "
        f"scoreSelfplay {each.lead:.2f} prior {prior:.4f} lcb {low:.4f} utilityLcb {2 * low - 1:.4f} "
        f"order {order} pv {name}"
    )
    if "pvVisits" in request.flags:
        text += f" pvVisits {each.visits}"
    if "movesOwnership" in request.flags:
        text += f" movesOwnership {_floats(each.ownership if request.colour == BLACK else -each.ownership)}"
    return text


def _root(ranking: Ranking, sign: int) -> str:
    estimate = ranking.estimate
    visits = 1 + sum(each.visits for each in ranking.candidates)
    lead = sign * estimate.score
    wins = win_probability(lead, estimate.deviation)
    return (
        f"rootInfo visits {visits} utility {2 * wins - 1:.4f} winrate {wins:.4f} scoreMean {lead:.2f} "
        f"scoreStdev {estimate.deviation:.2f} scoreLead {lead:.2f} scoreSelfplay {lead:.2f}"
    )


def _shown(request: Request, ranking: Ranking) -> list[tuple[Candidate, float]]:
    """Return the candidates to show with their priors, best first."""
    priors = _priors(ranking)
    allowed = [each for each in ranking.candidates if request.shows(each.point)]
    most = max(request.numbers.get("maxmoves", len(allowed)), request.numbers.get("minmoves", 1), 1)
    return [(each, priors[each.point]) for each in allowed[:most]]


def _priors(ranking: Ranking) -> dict[int, float]:
    """Return the prior of each candidate by its flat index: the model's policy, else the softmax of the gains."""
    points = [each.point for each in ranking.candidates]
    if ranking.policy is None:
        return dict(zip(points, softmax(ranking), strict=True))
    return {point: float(ranking.policy[point]) for point in points}


def softmax(ranking: Ranking) -> list[float]:
    """Return the softmax of the points that the candidates gain: probabilities that add up to 1."""
    best = max(each.gain for each in ranking.candidates)
    weights = [math.exp((each.gain - best) / TEMPERATURE) for each in ranking.candidates]
    return [weight / sum(weights) for weight in weights]


def lower_bound(candidate: Candidate) -> float:
    """Return the `lcb`: the probability of winning with a lead that is 1 / sqrt(visits) points smaller."""
    return win_probability(candidate.lead - 1 / math.sqrt(candidate.visits), candidate.deviation)


def raw_network(session: Session, command: Command) -> str:
    """Return the answer to `kata-raw-nn`: the network's outputs for the position, from White's view."""
    (symmetry,) = command.take(1)
    if symmetry not in ("0", "all"):
        raise GtpError(f"expected symmetry 0 or all. Received: {symmetry!r}")
    turn = session.turn()
    position, side = turn.position, turn.position.side
    [prediction] = session.model.evaluator.evaluate([position], 8 if symmetry == "all" else 1, turn.game.terms)
    estimate = turn.estimate(prediction)
    lead = estimate.score if prediction.lead is None else prediction.lead
    wins = estimate.black_wins if prediction.win_rate is None else prediction.win_rate
    policy = np.full(side * side + 1, np.nan)
    if prediction.policy is None:
        ranking = last_ranking(rank(turn, session.model.evaluator), session.interrupted)
        policy[[each.point for each in ranking.candidates]] = softmax(ranking)
    else:
        np.copyto(policy, prediction.policy, where=position.legal_moves())
    return "\n".join(
        [
            f"symmetry {symmetry}",
            f"whiteWin {1 - wins:.6f}",
            f"whiteLoss {wins:.6f}",
            "noResult 0.000000",
            f"whiteLead {-lead:.3f}",
            f"whiteScoreSelfplay {-estimate.score:.3f}",
            f"shorttermScoreError {estimate.deviation:.3f}",
            "policy",
            *_rows(policy[:-1].reshape(side, side)),
            f"policyPass {policy[pass_point(side)]:.6f}",
            "whiteOwnership",
            *_rows(-prediction.ownership),
        ]
    )


def _rows(values: NDArray[np.floating]) -> list[str]:
    return [" ".join("NAN" if math.isnan(v) else f"{v:.6f}" for v in row) for row in (values + 0.0).tolist()]


def _floats(values: NDArray[np.floating]) -> str:
    return " ".join(f"{value:.3f}" for value in (values + 0.0).ravel().tolist())


ACTIONS: Final[Mapping[str, Action]] = {
    "lz-analyze": partial(_analyze, leela_line),
    "lz-genmove_analyze": partial(_genmove, leela_line),
    "kata-analyze": partial(_analyze, kata_line),
    "kata-genmove_analyze": partial(_genmove, kata_line),
    "analyze": partial(_analyze, kata_line),
    "genmove_analyze": partial(_genmove, kata_line),
    "kata-raw-nn": raw_network,
}
