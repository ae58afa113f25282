"""The answers of the endpoints of `ownership serve`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from game_records.sgf import parse_game
from goban.coords import parse_gtp
from ownership.cli import main
from ownership.server.app import SGF
from ownership.server.request_limits import MOST_LISTED
from tests.support.records import GIB, NGF
from tests.support.server import EXAMPLE, error, score


@pytest.mark.parametrize("options", [[], ["--move", "30"], ["--rules", "japanese", "--komi", "-3.5"], ["--dead", "G9"]])
def test_the_same_game_has_the_same_score_on_the_command_line(
    options: list[str], client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.sgf").write_text(EXAMPLE)
    assert main(["score", str(tmp_path / "game.sgf"), "--json", *options]) == 0
    expected = json.loads(capsys.readouterr().out)
    named = dict(zip((name[2:] for name in options[::2]), options[1::2], strict=True))
    read: dict[str, Callable[[str], Any]] = {"move": int, "komi": float, "dead": lambda text: [text]}
    answer = score(client, **{name: read.get(name, str)(text) for name, text in named.items()})
    assert {name: answer[name] for name in expected if name != "source"} == {
        name: value for name, value in expected.items() if name != "source"
    }


BOARD = ". X O .\n. X O .\n. X O .\n. X O ."


@pytest.mark.parametrize(("record", "side", "moves"), [(GIB, 19, 4), (NGF, 19, 3), (BOARD, 4, 0)])
def test_every_kind_of_record_is_scored(record: str, side: int, moves: int, client: TestClient) -> None:
    answer = score(client, sgf=record)
    described = client.post("/game", content=record, headers={"content-type": SGF}).json()
    assert (answer["side"], answer["moves"]) == (described["side"], len(described["moves"])) == (side, moves)


def test_what_was_skipped_is_said(client: TestClient) -> None:
    skipped = "(;SZ[9]KM[seven];B[ee])"
    assert score(client, sgf=skipped)["notes"] == ["expected a komi in points. Received: 'seven'"]
    assert score(client)["notes"] == []


def test_a_claim_changes_the_count(client: TestClient) -> None:
    before = score(client)
    position = parse_game(EXAMPLE.encode()).position()
    chain = max(position.chains(), key=lambda chain: len(chain.points))
    vertex = "ABCDEFGHJ"[chain.points[0] % 9] + str(9 - chain.points[0] // 9)
    after = score(client, dead=[vertex])
    assert vertex in set(after["dead"]) - set(before["dead"])
    assert (after["score"] - before["score"]) * chain.colour < 0


@pytest.mark.parametrize(("chosen", "result"), [({"komi": 5.5}, "B+5.5"), ({"rules": "japanese"}, "B+3")])
def test_chosen_terms_explain_a_difference_to_the_record(
    chosen: dict[str, Any], result: str, client: TestClient
) -> None:
    answer = score(client, **chosen)
    assert (answer["result"], answer["safe"], answer["recorded"]) == (result, True, "B+4.0")
    assert (answer["difference"], answer["record_terms"]) == (0, {"rules": "chinese", "komi": 7})


def test_claims_do_not_end_an_opening(client: TestClient) -> None:
    opening = "(;SZ[9]KM[7];B[ee];W[cc])"
    assert score(client, sgf=opening)["finished"] is False
    for dead in ([], ["C7"]):
        assert score(client, sgf=opening, dead=dead)["finished"] is False


def test_stones_and_owners_are_rows_of_the_board(client: TestClient) -> None:
    answer = score(client)
    stones = parse_game(EXAMPLE.encode()).position().stones
    assert answer["stones"] == ["".join("O.X"[colour + 1] for colour in row) for row in stones.tolist()]
    black, white = ("".join(answer["owner"]).count(mark) for mark in "XO")
    assert black - white - answer["komi"] == answer["score"]  # Chinese rules
    for vertex in answer["dead"]:
        point = parse_gtp(vertex, 9)
        assert "".join(answer["owner"])[point] != "".join(answer["stones"])[point]


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ("japanese", ["territory", "dead stones", "prisoners", "komi"]),
        ("chinese", ["stones", "territory", "komi", "handicap"]),
    ],
)
def test_the_sheet_adds_up(rules: str, names: list[str], client: TestClient) -> None:
    answer = score(client, sgf=EXAMPLE.replace("SZ[9]", "SZ[9]HA[2]"), rules=rules)
    assert [name for name, _, _ in answer["sheet"]] == names
    assert sum(black for _, black, _ in answer["sheet"]) == answer["black"]
    assert sum(white for _, _, white in answer["sheet"]) == answer["white"]
    assert score(client, move=10)["sheet"] is None


def test_a_record_is_described(client: TestClient) -> None:
    data = "(;SZ[5]HA[2]AB[bb][dd]KM[0.5]RU[日本]PB[柯]C[hello];W[cc]C[a];B[]TB[aa][ba]TW[ee])".encode()
    game = client.post("/game", content=data, headers={"content-type": SGF}).json()
    assert (game["side"], game["black_stones"], game["white_stones"], game["to_move"]) == (5, ["B4", "D2"], [], "white")
    assert game["moves"] == [["W", "C3"], ["B", "pass"]]
    assert (game["komi"], game["handicap"], game["rules"]) == (0.5, 2, "japanese")
    assert (game["black"], game["comments"]) == ("柯", {"0": "hello", "1": "a"})
    assert game["recorded"] is None
    assert game["territory"] == {"TB": ["A5", "B5"], "TW": ["E1"]}


def test_the_games_of_a_file_are_listed_and_chosen_by_number(client: TestClient) -> None:
    data = "(;SZ[9]PB[An]BR[3d]RE[B+2.5];B[ee];W[ec])\n(;SZ[9];B[jk])(;SZ[9]PB[?]PW[Bo])"
    listed = client.post("/games?name=club.sgf", content=data, headers={"content-type": SGF}).json()
    first, second, third = listed["games"]
    assert listed["count"] == 3
    assert (first["black"], first["black_rank"], first["white"], first["recorded"]) == ("An", "3d", "", "B+2.5")
    assert first["length"] == 2
    why = "club.sgf#2: bad move: move 1: expected a point of a 9x9 board. Received: [jk]"
    assert second == {"error": why, "reason": "bad move"}
    assert (third["black"], third["white"]) == ("", "Bo")
    chosen = client.post("/game?name=club.sgf&number=3", content=data, headers={"content-type": SGF}).json()
    assert chosen["white"] == "Bo"
    for number, message in (
        ("2", "club.sgf#2: bad move: move 1: expected a point of a 9x9 board. Received: [jk]"),
        ("4", "club.sgf: expected the number of a game, 1..3. Received: 4"),
        ("x", "number: expected a number 1..1000. Received: x"),
    ):
        assert error(client, data, SGF, f"/game?name=club.sgf&number={number}") == (400, message)


def test_a_list_of_games_tells_how_many_there_are(client: TestClient) -> None:
    data = "(;SZ[5])" * (MOST_LISTED + 234)
    listed = client.post("/games", content=data, headers={"content-type": SGF}).json()
    assert (listed["count"], len(listed["games"])) == (MOST_LISTED + 234, MOST_LISTED)


def test_an_error_names_the_file(client: TestClient) -> None:
    message = "board.png: not SGF: expected a game that begins with '(;'. Received: a binary file"
    for path in ("/games", "/game"):
        answer = client.post(f"{path}?name=board.png", content=b"\x89PNG\0(;x(;", headers={"content-type": SGF})
        assert message in answer.text


def test_a_game_and_its_score_agree(client: TestClient) -> None:
    for sgf in (EXAMPLE, "(;SZ[5]PL[W])"):
        game = client.post("/game", content=sgf, headers={"content-type": SGF}).json()
        answer = score(client, sgf=sgf, move=0)
        assert all(game[key] == answer[key] for key in ("side", "to_move", "recorded"))
        assert not game["may_lack_komi"]


def test_an_illegal_move_and_what_ko_forbids_are_named(client: TestClient) -> None:
    ko = "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb]"
    cut = client.post("/game", content=f"{ko};W[bb])", headers={"content-type": SGF}).json()
    assert (cut["moves"], cut["broken_off"]) == ([["B", "C4"]], True)
    assert cut["illegal_move"] == {"number": 2, "colour": "white", "vertex": "B4", "reason": "ko"}
    assert [score(client, sgf=f"{ko})", move=move)["ko"] for move in (0, 1)] == [None, "B4"]


def test_a_report_is_one_page_that_respects_claims(client: TestClient) -> None:
    page = client.post("/report", json={"sgf": EXAMPLE, "symmetries": 1})
    assert page.headers["content-disposition"] == 'attachment; filename="game.html"'
    assert "GNU Go 3.8" in page.text
    claimed = client.post("/report", json={"sgf": EXAMPLE, "symmetries": 1, "komi": 50})
    assert score(client, komi=50, symmetries=1)["result"] in claimed.text
    marked = client.post("/report", json={"sgf": EXAMPLE, "symmetries": 1, "dead": ["C7"]})
    assert "Counted with the groups as you marked them." in marked.text


def test_a_report_has_a_limit(client: TestClient) -> None:
    passes = json.dumps({"sgf": f"(;SZ[5]{';B[];W[]' * 501})"})
    assert error(client, passes, path="/report") == (400, "expected 1000 moves at most in a report. Received: 1002")


def test_boards_of_all_sides(client: TestClient) -> None:
    assert client.get("/board/25").text.count("<text") == 100
    assert client.get("/board/26").json() == {"error": "expected a board side 2..25. Received: 26"}


def test_prisoners_count_where_the_rules_count_them(client: TestClient) -> None:
    ended = "(;SZ[5]KM[0]AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de];B[];W[])"
    prisoners = {"black": 3, "white": 1}
    for rules, gained in (("japanese", 2), ("chinese", 0)):
        plain, given = (score(client, sgf=ended, rules=rules, prisoners=each) for each in (None, prisoners))
        assert given["score"] - plain["score"] == gained
        assert given["counts_prisoners"] == (rules == "japanese")
    refused = client.post("/score", json={"sgf": ended, "prisoners": {"black": -1}})
    assert refused.status_code == 400
    assert refused.json()["error"].startswith("black: ")
