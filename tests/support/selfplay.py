"""Small datasets that `ownership selfplay` makes."""

from pathlib import Path

from game_datasets.rows import Row
from ownership.inference.evaluator import Evaluator
from ownership.scoring.labelling_model import LabellingModel
from ownership.selfplay.branched_game_plans import Mistakes, Records
from ownership.selfplay.selfplay_run import SelfPlay
from runtime.folders import Folder
from tests.support.datasets import rows_of

GAMES, SHARD = 16, 4


def play(records: Path, output: Path, games: int = GAMES, seed: int = 3) -> list[Row]:
    """Play games and return the rows."""
    evaluator = Evaluator.load(cached=0)
    SelfPlay(Folder(output), Mistakes(Records(records)), evaluator, LabellingModel.find().name, seed, SHARD).run(games)
    return rows_of(output)
