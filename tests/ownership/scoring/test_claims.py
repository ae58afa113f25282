"""Groups that the user says are dead, alive or in seki."""

import numpy as np
import pytest

from game_records.record_sources import read_game
from goban.coords import gtp_names
from goban.errors import InputError
from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_json import as_json
from ownership.scoring.score_position import score_position, score_positions
from ownership.scoring.vertex_claims import VertexClaims
from tests.support.boards import SMALL_FINISHED
from tests.support.paths import EXAMPLES


@pytest.mark.parametrize(
    ("claims", "result"),
    [
        (VertexClaims(), "W+4.5"),  # Black has 3 points, White 6 and a dead stone
        (VertexClaims(alive=["D3"]), "W+1.5"),  # the point beside it is neutral
        (VertexClaims(seki=["D3", "C5"]), "B+2.5"),  # the right side, which both touch, is neutral, as the eye in seki
        (VertexClaims(dead=["c5"]), "B+23.5"),  # then D3 lives
    ],
)
def test_claims_are_counted(claims: VertexClaims, result: str, bundled: Evaluator) -> None:
    position = Position.from_diagram(SMALL_FINISHED)
    assert score_position(position, "japanese", 0.5, claims=claims, evaluator=bundled).result == result


INVADED = """
. . . . X O . . .
. X . . X O . O .
. . . . X O . . .
. . O . X O . . .
. . . . X O . O .
. . . . X O . . .
. X . . X O . . .
. . . . X O . O .
. . . . X O . . .
"""


@pytest.mark.parametrize(
    ("claims", "neutral", "result"),
    [
        (None, [], "B+9"),
        (VertexClaims(alive=["C6"]), ["C7", "B6", "D6", "C5"], "B+3"),
        (VertexClaims(seki=["C6"]), None, "W+26"),
    ],
)
def test_a_stone_that_lives_in_territory_costs_the_points_beside_it_and_one_in_seki_all(
    claims: VertexClaims | None, neutral: list[str] | None, result: str, bundled: Evaluator
) -> None:
    position = Position.from_diagram(INVADED)
    answer = score_position(position, "chinese", 0, claims=claims, evaluator=bundled)
    territory = (position.stones == 0) & (np.arange(9) < 4)
    assert gtp_names(territory & (answer.owner == 0)) == (gtp_names(territory) if neutral is None else neutral)
    assert answer.result == result
    assert answer.safe == (claims is None)


def test_claimed_seki_is_shown(bundled: Evaluator) -> None:
    claims = VertexClaims(seki=["D3", "C5"])
    answer = score_position(Position.from_diagram(SMALL_FINISHED), "japanese", 0.5, claims=claims, evaluator=bundled)
    assert answer.seki[2, 3]
    assert answer.seki[0, 2]
    assert not (answer.seki & answer.dead).any()


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        (
            VertexClaims(dead=["C5"], alive=["C4"]),
            "dead C5: expected one mark for each chain. Received: alive C4",
        ),
        (VertexClaims(seki=["E5"]), "seki E5: expected a vertex with a stone. Received: an empty point"),
    ],
)
def test_impossible_claims(claims: VertexClaims, message: str) -> None:
    with pytest.raises(InputError, match=message):
        claims.on(Position.from_diagram(SMALL_FINISHED))


def test_claims_are_lists() -> None:
    with pytest.raises(InputError, match=r"dead: expected a list of vertices\. Received: 'B5'"):
        VertexClaims(dead="B5")
    with pytest.raises(TypeError, match=r"alive: expected vertices such as D4\. Received: 12"):
        VertexClaims(alive=[12])  # type: ignore[list-item]


def test_claims_of_each_position(bundled: Evaluator) -> None:
    position, komi = read_game(EXAMPLES / "finished-9x9.sgf").position(), 7
    claims = [VertexClaims(alive=["C7"]), None, VertexClaims(seki=["C7"])]
    together = score_positions([position] * 3, "chinese", komi, claims=claims, evaluator=bundled)
    alone = [
        score_position(position, "chinese", komi, claims=each, evaluator=bundled, second_judge=None) for each in claims
    ]
    assert [as_json(answer) for answer in together] == [as_json(answer) for answer in alone]
    assert len({answer.result for answer in together[:2]}) == 2


def test_what_marks_change_besides_is_named_and_not_safe(bundled: Evaluator) -> None:
    record = read_game(EXAMPLES / "finished-9x9.sgf")
    position = record.position()
    plain = score_position(position, "chinese", 7, evaluator=bundled)
    confirmed = score_position(position, "chinese", 7, claims=VertexClaims(dead=["C7"]), evaluator=bundled)
    changed = score_position(position, "chinese", 7, claims=VertexClaims(seki=["C7"]), evaluator=bundled)
    assert plain.safe
    assert confirmed.safe
    assert confirmed.result == plain.result
    assert not changed.safe
    assert {"C9", "F5"} <= set(gtp_names(changed.also_changed))
    assert "C7" not in gtp_names(changed.also_changed)


@pytest.mark.parametrize("claims", [VertexClaims(dead=["R10"]), VertexClaims(alive=["R10"])])
def test_marks_in_a_middle_game_do_not_finish_it(claims: VertexClaims, bundled: Evaluator) -> None:
    position = read_game(EXAMPLES / "middlegame-19x19.sgf").position()
    marked = score_position(position, "chinese", 7.5, claims=claims, evaluator=bundled)
    assert not marked.safe
    assert marked.also_changed.any() == bool(claims.alive)
    assert marked.trust.endswith("does not look finished.")
