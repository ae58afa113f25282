"""GNU Go and the model: where their scores differ, GNU Go decides the whole board."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban.coords import gtp_names
from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.vertex_claims import VertexClaims
from preprocessing.gnugo import GnuGo


class Referee(GnuGo):
    """GNU Go, with an answer that is drawn."""

    def finish(self, game: GameRecord) -> NDArray[np.int8]:
        return Position.from_diagram(FINISHED_BY_GNUGO).stones

    def version(self) -> str:
        return "GNU Go 3.8"


UNSETTLED = """
. . . O X . . . .
O O O O X . . X .
X X X X X X . . X
. X . . . . X X .
X X X X X X X X X
O O O O O O O O O
. . O O O . . . .
. . O X O . O . .
. O . . . O . . .
"""
FINISHED_BY_GNUGO = """
. O . O X . . . .
O O O O X . . X .
X X X X X X . . X
. X . . . . X X .
X X X X X X X X X
O O O O O O O O O
. . O O O . . . .
. . O X . . O . .
. O X X X . . . .
"""


@pytest.mark.parametrize(("claims", "dead"), [(None, ["D2"]), (VertexClaims(alive=["D2"]), [])])
def test_gnugo_decides_whole_boards_where_the_scores_differ(claims: VertexClaims | None, dead: list[str]) -> None:
    evaluator, position = Evaluator.load("fast"), Position.from_diagram(UNSETTLED)
    game = replace(parse_game(b"(;SZ[9]RU[Chinese]KM[7];B[];W[])", "game"), setup=position.stones.ravel())
    [model] = score_games([game], evaluator, ScoreOptions(claims=claims))
    [both] = score_games([game], evaluator, ScoreOptions(claims=claims, referee=Referee()))
    assert isinstance(model, ScoredGame) and isinstance(both, ScoredGame)
    assert gtp_names(model.estimate.dead) == ["D9", "A8", "B8", "C8", "D8", *dead]
    assert not both.estimate.dead.any(), "with D2 dead the score would be neither the model's nor GNU Go's"
    assert both.results == (model.estimate.result, both.estimate.result)
    changed = "GNU Go 3.8 changed: White's D9 (alive)" if claims else "The model alone counts B+2, GNU Go 3.8 alone W+9"
    assert changed in as_text(both).splitlines()
    assert (both.estimate.second_opinion, both.estimate.safe) == ("GNU Go 3.8", False)
    np.testing.assert_array_equal(both.estimate.ownership, model.estimate.ownership)
