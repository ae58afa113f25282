"""The arguments of lz-analyze, kata-analyze and their variants: `[colour] [interval] [key value ...]`."""

from dataclasses import dataclass, field
from typing import Final

from goban.coords import BLACK, parse_gtp
from goban.errors import shown
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.gtp_arguments import is_colour, parse_bool, parse_colour, parse_gtp_whole
from gogui_plugin.session import Session
from ownership.search.forbidden_moves import ForbiddenMoves

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


@dataclass
class AnalyzeArguments:
    """The arguments of an analysis.

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
    forbidden: ForbiddenMoves = field(init=False)

    def __post_init__(self) -> None:
        self.forbidden = ForbiddenMoves(self.side)

    @property
    def seconds(self) -> float:
        """Seconds between two lines."""
        return max(_LEAST_INTERVAL, self.numbers["interval"]) / 100

    def allows(self, point: int) -> bool:
        """Return whether the colour may make a move now: where it may make none, the search passes."""
        plies = self.forbidden.plies
        return plies is None or not plies[0 if self.colour == BLACK else 1, point]


def parse_analyze_arguments(command: Command, session: Session) -> AnalyzeArguments:
    """Return the arguments of a command; raise InputError."""
    words = list(command.arguments)
    colour = parse_colour(words.pop(0)) if words and is_colour(words[0]) else session.game.position.to_move
    arguments = AnalyzeArguments(colour, session.game.side)
    if words and words[0].isdigit():
        arguments.numbers["interval"] = parse_gtp_whole(words.pop(0), 0, _MOST)
    while words:
        _parse_key(arguments, words)
    return arguments


def _parse_key(arguments: AnalyzeArguments, words: list[str]) -> None:
    """Take one key and its values from the front of `words`."""
    key = words.pop(0)
    values = [words.pop(0) for _ in range(min(len(words), 3 if key in ("avoid", "allow") else 1))]
    if key in _NUMBERS and values:
        arguments.numbers[key] = parse_gtp_whole(values[0], 0, _MOST)
    elif key in _FLAGS and values:
        (arguments.flags.add if parse_bool(values[0]) else arguments.flags.discard)(key)
    elif key in ("avoid", "allow") and len(values) == 3:
        points = {parse_gtp(vertex, arguments.side) for vertex in values[1].split(",")}
        arguments.forbidden.add(key, parse_colour(values[0]), points, parse_gtp_whole(values[2], 1, _MOST))
    else:
        known = ", ".join((*_NUMBERS, "avoid", "allow", *_FLAGS))
        raise GtpError(f"syntax error: expected {known}, each with its values. Received: {shown(key)}")
