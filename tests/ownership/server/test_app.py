"""The endpoints of `ownership serve`, good and bad bodies."""

import asyncio
import json
import re
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Send

from goban.coords import parse_gtp
from goban.counting.strings import LANGUAGES
from goban.rulesets import RULESETS
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.report.texts import texts
from ownership.server import app as application
from ownership.server.app import JSON, MAX_BODY, SGF, create_app
from ownership.server.openapi import openapi
from ownership.server.requests import MOST_LISTED
from ownership.server.work import WorkEndedError
from preprocessing.records.sgf import parse_game
from tests.support.paths import ROOT
from tests.support.records import GIB, NGF

EXAMPLE = (ROOT / "examples" / "finished-9x9.sgf").read_text()


@pytest.fixture(scope="module")
def client(bundled: Evaluator) -> TestClient:
    return TestClient(create_app(bundled), base_url="http://localhost")


def score(client: TestClient, **fields: Any) -> dict[str, Any]:
    answer = client.post("/score", json={"sgf": EXAMPLE, **fields})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def error(client: TestClient, content: bytes | str, media_type: str = JSON, path: str = "/score") -> tuple[int, str]:
    answer = client.post(path, content=content, headers={"content-type": media_type})
    return answer.status_code, answer.json()["error"]


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
    data = "(;SZ[9]PB[An]BR[3d]RE[B+2.5];B[ee];W[ec])\n(;SZ[9];B[ee];W[jk])(;SZ[9]PB[?]PW[Bo])"
    listed = client.post("/games?name=club.sgf", content=data, headers={"content-type": SGF}).json()
    first, second, third = listed["games"]
    assert listed["count"] == 3
    assert (first["black"], first["black_rank"], first["white"], first["recorded"]) == ("An", "3d", "", "B+2.5")
    assert first["length"] == 2
    assert second == {"error": "club.sgf#2: bad move: move 2: expected a point of a 9x9 board. Received: [jk]"}
    assert (third["black"], third["white"]) == ("", "Bo")
    chosen = client.post("/game?name=club.sgf&number=3", content=data, headers={"content-type": SGF}).json()
    assert chosen["white"] == "Bo"
    for number, message in (
        ("2", "club.sgf#2: bad move: move 2: expected a point of a 9x9 board. Received: [jk]"),
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


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "expected a JSON object"),
        ("[" * 100_000, "expected a JSON object. Received: one that is nested too deeply"),
        (
            '{"sgf": "(;SZ[9])", "komi": ' + "9" * 5000 + "}",
            "expected a JSON object. Received: a whole number with too many",
        ),
        ("[]", "expected a JSON object. Received: []"),
        ('{"SGF": ""}', "sgf: expected a record as a string. Received: nothing"),
        ('{"sgf": "hello"}', "game: not SGF"),
        (
            '{"sgf": "(;SZ[9];B[ee];W[ee])"}',
            "game: illegal move: move 2, White E5: the point is occupied; a move up to 1 can be scored",
        ),
        (
            '{"sgf": "(;SZ[9]AB[cc][dd]AW[dd])"}',
            "game: bad set-up: expected AB and AW without a common point. Received: D6 in both",
        ),
        ('{"sgf": "(;SZ[9])", "move": 1}', "game: move: expected a move number 0..0. Received: 1"),
        ('{"sgf": "(;SZ[9])", "move": -1}', "move: expected a whole number"),
        ('{"sgf": "(;SZ[9])", "komi": NaN}', "expected a JSON object. Received: NaN, which is no number of JSON"),
        ('{"sgf": "(;SZ[9])", "rules": "chess"}', "rules must be one of area, "),
        ('{"sgf": "(;SZ[9])", "rules": 5}', "rules must be one of area, "),
        ('{"sgf": "(;SZ[9])", "rules": "%s"}' % ("x" * 5000), "rules must be one of area, "),
        ('{"sgf": "(;SZ[9])", "dead": ["%s"]}' % ("x" * 5000), "dead xxx"),
        ('{"sgf": "(;SZ[9])", "dead": ["E5"]}', "dead E5: expected a vertex with a stone"),
        ('{"sgf": "(;SZ[9])", "dead": "E5"}', "dead: expected a list. Received: 'E5'"),
        ('{"sgf": "(;SZ[9])", "seki": [5]}', "seki: expected vertices such as D4. Received: 5"),
        ('{"sgf": "(;SZ[9])", "symmetries": 4}', "symmetries: expected 1 or 8. Received: 4"),
        ('{"sgf": "(;SZ[9])", "kome": 4}', "unknown field 'kome'; did you mean komi?"),
    ],
)
def test_wrong_input_gets_one_line(body: str, message: str, client: TestClient) -> None:
    status, said = error(client, body)
    assert (status, said[: len(message)]) == (400, message)
    assert "\n" not in said and len(said) < 250


@pytest.mark.parametrize(
    ("address", "media_type", "message"),
    [
        ("/game?nummer=2", SGF, "unknown query parameter 'nummer'; did you mean number?"),
        ("/game?number=1&number=2", SGF, "number: expected one value. Received: 2"),
        ("/games?number=2", SGF, "unknown query parameter 'number'"),
        ("/score?move=3", JSON, "unknown query parameter 'move'"),
    ],
)
def test_wrong_parameters_are_refused(address: str, media_type: str, message: str, client: TestClient) -> None:
    assert error(client, EXAMPLE, media_type, address) == (400, message)


@pytest.mark.parametrize("name", openapi()["components"]["schemas"]["Request"]["properties"])
def test_null_is_taken_where_the_description_has_it(name: str, client: TestClient) -> None:
    answer = client.post("/score", json={"sgf": "(;SZ[5];B[cc])", name: None})
    described = openapi()["components"]["schemas"]["Request"]["properties"][name]
    assert (answer.status_code == 200) is ("null" in described["type"])
    assert None in described.get("enum", [None])


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = (*("sgf", "move", "rules", "komi", "dead", "alive", "seki", "prisoners", "symmetries", "language", "other"),)


@settings(max_examples=200)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES), st.booleans())
def test_any_object_is_answered_or_refused(bundled: Evaluator, values: dict[str, Any], has_game: bool) -> None:
    client = TestClient(create_app(bundled), base_url="http://localhost")
    body = json.dumps({**values, "sgf": "(;SZ[5];B[cc];W[bb])"} if has_game else values)
    answer = client.post("/score", content=body, headers={"content-type": JSON})
    assert answer.status_code in (200, 400)
    assert set(answer.json()) >= ({"error"} if answer.status_code == 400 else {"result"})


@settings(max_examples=200)
@given(st.binary(max_size=200), st.sampled_from(["/score", "/report", "/game", "/games"]))
def test_any_bytes_are_answered_or_refused(bundled: Evaluator, body: bytes, path: str) -> None:
    client = TestClient(create_app(bundled), base_url="http://localhost")
    answer = client.post(path, content=body, headers={"content-type": SGF if path.startswith("/game") else JSON})
    assert answer.status_code in (200, 400)
    assert answer.status_code == 200 or answer.json()["error"]


def test_the_smallest_record_is_a_game(bundled: Evaluator) -> None:
    client = TestClient(create_app(bundled), base_url="http://localhost")
    assert client.post("/game", content=b"(;A[])", headers={"content-type": SGF}).json()["moves"] == []


def test_bodies_have_a_type_a_size_and_a_time(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert error(client, "{}", "text/plain") == (415, f"expected the content type {JSON}")
    assert error(client, b" " * (MAX_BODY + 1)) == (413, "expected at most 1,088 KiB")
    assert "413 above 1,088 KiB" in (ROOT / "docs" / "serve.md").read_text()
    monkeypatch.setattr(application, "MOST_SECONDS", 0.05)

    async def trickle() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.01)

    assert asyncio.run(send_body(client, trickle())).status_code == 408


def test_a_body_without_end_takes_little_memory_and_is_not_read_to_the_end(client: TestClient) -> None:
    chunk, sent = bytes(1 << 16), 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += len(chunk)
            yield chunk

    tracemalloc.start()
    answer = asyncio.run(send_body(client, endless()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (answer.status_code, answer.json()) == (413, {"error": "expected at most 1,088 KiB"})
    assert sent <= application.MOST_READ + len(chunk)
    assert peak < 4 * MAX_BODY


async def send_body(client: TestClient, body: AsyncIterator[bytes]) -> httpx2.Response:
    transport = httpx2.ASGITransport(client.app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as sender:
        return await sender.post("/game", content=body, headers={"content-type": SGF})


def post(client: TestClient, path: str, receive: Receive, send: Send) -> None:
    """Let the server answer what is received message by message."""
    headers = [(b"host", b"localhost"), (b"content-type", JSON.encode())]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}

    async def answer() -> None:
        await client.app(scope, receive, send)

    asyncio.run(answer())


@pytest.mark.parametrize("path", ["/score", "/report"])
def test_a_body_of_any_length_is_read_into_little_memory(path: str, client: TestClient) -> None:
    left = 64 * MAX_BODY

    async def receive() -> Message:
        nonlocal left
        left -= MAX_BODY
        return {"type": "http.request", "body": bytes(MAX_BODY), "more_body": left > 0}

    answers: list[Message] = []

    async def send(message: Message) -> None:
        answers.append(message)

    tracemalloc.start()
    post(client, path, receive, send)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (left, answers[0]["status"]) == (0, 413)
    assert most < 8 * MAX_BODY


@pytest.mark.parametrize("path", ["/score", "/report", "/games", "/game"])
def test_a_client_that_leaves_within_its_body_is_no_fault_of_the_server(path: str, client: TestClient) -> None:
    received: Iterator[Message] = iter(
        [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    )

    async def receive() -> Message:
        return next(received)

    async def send(_: Message) -> None:
        pass

    post(client, path, receive, send)


def test_scores_are_refused_where_the_server_ends_before_it_is_ready(bundled: Evaluator) -> None:
    prepared: Future[None] = Future()
    prepared.set_exception(WorkEndedError())
    client = TestClient(create_app(bundled, prepared=prepared), base_url="http://localhost")
    assert error(client, json.dumps({"sgf": EXAMPLE})) == (503, "the server has ended")
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("server", "host", "status"),
    [
        ("127.0.0.1", "localhost:8000", 200),
        ("127.0.0.1", "LOCALHOST", 200),
        ("127.0.0.1", "127.0.0.1", 200),
        ("127.0.0.1", "example.org", 400),
        ("127.0.0.1", "localhost.example.org", 400),
        ("127.0.0.1", "", 400),
        ("127.9.9.9", "example.org:8000", 400),
        ("::1", "[::1]:8000", 200),
        ("::1", "example.org", 400),
        ("::ffff:127.0.0.1", "example.org", 400),
        ("192.0.2.7", "example.org", 200),
        ("2001:db8::7", "example.org:8000", 200),
        ("/run/socket", "example.org", 400),
    ],
)
def test_who_calls_this_machine_must_call_it_local(server: str, host: str, status: int, client: TestClient) -> None:
    """A page of another site that points its name at this machine gets nothing."""
    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        answers.append(message)

    headers = [(b"host", host.encode())]
    scope = {"type": "http", "method": "GET", "path": "/board/9", "query_string": b"", "headers": headers}
    asyncio.run(client.app(scope | {"server": (server, 8000)}, receive, send))  # type: ignore[arg-type]
    assert answers[0]["status"] == status
    if status == 400:
        known = f"expected a request to localhost or 127.0.0.1 or [::1]. Received: {host.removesuffix(':8000')}"
        assert json.loads(answers[1]["body"]) == {"error": known}


@pytest.mark.parametrize("path", ["/", "/openapi.json", "/board/9", "/nowhere", "/board/99"])
def test_every_answer_has_safe_headers(path: str, client: TestClient) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; ")
    assert headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert headers["x-content-type-options"] == "nosniff"


def test_boards_of_all_sides(client: TestClient) -> None:
    assert client.get("/board/25").text.count("<text") == 100
    assert client.get("/board/26").json() == {"error": "expected a board side 2..25. Received: 26"}


def test_the_description_names_every_field(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    schemas = described["components"]["schemas"]
    assert set(schemas["Score"]["properties"]) == set(score(client))
    game = client.post("/game", content=EXAMPLE, headers={"content-type": SGF}).json()
    assert set(schemas["Game"]["properties"]) == set(game)
    listed = client.post("/games", content=EXAMPLE, headers={"content-type": SGF}).json()
    assert set(schemas["Games"]["properties"]) == set(listed)
    [entry] = listed["games"]
    assert set(schemas["Games"]["properties"]["games"]["items"]["anyOf"][0]["properties"]) == set(entry)
    assert set(schemas["Request"]["properties"]) == set(FIELDS) - {"other"}
    for name in ("ReviewRequest", "SearchRequest"):
        asked = dict.fromkeys(schemas[name]["properties"]) | {"sgf": "(;SZ[5])", "visits": 1}
        assert client.post("/review" if name == "ReviewRequest" else "/candidates", json=asked).status_code == 200
    assert schemas["Request"]["properties"]["rules"]["examples"] == list(RULESETS)
    served = {route.path for route in client.app.routes if route.methods == {"POST"}}  # type: ignore[attr-defined]
    assert set(openapi()["paths"]) == served
    _, number = openapi()["paths"]["/game"]["parameters"]
    assert (number["schema"]["minimum"], number["schema"]["maximum"]) == (1, MOST_LISTED)


NAMES = ("string", "integer", "number", "boolean", "array", "object")
TYPES: dict[str, Any] = dict(zip(NAMES, (str, int, int | float, bool, list, dict), strict=True))


def check(value: Any, schema: dict[str, Any]) -> None:
    """Check that a JSON value is as a part of the description says, of which every part has a type."""
    if "$ref" in schema:
        schema = openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        return check(value, next(each for each in schema["anyOf"] if "properties" in each))
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if value is None:
        assert "null" in kinds
        return None
    assert isinstance(value, TYPES[kinds[0]]), (value, schema)
    assert value in schema.get("enum", [value])
    if kinds[0] == "array":
        parts = schema.get("prefixItems", [schema["items"]] * len(value))
        for each, part in zip(value, parts, strict=True):
            check(each, part)
    if kinds[0] == "object":
        assert set(schema.get("required", ())) <= set(value)
        for name, each in value.items():
            check(each, schema.get("properties", {}).get(name) or schema["additionalProperties"])
    return None


@pytest.mark.parametrize(
    "fields", [{}, {"komi": 11}, {"move": 20}, {"alive": ["C7"], "rules": "jp"}, {"sgf": "(;SZ[5]AB[cc];TB[aa])"}]
)
def test_scores_are_as_described(fields: dict[str, Any], client: TestClient) -> None:
    check(score(client, **fields), openapi()["components"]["schemas"]["Score"])


@pytest.mark.parametrize(("path", "schema"), [("/game", "Game"), ("/games", "Games")])
@pytest.mark.parametrize("record", [EXAMPLE, "(;SZ[5]C[Hello];TB[aa]TW[bb])", "(;SZ[5];B[aa];W[aa])"])
def test_games_are_as_described(path: str, schema: str, record: str, client: TestClient) -> None:
    answer = client.post(path, content=record, headers={"content-type": SGF})
    check(answer.json(), openapi()["components"]["schemas"][schema])


def test_reviews_are_as_described(client: TestClient) -> None:
    schemas = openapi()["components"]["schemas"]
    described = {"game": "Heading", "position": "Position", "pass": "Pass"}
    asked = {"sgf": "(;SZ[5];B[cc];W[bb])", "visits": 4}
    for line in map(json.loads, client.post("/review", json=asked).text.splitlines()):
        assert set(line) <= set(schemas[described[line["kind"]]]["properties"])
        check(line, schemas[described[line["kind"]]])
    found = client.post("/candidates", json=asked).json()
    assert set(found) == set(schemas["Searched"]["properties"])
    check(found, schemas["Searched"])


def assets(folder: str) -> str:
    """Return all scripts and templates of the pages in a folder."""
    files = sorted((ROOT / "ownership" / folder).iterdir())
    return "".join(each.read_text("utf-8") for each in files if each.suffix in (".js", ".html", ".py"))


def test_every_string_is_used_and_every_used_one_is_there() -> None:
    words, code = set(texts("en")), assets("report") + assets("server")
    prefixes = (*re.findall(r"`(\w+_)\$", code), "fact_", "rules_")
    used = set(re.findall(r"texts\.(\w+)|say\(\"(\w+)\"", code))
    assert {name for pair in used for name in pair if name} <= words
    named = {name for name in words if re.search(rf"\b{name}\b", code) or name.startswith(prefixes)}
    assert named == words


@pytest.mark.parametrize("folder", ["ownership", "goban/counting"])
@pytest.mark.parametrize("name", LANGUAGES[1:])
def test_translations_have_the_same_texts_with_the_same_values(name: str, folder: str) -> None:
    def read(each: str) -> dict[str, list[str]]:
        found = json.loads((ROOT / folder / "words" / f"{each}.json").read_text("utf-8"))
        return {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in found.items()}

    assert read(name) == read("en")


def test_the_language_is_chosen_by_browser_link_and_request(client: TestClient) -> None:
    for header, query, language in (
        ("fr, de;q=0.8", "", "de"), ("zh-CN,zh;q=0.9", "", "zh"), ("", "", "en"), ("de", "?language=ja", "ja"),
    ):  # fmt: skip
        page = client.get(f"/{query}", headers={"accept-language": header}).text
        assert f'<html lang="{language}">' in page
    assert score(client, language="de")["verdict"].startswith(("Schwarz ", "Weiß "))
    assert score(client)["verdict"].startswith(("Black ", "White "))
    refused = client.post("/score", json={"sgf": EXAMPLE, "language": "fr"})
    assert refused.json()["error"] == "language: expected one of en, de, zh, ja, ko. Received: 'fr'"


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


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/nothing", 404), ("GET", "/board/x", 404), ("GET", "/score", 405)]
)
def test_an_address_that_is_not_there_is_answered_as_wrong_input_is(
    method: str, path: str, status: int, client: TestClient
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert answer.headers["cache-control"] == "no-store"
