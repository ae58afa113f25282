"""Models that predict who owns each point, and their uses.

The names that most programs need: `Evaluator` and `Prediction`, `Position`, `Estimate`, `score_position` and
`score_positions` with `VertexClaims`, `score_games` with `ScoreOptions`, `read_games`. Each is imported from its module
when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from goban.counting.estimate import Estimate
    from goban.position import Position
    from ownership.inference.evaluator import Evaluator, Prediction
    from ownership.scoring.claims import VertexClaims
    from ownership.scoring.games import ScoreOptions, score_games
    from ownership.scoring.position import score_position, score_positions
    from preprocessing.records.sources import read_games

__all__ = [
    "Estimate",
    "Evaluator",
    "Position",
    "Prediction",
    "ScoreOptions",
    "VertexClaims",
    "read_games",
    "score_games",
    "score_position",
    "score_positions",
]

_MODULES: Final = {
    "Estimate": "goban.counting.estimate",
    "Evaluator": "ownership.inference.evaluator",
    "Position": "goban.position",
    "Prediction": "ownership.inference.evaluator",
    "ScoreOptions": "ownership.scoring.games",
    "VertexClaims": "ownership.scoring.claims",
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
