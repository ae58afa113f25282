"""The splits of a whole dataset: a small one has games for validation and test too."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from game_datasets.portions import Portions
from game_datasets.rows import SPLITS, Row, split_of
from game_datasets.shards import read_shard, shard_names
from runtime.folders import Folder

_COLUMNS: Final = ("opening", "split", "reason")
_ENOUGH: Final = 10  # openings of a split
_ONE_IN: Final = 10  # openings of a dataset that has fewer


def settle_splits(dataset: Folder, portions: Portions) -> Counter[str]:
    """Give each row of a dataset its split, see `opening_splits`, and return how many accepted games each split has.

    Only portions in which a split changes are written, so that a run that was killed before is made good by the next.

    Raises:
        DatasetError: the dataset cannot be read.
    """
    columns = [read_shard(dataset, name, _COLUMNS).to_pylist() for name in shard_names(dataset)]
    accepted = [row["opening"] for rows in columns for row in rows if not row["reason"]]
    splits = opening_splits(accepted)
    if any(_split_in(splits, row) != row["split"] for rows in columns for row in rows):
        for number in portions:
            rows = portions.rows(number)
            if any(_split_in(splits, row) != row["split"] for row in rows):
                portions.write(number, [row | {"split": _split_in(splits, row)} for row in rows])
    return Counter(splits[opening] for opening in accepted)


def _split_in(splits: Mapping[str, str], row: Row) -> str | None:
    """Return the split of a row, None for a record without moves."""
    opening = row["opening"]
    return opening and (splits.get(opening) or split_of(opening))


def opening_splits(openings: Iterable[str]) -> dict[str, str]:
    """Return the split of each opening of a dataset's accepted games.

    `split_of` decides, but validation and test get ten openings each, or one in ten of a dataset with fewer than a
    hundred: the openings of `train` with the lowest numbers by which `split_of` decides. So splits of datasets of a
    thousand games do not depend on the other games, and a dataset that grows keeps its held-out games.
    """
    ordered = sorted(set(openings), key=lambda opening: (int(opening[:8], 16) % 100, opening))
    splits = {opening: split_of(opening) for opening in ordered}
    if len(ordered) < len(SPLITS):
        return splits
    least = max(1, min(_ENOUGH, len(ordered) // _ONE_IN))
    spare = [opening for opening in ordered if splits[opening] == "train"]
    for split in SPLITS[1:]:
        missing = max(0, least - list(splits.values()).count(split))
        taken, spare = spare[:missing], spare[missing:]
        splits |= dict.fromkeys(taken, split)
    return splits
