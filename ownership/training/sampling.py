"""The samplers that make the batches of a training."""

from ownership.inference.config import NetworkConfig
from ownership.training.options import TrainingOptions
from preprocessing.dataset.sampler import Sampler
from preprocessing.dataset.soft_sampler import MixedSampler
from preprocessing.dataset.soft_table import SoftTable
from preprocessing.dataset.table import GameTable
from preprocessing.features.planes import parse_feature_set


def samplers(
    games: GameTable, config: NetworkConfig, options: TrainingOptions, soft: SoftTable | None
) -> tuple[Sampler, MixedSampler | None]:
    """Return what draws the positions of games, and what mixes in those of a teacher, where there are any."""
    records = Sampler(
        games,
        parse_feature_set(config.feature_set),
        options.batch_size,
        options.seed,
        chains=config.reads_chains,
        endings=options.endings,
        symmetries=options.symmetries,
        history_dropout=options.history_dropout,
        weights=options.dataset_weights,
    )
    weight = options.teacher_weight
    return records, MixedSampler(records, soft, weight) if soft and weight else None
