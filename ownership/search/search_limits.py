"""Where a search ends."""

from dataclasses import dataclass, fields
from math import inf

from goban.errors import check_fields


@dataclass(frozen=True)
class Limits:
    """Where a search ends; None is no limit.

    Attributes:
        depth: plies.
        nodes: positions of the tree.
        evaluations: evaluated positions; the batch in which the limit is reached is finished.
        seconds: since the search began.
        visits: of the root of a tree, with visits of earlier searches.

    Raises:
        InputError: a negative number.
    """

    depth: int | None = None
    nodes: int | None = None
    evaluations: int | None = None
    seconds: float | None = None
    visits: int | None = None

    def __post_init__(self) -> None:
        check_fields(self, {each.name: (0, inf) for each in fields(self)})
