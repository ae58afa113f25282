"""Streamed reviews, and single positions: their answers, and that they end when their client has left."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from starlette.testclient import TestClient

from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE
from ownership.inference.evaluator import Evaluator
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.review.move_losses import largest_mistakes, reviewed_moves
from ownership.review.review_json import review_json
from ownership.review.searched_positions import review
from ownership.scoring.scored_game import ScoreOptions
from ownership.server.app import JSON, create_app
from ownership.server.kept_reviews import KeptReviews
from ownership.server.live_review import passes, review_lines
from ownership.server.request_limits import MOST_REVIEWED
from ownership.server.requests import read_review_request
from ownership.server.threaded_work import JSON_LINES
from tests.support.page import served
from tests.support.paths import ROOT
from tests.support.waiting import wait_until

VISITS = 16
LONG = (ROOT / "examples" / "finished-19x19.sgf").read_text()
# White's last stone is dead; Black's third move is a large mistake.
GAME = """(;SZ[7]KM[9]RU[Chinese];B[dd];W[dc];B[aa];W[ed];B[cc];W[ec];B[cb];W[de];B[cd];W[ce];B[be];W[cf];B[bf]
;W[cg];B[db];W[eb];B[da];W[ea];B[];W[ba];B[];W[])"""
LAST = 22


@pytest.fixture(scope="module")
def client(bundled: Evaluator) -> TestClient:
    return TestClient(create_app(bundled), base_url="http://localhost")


@pytest.fixture(scope="module")
def lines(client: TestClient) -> list[dict[str, Any]]:
    answer = client.post("/review", json={"sgf": GAME, "visits": VISITS, "symmetries": 1})
    assert answer.headers["content-type"] == JSON_LINES
    assert answer.headers["x-content-type-options"] == "nosniff"
    return list(map(json.loads, answer.text.splitlines()))


def positions(lines: list[dict[str, Any]], visits: int) -> list[dict[str, Any]]:
    """Return the positions of a pass."""
    ends = [number for number, line in enumerate(lines) if line["kind"] == "pass"]
    [end] = [number for number in ends if lines[number]["visits"] == visits]
    return lines[max((number for number in ends if number < end), default=0) + 1 : end]


def test_a_review_goes_through_the_game_by_the_network_and_then_deeper(lines: list[dict[str, Any]]) -> None:
    names = ("kind", "side", "moves", "rules", "komi", "passes")
    assert {name: lines[0][name] for name in names} == {
        "kind": "game", "side": 7, "moves": LAST, "rules": "chinese", "komi": 9, "passes": [1, VISITS]
    }  # fmt: skip
    kinds = [line["kind"] for line in lines[1:]]
    assert kinds == 2 * ([*["position"] * (LAST + 1), "pass"])
    for visits in (1, VISITS):
        assert [each["move"] for each in positions(lines, visits)] == list(range(LAST + 1))
        assert [each["visits"] for each in positions(lines, visits)] == [visits] * LAST + [0]


def test_the_deepest_pass_is_the_review_of_the_command_line(lines: list[dict[str, Any]], bundled: Evaluator) -> None:
    options = ScoreOptions(symmetries=1, second_judge=SECOND_JUDGE)
    found = list(review(parse_game(GAME.encode()), bundled, options, VISITS))
    moves = reviewed_moves(found)
    expected = review_json(found, moves)
    assert [{"kind": "position"} | each for each in expected["positions"]] == positions(lines, VISITS)
    assert lines[-1]["players"] == expected["players"]
    assert lines[-1]["mistakes"] == [move.number for move in largest_mistakes(moves, 10)]
    assert lines[-1]["mistakes"][0] == 3
    assert {move.colour for move in moves} == {BLACK, WHITE}


def test_the_first_pass_does_not_alternate_with_the_side_to_move(
    lines: list[dict[str, Any]], bundled: Evaluator
) -> None:
    found = list(review(parse_game(GAME.encode()), bundled, ScoreOptions(symmetries=1), 1))
    scores = np.array([each.scored.estimate.score for each in found])
    open_ = np.array([not each.scored.estimate.finished for each in found[1:-1]])
    means = (scores[:-2] + 2 * scores[1:-1] + scores[2:]) / 4
    first = positions(lines, 1)
    shown = np.array([each["score"] for each in first])
    assert open_.sum() > 10
    np.testing.assert_allclose(shown[1:-1][open_], means[open_], atol=1e-3)
    assert shown[-1] == found[-1].score
    wins = np.array([each.scored.estimate.wins_for(BLACK) for each in found])
    rates = np.array([each["black_wins"] for each in first[1:-1]], np.float64)
    np.testing.assert_allclose(rates[open_], ((wins[:-2] + 2 * wins[1:-1] + wins[2:]) / 4)[open_], atol=1e-3)
    for each, searched in zip(first, found, strict=True):
        if searched.interval is None:
            assert (each["low"], each["high"], each["black_wins"]) == (None, None, None), "the end is counted"
        else:
            low, high = searched.interval
            assert each["high"] - each["low"] == pytest.approx(high - low, abs=1e-3)
            assert each["low"] <= each["score"] <= each["high"]
        assert "lost" not in each and each["candidates"] == []


def test_one_visit_is_one_pass(client: TestClient) -> None:
    answer = client.post("/review", json={"sgf": "(;SZ[5];B[cc])", "visits": 1})
    first, *rest = map(json.loads, answer.text.splitlines())
    assert first["passes"] == [1]
    assert [line["kind"] for line in rest] == ["position", "position", "pass"]
    assert rest[-1]["players"] == {"black": {}, "white": {}}


@pytest.mark.parametrize(
    ("visits", "expected"), [(1, [1]), (31, [1, 31]), (32, [1, 8, 32]), (50, [1, 8, 50]), (400, [1, 50, 400])]
)
def test_a_coarse_pass_finds_mistakes_before_the_last_one(visits: int, expected: list[int]) -> None:
    assert passes(visits) == expected


def test_a_review_goes_on_where_it_was(bundled: Evaluator, lines: list[dict[str, Any]]) -> None:
    asked = read_review_request(json.dumps({"sgf": GAME, "visits": VISITS, "symmetries": 1}).encode())
    kept, seen = KeptReviews(), list[dict[str, Any]]()
    stopped = review_lines(asked, bundled, kept, lambda: len(seen) >= LAST + 8)
    seen.extend(iter(lambda: next(stopped, None), None))
    assert seen == lines[: len(seen)]
    assert [len(kept.get(replace(asked, visits=visits))) for visits in (1, VISITS)] == [LAST + 1, len(seen) - LAST - 3]
    assert list(review_lines(asked, bundled, kept, lambda: False)) == lines
    assert len(kept.get(asked)) == LAST + 1


def test_the_reviews_that_ran_last_are_kept(bundled: Evaluator) -> None:
    games = [
        read_review_request(json.dumps({"sgf": f"(;SZ[{side}];B[cc])", "visits": 1}).encode()) for side in (5, 6, 7)
    ]
    found = list(review(games[0].game, bundled, games[0].options, 1))
    kept = KeptReviews(4)
    for asked in games:
        kept.put(asked, found)
    kept.put(games[1], found[:1])
    assert [len(kept.get(asked)) for asked in games] == [0, 2, 2]
    assert not kept.get(replace(games[1], options=replace(games[1].options, komi=3)))


def test_a_game_is_reviewed_up_to_an_illegal_move(client: TestClient) -> None:
    answer = client.post("/review", json={"sgf": "(;SZ[5];B[cc];W[cc])", "visits": 1})
    assert json.loads(answer.text.splitlines()[0])["moves"] == 1


def test_candidates_are_those_of_the_review(client: TestClient, lines: list[dict[str, Any]]) -> None:
    asked = {"sgf": GAME, "move": 2, "visits": VISITS, "symmetries": 1}
    answer = client.post("/candidates", json=asked).json()
    expected = positions(lines, VISITS)[2]
    assert answer.pop("to_move") == "black"
    assert answer == {name: expected[name] for name in answer}
    assert len(answer["candidates"]) > 1
    assert client.post("/candidates", json=asked | {"move": None}).json()["candidates"] == []


@pytest.mark.parametrize(
    ("path", "fields", "message"),
    [
        ("/review", {"visits": 0}, "visits: expected a whole number 1..1000. Received: 0"),
        ("/review", {"move": 3}, "unknown field 'move'"),
        ("/review", {"sgf": ";;"}, "game: not SGF"),
        ("/review", {"sgf": f"(;SZ[5]{';B[];W[]' * 501})"}, "expected 1000 moves at most in a review. Received: 1002"),
        ("/candidates", {"move": LAST + 1}, f"game: move: expected a move number 0..{LAST}. Received: {LAST + 1}"),
        ("/candidates", {"sgf": "(;SZ[5];B[cc];W[cc])"}, "game: illegal move: move 2, White C3"),
        ("/candidates", {"visits": 1001}, "visits: expected a whole number 1..1000. Received: 1001"),
    ],
)
def test_wrong_requests_get_one_line(path: str, fields: dict[str, Any], message: str, client: TestClient) -> None:
    assert MOST_REVIEWED == 1000
    answer = client.post(path, json={"sgf": GAME, **fields})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(message)


@contextmanager
def asking(address: str, path: str, fields: dict[str, Any]) -> Iterator[HTTPConnection]:
    """Send a request and yield its connection, which closes in the end."""
    connection = HTTPConnection(urlsplit(address).netloc)
    connection.request("POST", path, json.dumps(fields), {"Content-Type": JSON})
    try:
        yield connection
    finally:
        connection.close()


def searching() -> bool:
    return any(thread.name.startswith("search pool") for thread in threading.enumerate())


def wait(ready: bool) -> None:
    wait_until(lambda: searching() is ready)


@pytest.mark.parametrize("path", ["/review", "/candidates"])
def test_a_search_ends_when_its_client_leaves(path: str, bundled: Evaluator) -> None:
    with served(create_app(bundled)) as address:
        with asking(
            address,
            path,
            {"sgf": LONG, "move": 100, "visits": 1000} if path == "/candidates" else {"sgf": LONG, "visits": 1000},
        ) as connection:
            if path == "/review":
                assert json.loads(connection.getresponse().readline())["kind"] == "game"
            else:
                wait(True)
        wait(False)
