"""Players: by search, by policy, by one ply of ownership, at random, from a record, and other programs."""

from ownership.players.base import PASS_GAIN, RESIGN, Player, Turn
from ownership.players.greedy import GreedyPlayer
from ownership.players.ranking import Candidate, Ranking, last_ranking, rank
from ownership.players.replay import ReplayPlayer

__all__ = [
    "PASS_GAIN",
    "RESIGN",
    "Candidate",
    "GreedyPlayer",
    "Player",
    "Ranking",
    "ReplayPlayer",
    "Turn",
    "last_ranking",
    "rank",
]
