"""What a search reports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchResult:
    """What a search found so far.

    Attributes:
        depth: plies that were searched; of a tree, the plies of its longest line.
        score: expected points of Black minus White's after `line`, komi included.
        line: the best moves, the first one to be played now.
        nodes: searched since the search began; of a tree, all that it holds.
        evaluations: positions evaluated since the search began.
        seconds: since the search began.
        complete: whether the depth was finished; if not, some moves at the root were not searched.
    """

    depth: int
    score: float
    line: tuple[int, ...]
    nodes: int
    evaluations: int
    seconds: float
    complete: bool = True

    @property
    def move(self) -> int:
        """The move to play."""
        return self.line[0]
