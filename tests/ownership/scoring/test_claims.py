"""What players claim of some stones, beside what reading finds out about others."""

import numpy as np
import pytest

from goban.coords import BLACK, EMPTY, WHITE, gtp_name
from goban.counting.dead_stones import assign_status
from goban.position import Position
from goban.reading.reader import Reader
from ownership.inference.evaluator import Evaluator
from ownership.scoring.position import VertexClaims, score_position
from tests.support.finished_positions import FinishedPosition, finished_positions

NAKADE_SEKI = [each for each in finished_positions() if each.theme == "nakade_seki"]


@pytest.mark.parametrize("finished", NAKADE_SEKI, ids=str)
def test_a_claim_about_one_chain_leaves_reading_the_others(finished: FinishedPosition, bundled: Evaluator) -> None:
    position = finished.position
    living = [chain for chain in position.chains() if not finished.dead.flat[chain.points[0]]]
    largest = max(living, key=lambda chain: len(chain.points))
    claims = VertexClaims(alive=[gtp_name(largest.points[0], position.side)])
    answer = score_position(position, "japanese", 0.5, claims=claims, evaluator=bundled)
    np.testing.assert_array_equal(answer.dead, finished.dead)


def test_what_is_claimed_of_a_race_by_double_ko_is_not_in_doubt() -> None:
    position = Position.from_diagram("""
    O X . X X O . O X
    O O X . X X O O X
    . O X X X O O X X
    O O O O O O X X .
    . X X X X X X . .
    X . . X . . . . .
    . X . . . X . X .
    . . . . . . . . .
    . . . . X . . . .
    """)
    ownership = np.full((9, 9), -0.99, np.float32)
    ownership[4:] = ownership[:4, 7:] = 0.99
    reader = Reader(position, ownership)
    racing = assign_status(reader).doubt >= 0.5
    assert {BLACK, WHITE} <= set(position.stones[racing].tolist())
    claimed = np.where(racing, -position.stones, EMPTY).astype(np.int8)  # White lives
    status = assign_status(reader, claimed)
    assert not status.doubt[racing].any()
    np.testing.assert_array_equal(status.dead[racing], position.stones[racing] == BLACK)
