"""Whoever chooses moves: by search, policy, one ply of ownership, at random, from a record, or another program."""

from ownership.players.base import PASS_GAIN, RESIGN, Move, Player, Turn
from ownership.players.greedy import GreedyPlayer
from ownership.players.ranking import Candidate, Ranking, last_ranking, rank
from ownership.players.replay import ReplayPlayer

__all__ = [
    "PASS_GAIN",
    "RESIGN",
    "Candidate",
    "GreedyPlayer",
    "Move",
    "Player",
    "Ranking",
    "ReplayPlayer",
    "Turn",
    "last_ranking",
    "rank",
]
