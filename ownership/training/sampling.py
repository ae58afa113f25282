"""The sampler that makes the batches of a training."""

from ownership.inference.config import NetworkConfig
from ownership.training.options import TrainingOptions
from preprocessing.dataset.sampler import Sampler
from preprocessing.dataset.table import GameTable
from preprocessing.features.planes import parse_feature_set


def sampler_for(
    config: NetworkConfig, options: TrainingOptions, games: GameTable, soft: GameTable | None = None
) -> Sampler:
    """Return what draws the positions of games and, where `options` have a weight for them, those of a teacher."""
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
    )
