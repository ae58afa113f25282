"""Referees, who count the games that ended with passes."""

from typing import Protocol

from game_records.game_record import GameRecord
from goban.counting.counted_score import count, tromp_taylor
from goban.errors import InputError
from goban.rulesets import RULESETS, Terms
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_position import score_position
from preprocessing.gnugo import GnuGo, GnuGoError


class Undecided(InputError):
    """A game that a referee cannot count."""


class Referee(Protocol):
    """A counter of games."""

    def margin(self, game: GameRecord) -> float:
        """Return Black's points minus White's at the end of a game, komi included; raise Undecided."""
        ...


class GnuGoReferee:
    """GNU Go, which plays the last position to the end and removes the dead stones.

    By area rules its final board is counted; by territory rules the last position, where the stones that it captured
    are dead.
    """

    def __init__(self, gnugo: GnuGo) -> None:
        self._gnugo = gnugo

    def margin(self, game: GameRecord) -> float:
        """Return the score; see `Referee`."""
        try:
            final = self._gnugo.finish(game)
        except GnuGoError as error:
            raise Undecided(str(error)) from error
        position, terms = game.position(), Terms(RULESETS[game.rules], game.komi, game.handicap)
        dead = (position.stones != 0) & (final != position.stones)
        if terms.ruleset.counting == "area":
            return tromp_taylor(final) - terms.total_komi
        return count(position, dead, terms).margin


class ModelReferee:
    """A model that counts as `ownership score` does a game that the players have ended."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def margin(self, game: GameRecord) -> float:
        """Return the score; see `Referee`."""
        evaluator = self._evaluator
        position, komi, handicap = game.position(), game.komi, game.handicap
        answer = score_position(position, game.rules, komi, handicap=handicap, evaluator=evaluator, second_judge=None)
        return answer.score
