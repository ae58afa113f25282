"""Why a count may be wrong, and by how many points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask
from goban.chain_kernels import label, neighbour_table
from goban.coords import EMPTY, colour_name, gtp_name
from goban.counting.closed_board_count import count_without
from goban.counting.counted_score import Score
from goban.counting.finished_or_not import OPEN_EMPTY
from goban.counting.languages import say
from goban.counting.status_assignments import consistent, groups
from goban.position import Chain
from goban.reading.position_reader import PositionReader
from goban.regions import owners
from goban.rulesets import Terms

SAFE_DOUBT: Final = 0.01  # probability that the status of a chain is wrong, up to which a count is safe

DoubtKind = Literal["moves left", "may live", "may die", "next move", "open border", "points next move", "points"]
DOUBT_KINDS: Final[tuple[DoubtKind, ...]] = (
    "moves left", "may live", "may die", "next move", "open border", "points next move", "points"
)  # fmt: skip


@dataclass(frozen=True)
class Doubt:
    """A reason why a count may be wrong.

    Attributes:
        kind: moves may be left; dead stones may live, living ones may die; the status of stones depends on the next
            move or a ko; a border is open; the owner of empty points depends on the next move, or is uncertain.
        side: N of the board.
        colour: of the stones; 0 for empty points.
        points: flat indices of the stones, the largest chain first, or of the empty points.
        worth: how many points the count changes by; 0 where that is not known.
    """

    kind: DoubtKind
    side: int
    colour: int = EMPTY
    points: tuple[int, ...] = ()
    worth: float = 0.0

    @property
    def text(self) -> str:
        """The reason in words, such as "White's D18 (3 stones, 8 points) may live"."""
        if self.kind == "moves left":
            return say("doubt_moves_left")
        name, vertex = f"doubt_{self.kind.replace(' ', '_')}", gtp_name(self.points[0], self.side)
        worth = _number("points", self.worth)
        if self.colour == EMPTY:
            return say(name, vertex=vertex, points=worth)
        chain = say(f"chain_{colour_name(self.colour).lower()}", vertex=vertex)
        return say(name, chain=chain, stones=_number("stones", len(self.points)), points=worth)


class CountedPoints(NamedTuple):
    """What a count finds about the points of a position, (N, N) each.

    Attributes:
        score: the count.
        dead: bool, stones that are taken off.
        doubt: float32, the probability that the status of a stone is wrong.
        unsettled: bool, points whose owner depends on who moves next.
        gaps: bool, points that close open borders.
        decided: bool, points whose owner is nine to one or better.
    """

    score: Score
    dead: Mask
    doubt: NDArray[np.float32]
    unsettled: Mask
    gaps: Mask
    decided: Mask


def find_doubts(reader: PositionReader, terms: Terms, counted: CountedPoints) -> tuple[Doubt, ...]:
    """Return why the count of a finished position may be wrong, what is worth most first; nothing for a sure count."""
    doubts = [*_about_stones(reader, terms, counted), *_about_points(reader, counted)]
    return tuple(sorted(doubts, key=lambda doubt: -doubt.worth))


def _dame(reader: PositionReader, counted: CountedPoints) -> Mask:
    """Return bool (N, N): the neutral points in areas all of whose points lie beside a living stone."""
    left = reader.groups(counted.dead).left
    neutral = (left == EMPTY) & (counted.score.owner == EMPTY) & ~counted.gaps
    table = neighbour_table(reader.side)
    beside = ((left.ravel()[table] != EMPTY) & (table >= 0)).any(axis=1)
    areas = label(reader.side, neutral.astype(np.int8).ravel())
    inner = np.unique(areas[neutral.ravel() & ~beside])
    found: Mask = neutral & ~np.isin(areas, inner).reshape(neutral.shape)
    return found


def _about_stones(reader: PositionReader, terms: Terms, counted: CountedPoints) -> list[Doubt]:
    """Return the doubts about the status of groups that change the count."""
    occupied = reader.stones != EMPTY
    turning = counted.unsettled & occupied
    doubtful = (counted.doubt > SAFE_DOUBT) & ~turning
    kinds: tuple[tuple[DoubtKind, Mask], ...] = (
        ("next move", turning),
        ("may live", doubtful & counted.dead),
        ("may die", doubtful & ~counted.dead),
    )
    if not (turning | doubtful).any():
        return []
    margin = count_without(counted.dead, reader, terms)[0].margin
    found = []
    for kind, stones in kinds:
        for group in groups(reader.stones, stones):
            chains = [chain for chain in reader.chains if group.flat[list(chain.points)].any()]
            chains.sort(key=lambda chain: -len(chain.points))
            other = _with_other_status(reader, counted.dead, group)
            worth = _rough_worth(chains)
            if other is not None:
                worth = abs(count_without(other, reader, terms)[0].margin - margin)
            points = tuple(point for chain in chains for point in chain.points)
            found.append(Doubt(kind, reader.side, chains[0].colour, points, worth))
    return found


def _with_other_status(reader: PositionReader, dead: Mask, group: Mask) -> Mask | None:
    """Return the dead stones, bool (N, N), if the stones of a group have the other status.

    Where the group dies, the enemy stones that are dead beside it live. None if that makes no board on which all dead
    stones lie with the enemy.
    """
    other = dead ^ group
    if not dead[group].any():
        other &= ~_dead_beside(reader, dead, group)
    return other if consistent(reader.stones, owners(reader.stones, other), other) else None


def _rough_worth(chains: Sequence[Chain]) -> float:
    """Return two points for each stone and each liberty of chains."""
    liberties = {point for chain in chains for point in chain.liberties}
    return 2.0 * (sum(len(chain.points) for chain in chains) + len(liberties))


def _dead_beside(reader: PositionReader, dead: Mask, group: Mask) -> Mask:
    """Return bool (N, N): the dead stones that the empty points beside a living group connect with it."""
    among = group | (reader.stones == EMPTY) | (dead & (reader.stones != reader.stones[group][0]))
    areas = label(reader.side, among.astype(np.int8).ravel()).reshape(group.shape)
    found: Mask = dead & among & np.isin(areas, areas[group])
    return found


def _about_points(reader: PositionReader, counted: CountedPoints) -> list[Doubt]:
    """Return the doubts about empty points: open borders, and owners that are not certain."""
    owned = (reader.stones == EMPTY) & (counted.score.owner != EMPTY)
    divided = owned & (reader.groups(counted.dead).owner == EMPTY)
    found = []
    if counted.gaps.any():
        found.append(_of_points("open border", reader.side, counted.gaps, int(divided.sum())))
    if (turning := counted.unsettled & owned).any():
        found.append(_of_points("points next move", reader.side, turning, int(turning.sum())))
    uncertain = (reader.stones == EMPTY) & ~(counted.decided | counted.gaps | _dame(reader, counted))
    if uncertain.sum() > OPEN_EMPTY * reader.stones.size:
        found.append(_of_points("points", reader.side, uncertain, int(uncertain.sum())))
    return found


def _of_points(kind: DoubtKind, side: int, points: Mask, worth: int) -> Doubt:
    return Doubt(kind, side, EMPTY, tuple(np.flatnonzero(points).tolist()), worth)


def _number(name: str, count: float) -> str:
    return say(f"{name}_{'one' if count == 1 else 'many'}", count=f"{count:g}")
