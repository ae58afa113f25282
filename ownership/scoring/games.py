"""The scores of many games."""

from ownership.scoring.scorer import ScoredGame, ScoreOptions, score_games

__all__ = ["ScoreOptions", "ScoredGame", "score_games"]
