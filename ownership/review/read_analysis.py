"""The review that a record holds: KaTrain's analysis (KT), as KaTrain and `ownership analyze` write it."""

import base64
import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from game_records.sgf_tree import SgfTree, nodes_by_ply
from goban.coords import parse_gtp
from goban.counting.expected_score import INTERVAL
from ownership.search.mcts.root_move_choice import TreeMove, lower_bound
from ownership.search.mcts.tree_value import TreeValue

_MOST_BYTES: Final = 1 << 18  # of an analysis, unpacked
_MOST_MOVES: Final = 50  # of an analysis that are read
_LONGEST_LINE: Final = 40
_GZIP: Final = 31  # for zlib


@dataclass(frozen=True, eq=False)
class RecordedPosition:
    """A position of a game with the analysis in its record; Black's view throughout.

    Attributes:
        game: the record.
        move: how many were played before.
        root: its value.
        candidates: moves that were searched, best first; none where the score is counted.
        ownership: float32 (N, N), +1 Black.
    """

    game: GameRecord
    move: int
    root: TreeValue
    candidates: tuple[TreeMove, ...]
    ownership: NDArray[np.float32]

    @property
    def visits(self) -> int:
        """Visits of the search, 0 where the score is counted."""
        return self.root.visits if self.candidates else 0

    @property
    def score(self) -> float:
        """Expected or counted points of Black minus White's, komi included."""
        return self.root.score

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds within which the final score lies with a probability of 90%; None where it is counted."""
        margin = INTERVAL * self.root.deviation
        return (self.score - margin, self.score + margin) if self.candidates else None

    @property
    def black_wins(self) -> float | None:
        """Probability that Black wins; None where the score is counted."""
        return self.root.wins if self.candidates else None

    def wins_for(self, colour: int) -> float:
        """Return the probability that a colour wins."""
        return self.root.wins_for(colour)


def recorded_review(game: GameRecord, tree: SgfTree) -> list[RecordedPosition]:
    """Return the positions of a game whose analysis its record holds, in order; an unreadable analysis is none."""
    found = []
    for move, node in sorted(nodes_by_ply(tree).items()):
        if move > len(game.move_points):
            break
        try:
            found.append(_position(game, move, node["KT"]))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, zlib.error):
            continue
    return found


def _position(game: GameRecord, move: int, values: list[str]) -> RecordedPosition:
    owners, _, rest = map(_unpacked, values)
    analysis = json.loads(rest)
    root = _value(analysis["root"])
    colour = int(game.move_colours[move]) if move < len(game.move_points) else _to_move(game)
    infos = [info for info in analysis["moves"].values() if info["visits"]]
    infos.sort(key=lambda info: (_number(info.get("order", 0)), -_number(info["visits"])))
    candidates = tuple(_candidate(info, game.side, colour) for info in infos[:_MOST_MOVES])
    ownership = np.frombuffer(owners, "<f2").astype(np.float32).reshape(game.side, game.side)
    if not np.isfinite(ownership).all():
        raise ValueError("expected numbers")
    return RecordedPosition(game, move, root, candidates, ownership)


def _to_move(game: GameRecord) -> int:
    return -int(game.move_colours[-1]) if len(game.move_colours) else game.to_move


def _unpacked(value: str) -> bytes:
    reader = zlib.decompressobj(_GZIP)
    data = reader.decompress(base64.b64decode(value), _MOST_BYTES)
    if not reader.eof:
        raise ValueError("expected a shorter analysis")
    return data


def _candidate(info: Mapping[str, Any], side: int, colour: int) -> TreeMove:
    line = tuple(parse_gtp(vertex, side) for vertex in info["pv"][:_LONGEST_LINE])
    point, value = parse_gtp(info["move"], side), _value(info)
    if line[:1] != (point,):
        raise ValueError("expected a line that begins with its move")
    return TreeMove(point, _number(info["prior"]), value, lower_bound(value, colour), line, ())


def _value(info: Mapping[str, Any]) -> TreeValue:
    wins, score, deviation = (_number(info.get(name, 0.0)) for name in ("winrate", "scoreLead", "scoreStdev"))
    if not 0 <= wins <= 1:
        raise ValueError("expected a probability")
    return TreeValue(int(_number(info["visits"])), 2 * wins - 1, wins, score, deviation, 0.0)


def _number(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("expected a number")
    return float(value)
