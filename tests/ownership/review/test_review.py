"""Reviews: losses of moves, accuracy of players, and both as records, text and tables."""

import base64
import gzip
import json
import struct
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from sgfmill import sgf

from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE, gtp_name, parse_gtp
from ownership.inference.evaluator import Evaluator
from ownership.review.move_losses import (
    ReviewedMove,
    largest_mistakes,
    noise,
    phase_of,
    player_accuracy,
    reviewed_moves,
)
from ownership.review.review_json import review_json, review_row
from ownership.review.review_text import move_verdict, review_text
from ownership.review.searched_positions import ReviewedPosition, review
from ownership.review.write_analysis import reviewed_record
from ownership.scoring.scored_game import ScoreOptions
from ownership.search.mcts.root_move_choice import TreeMove
from ownership.search.mcts.tree_value import TreeValue

# White's last stone is dead.
GAME = b"""(;GM[1]SZ[9]KM[6.5]RU[Chinese]PB[An]PW[Bo]C[A friendly game];B[ee];W[ec];B[fc];W[eb];B[fb];W[dd];B[fd]
;W[ed];B[fe];W[de];B[df];W[cf];B[dg];W[cg];B[ch];W[bh];B[dh];W[ce];B[ea];W[da];B[fa];W[ci];B[di]LB[aa:x];W[bi]
(;B[];W[hh];B[];W[])(;B[aa]C[mine]))"""
LAST = 28
VISITS = 24


@pytest.fixture(scope="module")
def positions(bundled: Evaluator) -> list[ReviewedPosition]:
    return list(review(parse_game(GAME), bundled, ScoreOptions(symmetries=1), VISITS))


@pytest.fixture(scope="module")
def moves(positions: Sequence[ReviewedPosition]) -> list[ReviewedMove]:
    return reviewed_moves(positions)


def nodes(data: bytes) -> list[sgf.Tree_node]:
    return list(sgf.Sgf_game.from_bytes(data).get_main_sequence())


def test_every_position_is_searched_and_the_end_counted(positions: Sequence[ReviewedPosition]) -> None:
    assert [position.move for position in positions] == list(range(LAST + 1))
    assert [position.visits for position in positions] == [VISITS] * LAST + [0]
    end = positions[-1]
    assert (end.finished, end.result) == (True, "B+6.5")
    for position in positions[:-1]:
        assert position.interval is not None and position.interval[0] < position.score < position.interval[1]
        assert position.black_wins is not None and 0 <= position.black_wins <= 1
        assert position.policy.sum() == pytest.approx(1, abs=0.01)


def test_the_same_review_again(bundled: Evaluator, positions: Sequence[ReviewedPosition]) -> None:
    [again] = review(parse_game(GAME), bundled, ScoreOptions(symmetries=1), VISITS, [7])
    assert again.score == positions[7].score
    assert np.array_equal(again.ownership, positions[7].ownership)


def test_points_lost_are_those_between_two_searches(
    positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    assert [move.number for move in moves] == list(range(1, LAST + 1))
    for before, after, move in zip(positions[:-1], positions[1:], moves, strict=True):
        assert move.lost == pytest.approx(max(0.0, move.colour * (before.score - after.score)))
        change = move.colour * float((after.ownership - before.ownership).sum(dtype=np.float64))
        assert move.gained - move.given == pytest.approx(change, abs=1e-3)
        assert min(move.gained, move.given) >= 0


def test_a_blunder_is_the_largest_mistake(bundled: Evaluator) -> None:
    """White, about to capture the black stones that cut, passes, and Black saves them by a capture."""
    moves = "B[ec];W[dc];B[ed];W[dd];B[ee];W[de];B[ef];W[df];B[eg];W[dg];B[eh];W[dh];B[ei];W[di]"
    record = parse_game(f"(;SZ[9]KM[0]RU[Chinese];{moves};B[dB];W[cc])".replace("dB", "db").encode())
    blunder = parse_game(f"(;SZ[9]KM[0]RU[Chinese];{moves};B[];W[db];B[];W[eb];B[];W[fb])".encode())
    quiet = reviewed_moves(review(record, bundled, ScoreOptions(symmetries=1), VISITS, range(14, 17)))
    costly = largest_mistakes(reviewed_moves(review(blunder, bundled, ScoreOptions(symmetries=1), VISITS)), 2)
    assert max(move.lost for move in quiet) < costly[-1].lost
    assert {move.number for move in costly} <= {15, 17, 19}
    assert all(move.point == 81 and move.best.point != 81 for move in costly)


def test_free_handicap_stones_are_moves_of_black(bundled: Evaluator) -> None:
    record = parse_game(b"(;SZ[9]KM[0.5]RU[Chinese];B[cc];B[gg];W[cg];B[gc])")
    found = list(review(record, bundled, ScoreOptions(symmetries=1), 4))
    assert [position.scored.position.to_move for position in found] == [BLACK, BLACK, WHITE, BLACK, WHITE]


def made(number: int, lost: float, difficulty: float, best: int = 0, colour: int = BLACK) -> ReviewedMove:
    value = TreeValue(10, 0.0, 0.5, 0.0, 1.0, 0.1)
    preferred = TreeMove(best, 0.5, value, 0.4, (best,), (10,))
    return ReviewedMove(number, colour, 0, phase_of(number, 19), lost, 0.0, preferred, 0.0, 0.0, difficulty, noise(19))


def test_accuracy_as_katrain_computes_it() -> None:
    """Numbers of KaTrain's game report for the same losses and weights."""
    found = player_accuracy([made(1, 0.0, 0.2), made(3, 2.0, 0.1, best=1), made(61, 8.0, 0.3, best=1)], BLACK)
    assert found is not None
    weighted = (0.0 * 0.2 + 2.0 * 0.5 + 8.0 * 1.0) / (0.2 + 0.5 + 1.0)
    assert found.accuracy_percent == pytest.approx(100 * 0.75**weighted)
    assert (found.moves, found.mean_points_lost, found.best_percent) == pytest.approx((3, 10 / 3, 100 / 3))
    assert player_accuracy([made(1, 0.0, 0.0)], BLACK) is not None
    assert player_accuracy([made(1, 0.0, 0.0)], WHITE) is None
    opening = player_accuracy([made(1, 1.0, 1.0), made(200, 9.0, 1.0)], BLACK, "opening")
    assert opening is not None
    assert opening.mean_points_lost == 1


def test_phases_end_with_the_number_of_moves() -> None:
    phases = [phase_of(number, 19) for number in (1, 50, 51, 144, 145, 300)]
    assert phases == ["opening", "opening", "middle", "middle", "end", "end"]
    assert [phase_of(number, 9) for number in (11, 12, 32, 33)] == ["opening", "middle", "middle", "end"]


def test_mistakes_are_moves_that_the_search_would_replace() -> None:
    costly, small, agreed = made(1, 5.0, 1.0, best=1), made(3, 2.9, 1.0, best=1), made(5, 9.0, 1.0)
    assert largest_mistakes([small, costly, agreed], 10) == [costly]


def test_a_loss_within_the_noise_is_about_so_much() -> None:
    assert noise(19) == pytest.approx(3, abs=0.02)
    assert move_verdict(made(3, 2.9, 1.0, best=1), 19).startswith("Black A19 loses about 2.9 points; ")
    assert move_verdict(made(3, 5.0, 1.0, best=1), 19).startswith("Black A19 loses 5.0 points; ")


def test_a_record_keeps_all_that_it_had(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> None:
    written = reviewed_record(GAME, positions, moves)
    record, before = parse_game(written), parse_game(GAME)
    assert (record.id, record.black, record.rules, record.komi) == (before.id, "An", "chinese", 6.5)
    assert record.comments[0].startswith(f"A friendly game\n\nAnalysis with {VISITS} visits:\n")
    line = nodes(written)
    assert line[23].get("LB") == [((8, 0), "x")], "a mark of the record stays"
    assert any(child.has_property("C") and child.get("C") == "mine" for child in line[24])


def test_programs_find_numbers_and_marks_at_every_node(
    positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    line = nodes(reviewed_record(GAME, positions, moves))
    assert line[0].get_raw("KTV") == b"1.0"
    for position, node in zip(positions, line, strict=True):
        assert float(node.get_raw("SBKV")) == pytest.approx(100 * position.wins_for(BLACK), abs=0.01)
        assert float(node.get_raw("SBKS")) == pytest.approx(position.score, abs=0.01)
        assert node.get("V") == pytest.approx(position.score, abs=0.01)
        if position.search is not None and position.move != 23:
            best = [gtp_name(move.point, 9) for move in position.search.moves if move.point < 81][:3]
            labels = sorted((letter, gtp_name((8 - row) * 9 + column, 9)) for (row, column), letter in node.get("LB"))
            assert labels == list(zip("ABC", best, strict=False))


def test_the_end_shows_territory_and_dead_stones(
    positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    end, answer = nodes(reviewed_record(GAME, positions, moves))[-1], positions[-1].scored.estimate
    stones = positions[-1].scored.position.stones
    black, white = (len(end.get(name)) for name in ("TB", "TW"))
    assert black + white == np.count_nonzero(answer.owner[(stones == 0) | answer.dead])
    assert len(end.get("MA")) == 1 == np.count_nonzero(answer.dead)
    area = black + np.count_nonzero((stones == BLACK) & ~answer.dead)
    area -= white + np.count_nonzero((stones == WHITE) & ~answer.dead)
    assert area - 6.5 == answer.score


def test_a_pass_that_only_ends_the_game_has_no_verdict(
    positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    def verdict(lost: float) -> str:
        last = [replace(move, lost=lost) if move.number == LAST else move for move in moves]
        comment = str(nodes(reviewed_record(GAME, positions, last))[-1].get("C"))
        assert comment.startswith(f"Analysis with {VISITS} visits:\n")
        return comment

    assert "White pass" not in verdict(0.3)
    assert "White pass loses 9.0 points; the search prefers " in verdict(9.0)
    assert "Black pass" in str(nodes(reviewed_record(GAME, positions, moves))[25].get("C")), "the game goes on"


def test_mistakes_are_hotspots_with_the_better_line(
    positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    costly = largest_mistakes(moves, 10)
    assert costly
    line = nodes(reviewed_record(GAME, positions, moves))
    assert [node.has_property("HO") for node in line[1:]] == [move in costly for move in moves]
    for move in costly:
        better = line[move.number - 1][-1]
        colour, (row, column) = better.get_move()
        assert colour == ("b" if move.colour == BLACK else "w")
        assert (8 - row) * 9 + column == move.best.point
        assert better.get("C").endswith(f"Better by {move.lost:.1f} points.")


def test_an_analysis_replaces_the_one_before(
    positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    once = reviewed_record(GAME, positions, moves)
    assert reviewed_record(once, positions, moves) == once


def test_katrain_finds_its_own_format(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> None:
    """As `load_analysis` of KaTrain's core/game_node.py reads it; test_katrain.py does so with KaTrain itself."""
    for position, node in zip(positions, nodes(reviewed_record(GAME, positions, moves)), strict=True):
        ownership, policy, rest = (gzip.decompress(base64.b64decode(part)) for part in node.get_raw_list("KT"))
        assert np.allclose(struct.unpack("81e", ownership), position.ownership.ravel(), atol=0.01)
        chances = np.array(struct.unpack("82e", policy))
        legal = position.scored.position.legal_points()
        assert ((chances >= 0) == legal).all()
        analysis = json.loads(rest)
        assert analysis["completed"]
        assert analysis["root"]["scoreLead"] == pytest.approx(position.score, abs=1e-5)
        assert all(legal[parse_gtp(name, 9)] for name in analysis["moves"])


def test_a_part_of_a_game(bundled: Evaluator) -> None:
    some = list(review(parse_game(GAME), bundled, ScoreOptions(symmetries=1), 4, range(3, 6)))
    assert [move.number for move in reviewed_moves(some)] == [4, 5]
    assert reviewed_moves([some[0], some[2]]) == [], "two moves lie between these positions"
    line = nodes(reviewed_record(GAME, some, reviewed_moves(some)))
    assert [node.has_property("SBKV") for node in line] == [3 <= ply <= 5 for ply in range(LAST + 1)]


def test_text_and_tables_agree(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> None:
    text, found, row = review_text(positions, moves), review_json(positions, moves), review_row(positions, moves)
    assert "B+6.5 counted" in text
    assert json.loads(json.dumps(found)) == found
    assert len(found["positions"]) == LAST + 1
    lost = [position["lost"] for position in found["positions"][1:]]
    black = player_accuracy(moves, BLACK)
    assert black is not None
    assert np.mean(lost[::2]) == pytest.approx(black.mean_points_lost, abs=1e-3)
    for name in ("accuracy_percent", "best_percent", "mean_points_lost"):
        assert found["players"]["black"]["game"][name] == pytest.approx(float(row[f"black_{name}"]), abs=0.06)
    [worst] = largest_mistakes(moves, 1)
    assert row["largest_mistake_move"] == str(worst.number)
    assert f"{worst.number:>5}  " in text
    assert f"{black.accuracy_percent:.0f}%" in text


def test_names_run_nothing_in_a_spreadsheet(
    positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    end = positions[-1]
    hostile = replace(end, scored=replace(end.scored, game=replace(end.scored.game, black="=1+1")))
    assert review_row([*positions[:-1], hostile], moves)["black"] == "'=1+1"
