"""The games that a network learns from and is validated on, and what draws their positions; read without Keras."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from game_datasets.game_filter import EVERY_GAME, GameFilter
from game_datasets.game_table import GameTable
from game_datasets.load_table import check_games, load_games, load_soft
from game_datasets.sampler import Sampler
from game_datasets.shards import Datasets
from goban.errors import plural
from ownership.inference.model_files import ModelError, ModelFiles
from ownership.inference.network_config import NetworkConfig
from ownership.training.own_target_values import target_values
from ownership.training.training_options import TrainingOptions
from planes.feature_sets import parse_feature_set

TRAINED: Final = "best.keras"


@dataclass(frozen=True, eq=False)
class TrainingGames:
    """What a network learns from.

    Attributes:
        train: games to train on.
        held_out: games to validate on.
        soft: positions that a teacher labelled; None for none.
    """

    train: GameTable
    held_out: GameTable
    soft: GameTable | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many games there are, by split."""
        return {"train": len(self.train), "validation": len(self.held_out)}

    def summary(self, config: NetworkConfig) -> str:
        """Return in one line how many games there are; those without a target are named."""
        unlabelled = int((~self.train.labelled).sum()) if "ownership" in config.heads else 0
        moves_only = f", {unlabelled:,} of them for moves only" if unlabelled else ""
        return f"{plural(len(self.train), 'game')} to train on{moves_only}, {len(self.held_out):,} to validate on"


def games_for(
    config: NetworkConfig,
    datasets: Datasets,
    split: str | None,
    chosen: GameFilter = EVERY_GAME,
    most: int | None = None,
) -> GameTable:
    """Return games that a network can learn from or be validated on.

    Args:
        config: the network; games are of its side if it has a fixed one, and have a target where it needs one.
        datasets: a dataset or several.
        split: `train`, where a network with a policy also learns from games without a target, another, or None for all.
        chosen: which games to use.
        most: how many at most.

    Raises:
        DatasetError: a dataset is missing, damaged or has no such game.
    """
    return load_games(datasets, split, chosen, most=most, **_usable(config, split))


def check_games_for(config: NetworkConfig, datasets: Datasets, chosen: GameFilter = EVERY_GAME) -> None:
    """Raise what `games_for` raises where there are no games to train or to validate on, without reading them all."""
    for split in ("train", "validation"):
        check_games(datasets, split, chosen, **_usable(config, split))


def training_games(
    config: NetworkConfig,
    options: TrainingOptions,
    datasets: Datasets,
    chosen: GameFilter = EVERY_GAME,
    soft: Sequence[Path | str] = (),
) -> TrainingGames:
    """Return the games of the splits `train` and `validation`, and the positions of soft datasets.

    Raises:
        DatasetError: a dataset is missing, damaged or has no such game.
    """
    games = games_for(config, datasets, "train", chosen, options.games)
    held_out = games_for(config, datasets, "validation", chosen)
    return TrainingGames(games, held_out, load_soft(soft, config.side) if soft else None)


def trained_path(files: ModelFiles) -> Path:
    """Return the file of the float32 weights of a model; raise ModelError if there is none."""
    path = files.weights.with_name(TRAINED)
    if not path.is_file():
        raise ModelError(f"{path}: expected the float32 weights of a training. Received: no such file")
    return path


def _usable(config: NetworkConfig, split: str | None) -> dict[str, Any]:
    owners = "ownership" in config.heads
    unlabelled = not owners or (split == "train" and bool({"policy", "resign"} & {*config.heads}))
    return {"unlabelled": unlabelled, "labelled": owners, "side": config.side}


def sampler_for(
    config: NetworkConfig, options: TrainingOptions, games: GameTable, soft: GameTable | None = None
) -> Sampler:
    """Return the sampler of positions of games and, if `options` have a weight for them, of a teacher's positions."""
    return Sampler(
        games,
        parse_feature_set(config.feature_set),
        options.batch_size,
        options.seed,
        chains=config.reads_chains,
        endings=options.endings,
        symmetries=options.symmetries,
        history_dropout=options.history_dropout,
        weights=options.dataset_weights,
        soft=soft if options.teacher_weight else None,
        teacher_weight=options.teacher_weight,
        targets={name: partial(target_values, name) for name in options.targets or ()},
    )
