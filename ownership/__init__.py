"""Models that predict who owns each point, and their uses.

`__all__` has the names that most programs need; docs/api.md describes them. Each is imported from its module when it is
first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from goban.counting.estimate import Estimate
    from goban.errors import InputError
    from goban.game import Game
    from goban.position import Position
    from goban.rulesets import Ruleset, Terms
    from ownership.inference.evaluator import Evaluator, Prediction
    from ownership.scoring.games import ScoredGame, ScoreOptions, score_games
    from ownership.scoring.position import VertexClaims, score_position, score_positions
    from ownership.scoring.schema import as_json
    from ownership.search.mcts.search import TreeSearch
    from ownership.search.options import Limits, TreeOptions
    from ownership.training.keras_dataset import KerasDataset
    from ownership.training.saved import load_network
    from preprocessing.records.game import GameRecord
    from preprocessing.records.sources import BadRecord, read_game, read_games

    __version__: str

__all__ = [
    "BadRecord",
    "Estimate",
    "Evaluator",
    "Game",
    "GameRecord",
    "InputError",
    "KerasDataset",
    "Limits",
    "Position",
    "Prediction",
    "Ruleset",
    "ScoreOptions",
    "ScoredGame",
    "Terms",
    "TreeOptions",
    "TreeSearch",
    "VertexClaims",
    "as_json",
    "load_network",
    "read_game",
    "read_games",
    "score_games",
    "score_position",
    "score_positions",
]

_MODULES: Final = {
    "BadRecord": "preprocessing.records.sources",
    "Estimate": "goban.counting.estimate",
    "Evaluator": "ownership.inference.evaluator",
    "Game": "goban.game",
    "GameRecord": "preprocessing.records.game",
    "InputError": "goban.errors",
    "KerasDataset": "ownership.training.keras_dataset",
    "Limits": "ownership.search.options",
    "Position": "goban.position",
    "Prediction": "ownership.inference.evaluator",
    "Ruleset": "goban.rulesets",
    "ScoreOptions": "ownership.scoring.games",
    "ScoredGame": "ownership.scoring.games",
    "Terms": "goban.rulesets",
    "TreeOptions": "ownership.search.options",
    "TreeSearch": "ownership.search.mcts.search",
    "VertexClaims": "ownership.scoring.position",
    "as_json": "ownership.scoring.schema",
    "load_network": "ownership.training.saved",
    "read_game": "preprocessing.records.sources",
    "read_games": "preprocessing.records.sources",
    "score_games": "ownership.scoring.games",
    "score_position": "ownership.scoring.position",
    "score_positions": "ownership.scoring.position",
}


def __getattr__(name: str) -> Any:
    """Import one of `__all__`, or find the version of the installed package."""
    if name == "__version__":
        from importlib.metadata import version

        return version("go-ownership")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    """Name what is there, also before it is imported, to shells that complete names."""
    return sorted({*globals(), *__all__, "__version__"})
