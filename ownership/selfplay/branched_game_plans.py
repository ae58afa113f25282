"""Plans of games that leave their records: which record, after how many moves, and by which moves."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from game_datasets.rows import RECORD_COLUMNS, DatasetError, record_of
from game_datasets.shards import Datasets, dataset_files, listed, read_shard
from game_records.game_record import GameRecord
from game_records.result_property import Result
from runtime.folders import Folder

BranchKind = Literal["tenuki", "unlikely", "random", "free", "resigned"]
"""How a game leaves its record; see `Plan`."""

UNFINISHED: Final = Result(0, None, "unknown", "")
_SHARES: Final[dict[BranchKind, float]] = {"tenuki": 0.4, "unlikely": 0.25, "random": 0.25, "free": 0.1}
KINDS: Final = tuple(_SHARES)
_COUNTS: Final = (0.4, 0.3, 0.2, 0.1)  # how often 1, 2, 3, 4 moves are substituted
_RULES: Final = "area"
_COLUMNS: Final = (*RECORD_COLUMNS, "id", "branch", "target", "split")


class Records:
    """The records that games begin with: the accepted games of split train in some datasets, as they were played.

    Attributes:
        name: their number and a hash of their ids.

    Raises:
        DatasetError: there is no such game.

    Holds all of them in memory.
    """

    def __init__(self, datasets: Datasets) -> None:
        import pyarrow as pa

        self._rows = pa.concat_tables(_usable(folder, name) for folder, name in dataset_files(datasets))
        if not len(self):
            names = ", ".join(map(str, listed(datasets)))
            raise DatasetError(f"{names}: expected accepted games of split train, as they were played, found none")
        ids = "\n".join(self._rows["id"].to_pylist())
        self.name = f"{len(self)} {hashlib.blake2b(ids.encode(), digest_size=4).hexdigest()}"

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> GameRecord:
        """Return a record with area rules, by which playing on makes no difference, and without its result."""
        [row] = self._rows.slice(number, 1).to_pylist()
        return replace(record_of(row), rules=_RULES, result=UNFINISHED)


def _usable(folder: Folder, shard: str) -> Any:
    import pyarrow.compute as pc

    table = read_shard(folder, shard, _COLUMNS)
    played_so = pc.and_(pc.is_valid(table["target"]), pc.is_null(table["branch"]))
    return table.filter(pc.and_(played_so, pc.equal(table["split"], "train"))).drop_columns(["target", "branch"])


@dataclass(frozen=True, eq=False)
class Plan:
    """How one game is played.

    Attributes:
        seed: of the run.
        number: of the game; all random choices depend on it and on `seed`.
        record: what the game begins with.
        kind: "tenuki" substitutes likely moves far from the last one, "unlikely" moves of a flatter policy, "random"
            any sensible moves; "free" begins with the record's empty board or handicap stones, and samples the policy
            as it is; "resigned" goes on from the record's last move.
        ply: moves of the record that are played.
        substituted: the plies at which moves of the kind are played.
    """

    seed: int
    number: int
    record: GameRecord
    kind: BranchKind
    ply: int
    substituted: range

    @property
    def branch(self) -> int:
        """The number of moves after which none is substituted."""
        return self.substituted[-1] + 1 if self.substituted else self.ply

    @property
    def source(self) -> str:
        """The source of the game, as its row names it."""
        return f"game {self.number}: {self.kind} after {self.ply} moves of {self.record.source}"


def make_plan(seed: int, number: int, records: Records) -> Plan:
    """Return the plan of game `number`, the same for the same arguments.

    Substituted moves follow each other, or are one player's alone and answered by the other one.
    """
    chance = np.random.default_rng((seed, number))
    record = records[int(chance.integers(len(records)))]
    kind = KINDS[int(chance.choice(len(KINDS), p=list(_SHARES.values())))]
    if kind == "free":
        return Plan(seed, number, record, kind, 0, range(0))
    ply = int(chance.integers(max(1, record.moves_before_passes)))
    count, step = 1 + int(chance.choice(len(_COUNTS), p=_COUNTS)), int(chance.integers(1, 3))
    return Plan(seed, number, record, kind, ply, range(ply, ply + count * step, step))


class Mistakes:
    """Plans games that leave records by mistakes.

    Args:
        records: what they begin with.
    """

    counted = True

    def __init__(self, records: Records) -> None:
        self._records = records

    @property
    def options(self) -> dict[str, Any]:
        """What the plans depend on, besides the seed."""
        return {"records": self._records.name}

    def plan(self, seed: int, number: int) -> Plan:
        """Return the plan of game `number`; see `make_plan`."""
        return make_plan(seed, number, self._records)


def continuation(record: GameRecord) -> Plan:
    """Return the plan by which a record is played on from its last move, the same for the same record."""
    record = replace(record, rules=_RULES, result=UNFINISHED)
    return Plan(0, int(record.id, 16), record, "resigned", len(record.move_points), range(0))
