"""Requests to `ownership serve` that are wrong, endless or from elsewhere."""

import asyncio
import base64
import hashlib
import json
import re
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Send

from goban.counting.languages import LANGUAGES
from ownership.inference.evaluator import Evaluator
from ownership.server import app as application
from ownership.server.app import JSON, SGF, create_app
from ownership.server.openapi import openapi
from ownership.server.request_limits import LARGEST_READ, LARGEST_REQUEST
from ownership.server.score_page import page
from ownership.server.threaded_work import WorkEndedError
from tests.support.paths import ROOT
from tests.support.server import EXAMPLE, FIELDS, JSON_VALUES, error


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


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES), st.booleans())
def test_any_object_is_answered_or_refused(bundled: Evaluator, values: dict[str, Any], has_game: bool) -> None:
    client = TestClient(create_app(bundled), base_url="http://localhost")
    body = json.dumps({**values, "sgf": "(;SZ[5];B[cc];W[bb])"} if has_game else values)
    answer = client.post("/score", content=body, headers={"content-type": JSON})
    assert answer.status_code in (200, 400)
    assert set(answer.json()) >= ({"error"} if answer.status_code == 400 else {"result"})


@settings(max_examples=100)
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
    assert error(client, b" " * (LARGEST_REQUEST + 1)) == (413, "expected at most 1,088 KiB")
    assert "413 above 1,088 KiB" in " ".join((ROOT / "docs" / "serve.md").read_text().split())
    monkeypatch.setattr(application, "BODY_SECONDS", 0.05)

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
    assert sent <= LARGEST_READ + len(chunk)
    assert peak < 4 * LARGEST_REQUEST


async def send_body(client: TestClient, body: AsyncIterator[bytes]) -> httpx2.Response:
    transport = httpx2.ASGITransport(client.app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as sender:
        return await sender.post("/game", content=body, headers={"content-type": SGF})


def post(client: TestClient, path: str, receive: Receive, send: Send) -> None:
    """Let the server answer a body that is received message by message."""
    headers = [(b"host", b"localhost"), (b"content-type", JSON.encode())]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}

    async def answer() -> None:
        await client.app(scope, receive, send)

    asyncio.run(answer())


@pytest.mark.parametrize("path", ["/score", "/report"])
def test_a_body_of_any_length_is_read_into_little_memory(path: str, client: TestClient) -> None:
    left = 64 * LARGEST_REQUEST

    async def receive() -> Message:
        nonlocal left
        left -= LARGEST_REQUEST
        return {"type": "http.request", "body": bytes(LARGEST_REQUEST), "more_body": left > 0}

    answers: list[Message] = []

    async def send(message: Message) -> None:
        answers.append(message)

    tracemalloc.start()
    post(client, path, receive, send)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (left, answers[0]["status"]) == (0, 413)
    assert most < 8 * LARGEST_REQUEST


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
        ("127.0.0.1", "localhost:", 200),
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_a_policy_of_its_own(language: str, client: TestClient) -> None:
    """Which allows its scripts and its requests; without it the browser would run nothing."""
    answer = client.get(f"/?language={language}")
    _, policy = page(language)
    assert answer.headers.get_list("content-security-policy") == [f"{policy}; frame-ancestors 'none'"]
    scripts = re.findall("<script>(.*?)</script>", answer.text, re.DOTALL)
    assert scripts
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "connect-src 'self'" in policy


@pytest.mark.parametrize("path", ["/", "/openapi.json", "/board/9", "/nowhere", "/board/99"])
def test_every_answer_has_safe_headers(path: str, client: TestClient) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; ")
    assert headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/board/x", 404),
        ("GET", "/board/", 400),
        ("GET", "/board/" + "9" * 5000, 400),
        ("GET", "/" + "9" * 5000, 404),
        ("GET", "/score", 405),
    ],
)
def test_an_address_that_is_not_there_is_answered_as_wrong_input_is(
    method: str, path: str, status: int, client: TestClient
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert answer.headers["cache-control"] == "no-store"
