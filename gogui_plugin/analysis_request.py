"""The arguments of an analysis that streams: `[colour] [interval] [key value ...]`."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, parse_gtp
from goban.errors import shown
from gogui_plugin.arguments import is_colour, parse_bool, parse_colour, parse_whole
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.session import Session

_DEFAULT_INTERVAL: Final = 100  # centiseconds
_LEAST_INTERVAL: Final = 5
_MOST_PLIES: Final = 10_000
_FLAGS: Final = ("rootInfo", "ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits")
_NUMBERS: Final = ("interval", "minmoves", "maxmoves")


@dataclass
class Request:
    """The options of an analysis.

    Attributes:
        colour: the colour to analyse for.
        side: of the board.
        numbers: values of _NUMBERS by name, in centiseconds or moves.
        flags: those of _FLAGS that are set.
        forbidden: int16 (2, N*N + 1), the ply up to which Black and White may not make a move; None forbids nothing.
    """

    colour: int
    side: int
    numbers: dict[str, int] = field(default_factory=lambda: {"interval": _DEFAULT_INTERVAL})
    flags: set[str] = field(default_factory=set)
    forbidden: NDArray[np.int16] | None = None

    @property
    def seconds(self) -> float:
        """Seconds between two lines."""
        return max(_LEAST_INTERVAL, self.numbers["interval"]) / 100

    def allows(self, point: int) -> bool:
        """Return whether the colour may make a move now: where it may make none, the search passes."""
        return self.forbidden is None or not self.forbidden[0 if self.colour == BLACK else 1, point]

    def forbid(self, key: str, colour: int, points: set[int], plies: int) -> None:
        """Forbid a colour some moves up to a ply, or with the key `allow` all others."""
        if self.forbidden is None:
            self.forbidden = np.zeros((2, self.side**2 + 1), np.int16)
        row = self.forbidden[0 if colour == BLACK else 1]
        chosen = np.isin(np.arange(len(row)), list(points))
        forbidden = chosen if key == "avoid" else ~chosen
        row[forbidden] = np.maximum(row[forbidden], min(plies, _MOST_PLIES))


def parse_request(command: Command, session: Session) -> Request:
    """Return the options of a command; raise InputError."""
    words = list(command.arguments)
    colour = parse_colour(words.pop(0)) if words and is_colour(words[0]) else session.game.position.to_move
    request = Request(colour, session.game.side)
    if words and words[0].isdigit():
        request.numbers["interval"] = parse_whole(words.pop(0))
    while words:
        _parse_key(request, words)
    return request


def _parse_key(request: Request, words: list[str]) -> None:
    """Take one key and its values from the front of `words`."""
    key = words.pop(0)
    values = [words.pop(0) for _ in range(min(len(words), 3 if key in ("avoid", "allow") else 1))]
    if key in _NUMBERS and values:
        request.numbers[key] = parse_whole(values[0])
    elif key in _FLAGS and values:
        (request.flags.add if parse_bool(values[0]) else request.flags.discard)(key)
    elif key in ("avoid", "allow") and len(values) == 3:
        points = {parse_gtp(vertex, request.side) for vertex in values[1].split(",")}
        request.forbid(key, parse_colour(values[0]), points, max(0, parse_whole(values[2])))
    else:
        known = ", ".join((*_NUMBERS, "avoid", "allow", *_FLAGS))
        raise GtpError(f"syntax error: expected {known}, each with its values. Received: {shown(key)}")
