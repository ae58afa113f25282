"""`POST /record`: records with lines of moves, marks and terms that a client adds."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from game_records.sgf import parse_game
from ownership.server.app import SGF
from tests.support.server import error

GAME = "(;SZ[5]EV[Cup]KM[0.5]RE[B+9];B[bb];W[cc]TB[aa](;B[dd])(;B[aa]C[said]))"


def shared(client: TestClient, **fields: Any) -> str:
    answer = client.post("/record", json={"sgf": GAME, **fields})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == SGF
    return answer.text.replace("\n", "").replace("CA[UTF-8]", "")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, GAME),
        ({"lines": None, "komi": None, "result": "W+1", "to_move": "white"}, GAME),
        ({"lines": [{"after": 3}, {"after": 2, "moves": [["B", "A5"]]}]}, GAME),
        ({"lines": [{"after": 2, "moves": [["B", "A5"], ["W", "pass"]]}]}, GAME.replace("[said]", "[said];W[]")),
        ({"lines": [{"moves": [["B", "E5"]]}]}, GAME.replace("];B[bb]", "](;B[bb]")[:-1] + ")(;B[ea]))"),
        ({"lines": [{"after": 3, "territory": {"TW": ["E1"]}}]}, GAME.replace("B[dd]", "B[dd]TW[ee]")),
        ({"lines": [{"after": 2, "territory": {"TW": ["E1"]}}]}, GAME.replace("TB[aa]", "TW[ee]")),
        ({"lines": [{"after": 2, "comments": {"0": "[a]"}}]}, GAME.replace("9];B", "9]C[[a\\]];B")),
        ({"lines": [{"after": 2, "comments": {"2": "b"}}]}, GAME.replace("TB[aa]", "TB[aa]C[b]")),
        ({"lines": [{"after": 2, "moves": [["B", "A5"]], "comments": {"3": ""}}]}, GAME.replace("C[said]", "")),
        ({"lines": [{"after": 3, "moves": [["W", "A5"]], "comments": {"4": "a"}}]}, GAME.replace("dd", "dd];W[aa]C[a")),
        ({"lines": [{"after": 2, "marks": {"2": {"TR": ["A1"], "LB": [["B2", ":]"]]}}}]},
         GAME.replace("TB[aa]", "TB[aa]TR[ae]LB[bd:\\:\\]]")),
        ({"lines": [{"after": 2, "moves": [["B", "C5"]], "marks": {"3": {"SQ": ["C5"]}}}]},
         GAME[:-1] + "(;B[ca]SQ[ca]))"),
        ({"sgf": "(;SZ[5];B[bb]SQ[aa]LB[bb:A]OWN[LB])", "lines": [{"after": 1, "marks": {"1": {}}}]},
         "(;SZ[5];B[bb]LB[bb:A]OWN[LB])"),
        ({"sgf": "(;SZ[5];B[bb]LB[bb:A]OWN[LB])", "lines": [{"after": 1, "marks": {"1": {"LB": [["A1", "B"]]}}}]},
         "(;SZ[5];B[bb]LB[ae:B])"),
        ({"komi": -3.25, "rules": "jp"}, GAME.replace("0.5", "-3.25").replace("9];", "9]RU[japanese];")),
        ({"sgf": "(;SZ[5]RE[?])", "result": "W+1.5", "to_move": "white"}, "(;SZ[5]RE[W+1.5]PL[W])"),
    ],
)  # fmt: skip
def test_what_is_added_stands_beside_what_was_there(fields: dict[str, Any], expected: str, client: TestClient) -> None:
    assert shared(client, **fields) == expected


def test_records_of_all_formats_become_sgf(client: TestClient) -> None:
    found = shared(client, sgf=". X O . .\n" * 5, lines=[{"moves": [["B", "A1"], ["W", "E1"]]}])
    game = parse_game(found.encode())
    assert (game.side, game.move_points.tolist()) == (5, [20, 24])
    assert (game.setup != 0).sum() == 10


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sgf": 5}, "sgf: expected a record as a string. Received: 5"),
        ({"sgf": "hello"}, "game: not SGF: expected a game that begins with '(;'. Received: other text"),
        ({"lines": 5}, "lines: expected a list. Received: 5"),
        ({"lines": [5]}, "lines: expected objects with after, moves, territory, comments and marks. Received: 5"),
        (
            {"lines": [{"at": 5}]},
            "lines: expected objects with after, moves, territory, comments and marks. Received: {'at': 5}",
        ),
        (
            {"lines": [{"comments": {"x": ""}}]},
            "comments: expected texts by number of moves, such as {\"4\": \"better C5\"}. Received: {'x': ''}",
        ),
        ({"lines": [{"comments": {"2": "early"}}]}, "comments: expected a whole number 0..0. Received: 2"),
        ({"lines": [{"marks": {"2": {}}}]}, "marks: expected a whole number 0..0. Received: 2"),
        (
            {"lines": [{"marks": {"0": []}}]},
            'marks: expected marks by number of moves, such as {"4": {"TR": ["C5"], "LB": [["D4", "A"]]}}. '
            "Received: {'0': []}",
        ),
        (
            {"lines": [{"marks": {"0": {"XX": []}}}]},
            'marks: expected {"TR": ["C5"], "LB": [["D4", "A"]]}. Received: {\'XX\': []}',
        ),
        (
            {"lines": [{"marks": {"0": {"LB": [["D4", "long"]]}}}]},
            'marks: expected labels such as ["D4", "A"]. Received: [\'D4\', \'long\']',
        ),
        ({"lines": [{"marks": {"0": {"TR": ["F9"]}}}]}, "lines: expected a vertex A1..E5 or pass. Received: 'F9'"),
        ({"lines": [{"after": 4}]}, "after: expected a whole number 0..3. Received: 4"),
        ({"lines": [{"moves": [["B"]]}]}, "lines: expected pairs such as [\"B\", \"Q16\"]. Received: ['B']"),
        ({"lines": [{"moves": [["B", "F9"]]}]}, "lines: expected a vertex A1..E5 or pass. Received: 'F9'"),
        ({"lines": [{"territory": []}]}, 'lines: expected {"TB": ["A1"], "TW": []}. Received: []'),
        (
            {"lines": [{"territory": {"TB": ["pass"]}}]},
            "lines: expected at most 625 points of the board. Received: a pass, or more",
        ),
        ({"lines": [{}] * 1001}, "lines: expected 1000 lines at most. Received: 1001"),
        ({"komi": 999}, "komi: expected a number -400..400. Received: 999"),
        ({"result": "x" * 101}, "result: expected a result such as B+4. Received: '" + "x" * 59 + "..."),
        ({"to_move": "red"}, "to_move: expected a player B or W. Received: 'red'"),
        ({"line": []}, "unknown field 'line'; did you mean lines?"),
    ],
)  # fmt: skip
def test_wrong_requests_get_one_line(fields: dict[str, Any], message: str, client: TestClient) -> None:
    answer = client.post("/record", json={"sgf": GAME, **fields})
    assert (answer.status_code, answer.json()["error"]) == (400, message)


def test_the_body_has_a_type(client: TestClient) -> None:
    assert error(client, GAME, SGF, "/record") == (415, "expected the content type application/json")
