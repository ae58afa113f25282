"""Models that predict who owns each point, and their uses.

`__all__` has the names that most programs need; docs/api.md describes them. Each is imported from its module when it is
first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from game_records.game_record import GameRecord
    from game_records.record_errors import BadRecord
    from game_records.record_sources import read_game, read_games
    from goban.counting.estimate import Estimate
    from goban.errors import InputError
    from goban.game import Game
    from goban.position import Position
    from goban.rulesets import Ruleset, Terms
    from ownership.inference.evaluator import Evaluator
    from ownership.inference.own_config import OwnEvaluator
    from ownership.inference.prediction import Prediction
    from ownership.players.own_player import OwnPlayer
    from ownership.players.player_interface import Turn
    from ownership.scoring.data_frames import to_pandas
    from ownership.scoring.score_games import score_game, score_games
    from ownership.scoring.score_json import as_json
    from ownership.scoring.score_position import score_position, score_positions
    from ownership.scoring.scored_game import ScoredGame, ScoreOptions
    from ownership.scoring.vertex_claims import VertexClaims
    from ownership.search.mcts.tree_options import TreeOptions
    from ownership.search.mcts.tree_search import TreeSearch
    from ownership.search.search_limits import Limits
    from ownership.training.keras_dataset import KerasDataset
    from ownership.training.saved_networks import load_network

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
    "OwnEvaluator",
    "OwnPlayer",
    "Position",
    "Prediction",
    "Ruleset",
    "ScoreOptions",
    "ScoredGame",
    "Terms",
    "TreeOptions",
    "TreeSearch",
    "Turn",
    "VertexClaims",
    "as_json",
    "load_network",
    "read_game",
    "read_games",
    "score_game",
    "score_games",
    "score_position",
    "score_positions",
    "to_pandas",
]

_MODULES: Final = {
    "BadRecord": "game_records.record_errors",
    "Estimate": "goban.counting.estimate",
    "Evaluator": "ownership.inference.evaluator",
    "Game": "goban.game",
    "GameRecord": "game_records.game_record",
    "InputError": "goban.errors",
    "KerasDataset": "ownership.training.keras_dataset",
    "Limits": "ownership.search.search_limits",
    "OwnEvaluator": "ownership.inference.own_config",
    "OwnPlayer": "ownership.players.own_player",
    "Position": "goban.position",
    "Prediction": "ownership.inference.prediction",
    "Ruleset": "goban.rulesets",
    "ScoreOptions": "ownership.scoring.scored_game",
    "ScoredGame": "ownership.scoring.scored_game",
    "Terms": "goban.rulesets",
    "TreeOptions": "ownership.search.mcts.tree_options",
    "TreeSearch": "ownership.search.mcts.tree_search",
    "Turn": "ownership.players.player_interface",
    "VertexClaims": "ownership.scoring.vertex_claims",
    "as_json": "ownership.scoring.score_json",
    "load_network": "ownership.training.saved_networks",
    "read_game": "game_records.record_sources",
    "read_games": "game_records.record_sources",
    "score_game": "ownership.scoring.score_games",
    "score_games": "ownership.scoring.score_games",
    "score_position": "ownership.scoring.score_position",
    "score_positions": "ownership.scoring.score_position",
    "to_pandas": "ownership.scoring.data_frames",
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
    """Return the public names alone, also before they are imported."""
    return sorted([*__all__, "__version__"])
