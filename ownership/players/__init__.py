"""Whoever chooses moves: by search, policy, one ply of ownership, at random, from a record, or another program."""

from ownership.players.one_ply import OnePlyPlayer
from ownership.players.ranking import Candidate, Ranking, last_ranking, rank
from ownership.players.replay import ReplayPlayer
from ownership.players.situation import PASS_GAIN, RESIGN, Move, Player, Situation, win_probability

__all__ = [
    "PASS_GAIN",
    "RESIGN",
    "Candidate",
    "Move",
    "OnePlyPlayer",
    "Player",
    "Ranking",
    "ReplayPlayer",
    "Situation",
    "last_ranking",
    "rank",
    "win_probability",
]
