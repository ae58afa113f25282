"""The transposition table, and the moves that refuted others."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from goban.position import Position

UPPER, EXACT, LOWER = -1, 0, 1  # what a stored value is of the true one

SIZE: Final = 1 << 18  # positions
BOTH_COLOURS: Final = 3

PositionKey = tuple[int | frozenset[int], ...]


class TableEntry(NamedTuple):
    """What a search of a node found.

    Attributes:
        ply: of the node, from the root.
        depth: plies searched.
        value: the value of the node, or a bound of it.
        bound: UPPER, EXACT or LOWER.
        line: the best moves.
        taken: colours captured in that search: 1 Black, 2 White, 3 both.
    """

    ply: int
    depth: int
    value: int
    bound: int
    line: tuple[int, ...]
    taken: int

    def decides(self, alpha: int, beta: int) -> bool:
        """Return whether a search with that window would return this value, or a bound on the same side."""
        return self.bound == EXACT or (self.value >= beta if self.bound == LOWER else self.value <= alpha)


@dataclass(frozen=True, slots=True)
class SearchNode:
    """A position of the search tree, and what its value depends on besides.

    Attributes:
        position: the position.
        ply: moves since the root.
        passes: how many of the last moves were passes, up to two.
        taken: colours captured since the root, as in `TableEntry`.
        line: hashes of all positions since the root, this one included; no move may bring one of them back.
    """

    position: Position
    ply: int = 0
    passes: int = 0
    taken: int = 0
    line: frozenset[int] = frozenset()

    @property
    def key(self) -> PositionKey:
        """The Zobrist hash, and what it leaves out."""
        return self.position.hash, self.position.to_move, self.position.ko, self.passes

    @property
    def key_in_line(self) -> PositionKey:
        """The same, with all positions since the root."""
        return (*self.key, self.line)


class TranspositionTable:
    """Entries by position; the oldest ones are dropped first.

    Args:
        size: entries kept, at most.

    A position may not come back, so that the value of a position depends on how it was reached. But a line comes back
    to a position only after stones of both colours were captured: where that did not happen, neither on the way to a
    position nor in the search of it, all ways to it are alike. Otherwise an entry holds for the same line alone.
    """

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._entries: dict[PositionKey, TableEntry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, node: SearchNode) -> TableEntry | None:
        """Return the entry of a node, of any depth, or None."""
        entry = self._entries.get(node.key)
        if entry is not None and entry.ply == node.ply and entry.taken | node.taken != BOTH_COLOURS:
            return entry
        return self._entries.get(node.key_in_line)

    def store(self, node: SearchNode, entry: TableEntry) -> None:
        """Store an entry in place of the one before."""
        key = node.key_in_line if entry.taken | node.taken == BOTH_COLOURS else node.key
        self._entries.pop(key, None)
        self._entries[key] = entry
        if len(self._entries) > self._size:
            del self._entries[next(iter(self._entries))]


@dataclass
class Refutations:
    """Moves that refuted others: the last two at each ply, and how often each one did, by colour."""

    _killers: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _counts: dict[tuple[int, int], int] = field(default_factory=dict)
    _most: int = 1

    def note(self, node: SearchNode, point: int, depth: int) -> None:
        """Record that a move refuted the one before, `depth` plies above the leaves."""
        self._killers[node.ply] = tuple(dict.fromkeys((point, *self._killers.get(node.ply, ()))))[:2]
        key = node.position.to_move, point
        self._counts[key] = self._counts.get(key, 0) + depth * depth
        self._most = max(self._most, self._counts[key])

    def killers(self, ply: int) -> tuple[int, ...]:
        """Return the last two moves that refuted others at a ply, the last one first."""
        return self._killers.get(ply, ())

    def share(self, colour: int, point: int) -> float:
        """Return how often a move refuted others, divided by the same of the most frequent one: 0 to 1."""
        return self._counts.get((colour, point), 0) / self._most
