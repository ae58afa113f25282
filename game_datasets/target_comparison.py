"""How far two datasets agree about the games that are in both, such as the same games under two scorers."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game_datasets.rows import RECORD_COLUMNS, Row, owner_of, record_of
from game_datasets.shards import read_shard, shard_names
from game_records.game_record import GameRecord
from runtime.folders import Folder

_COLUMNS = (*RECORD_COLUMNS, "id", "target", "scorer", "reason")


@dataclass(frozen=True, eq=False)
class TargetDisagreement:
    """A game that both datasets accept, with points that one gives to Black and the other to White.

    Attributes:
        game: as the second dataset has it.
        first, second: int8 (N, N), the owners in each dataset.
        scorers: what decided in each.
    """

    game: GameRecord
    first: NDArray[np.int8]
    second: NDArray[np.int8]
    scorers: tuple[str, str]

    @property
    def points(self) -> NDArray[np.bool_]:
        """The points in question, bool (N, N)."""
        opposed: NDArray[np.bool_] = self.first * self.second == -1
        return opposed


@dataclass(frozen=True, eq=False)
class TargetComparison:
    """The targets of two datasets for the games in both.

    Attributes:
        games: in both.
        accepted: by both.
        only_first, only_second: games that one of them accepts.
        agreed: points that both decide, to the same player, in the games that both accept.
        opposed: points that they decide differently.
        decided_once: points that only the first, and that only the second gives to a player.
        disagreements: the games with opposed points, in the order of ids.
    """

    games: int
    accepted: int
    only_first: int
    only_second: int
    agreed: int
    opposed: int
    decided_once: tuple[int, int]
    disagreements: list[TargetDisagreement]


def compare_targets(first: Folder, second: Folder) -> TargetComparison:
    """Compare two datasets game by game; raise DatasetError for one that cannot be read."""
    known = {row["id"]: row for row in _rows(first)}
    pairs = [(known[row["id"]], row) for row in _rows(second) if row["id"] in known]
    both = [(one, other) for one, other in pairs if not one["reason"] and not other["reason"]]
    counts, disagreements = np.zeros(4, np.int64), []
    for one, other in both:
        found = TargetDisagreement(record_of(other), owner_of(one), owner_of(other), (one["scorer"], other["scorer"]))
        product = found.first * found.second
        alone = [((owner != 0) & (product == 0)).sum() for owner in (found.first, found.second)]
        counts += [(product == 1).sum(), (product == -1).sum(), *alone]
        if found.points.any():
            disagreements.append(found)
    return TargetComparison(
        games=len(pairs),
        accepted=len(both),
        only_first=sum(not one["reason"] for one, _ in pairs) - len(both),
        only_second=sum(not other["reason"] for _, other in pairs) - len(both),
        agreed=int(counts[0]),
        opposed=int(counts[1]),
        decided_once=(int(counts[2]), int(counts[3])),
        disagreements=sorted(disagreements, key=lambda found: found.game.id),
    )


def _rows(dataset: Folder) -> Iterator[Row]:
    """Yield the readable games of a dataset, without those that occurred before."""
    for name in shard_names(dataset):
        rows: list[Row] = read_shard(dataset, name, _COLUMNS).to_pylist()
        yield from (row for row in rows if row["id"] is not None and row["reason"] != "duplicate")
