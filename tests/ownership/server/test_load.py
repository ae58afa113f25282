"""Many clients with requests of all kinds: each gets the answers that a single client gets."""

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import pytest

from goban.counting.languages import LANGUAGES
from ownership.server.app import JSON, SGF
from tests.support.bad_records import COLLECTED, GOOD, NO_LIBERTIES
from tests.support.page import started
from tests.support.paths import EXAMPLES
from tests.support.records import FINISHED, GIB, NGF
from tests.support.waiting import PATIENCE

CLIENTS: Final = 100
SECONDS: Final = float(os.environ.get("OWNERSHIP_LOAD_SECONDS", "600"))  # fewer, to try it
MOST_REQUESTS: Final = 40_000  # of all clients
LONG: Final = (EXAMPLES / "finished-19x19.sgf").read_text()
MIDDLE: Final = (EXAMPLES / "middlegame-19x19.sgf").read_text()
SHORT: Final = "(;SZ[5];B[cc];W[cd];B[dd])"


class Request(NamedTuple):
    """A request of a client, its weight in the choice of requests, and the status of the answer."""

    path: str
    body: bytes = b""
    kind: str = JSON
    weight: int = 1
    status: int = 200


def asked(path: str, weight: int = 1, status: int = 200, **fields: object) -> Request:
    return Request(path, json.dumps(fields).encode(), JSON, weight, status)


def scores() -> Iterator[Request]:
    """Yield requests for scores: positions, terms, marks, languages, averages; and refused ones."""
    game = GOOD.decode()
    for move in range(0, 46, 3):
        yield asked("/score", 2, sgf=game, move=move, symmetries=1)
    for number, language in enumerate(LANGUAGES):
        yield asked("/score", sgf=game, komi=5.5 + number, language=language)
    yield asked("/score", sgf=game, rules="japanese", prisoners={"black": 3, "white": 1})
    yield asked("/score", sgf=game, dead=["C7"])
    yield asked("/score", sgf=FINISHED.decode(), seki=[])
    yield asked("/score", sgf=LONG, symmetries=1)
    yield asked("/score", sgf=LONG)
    yield asked("/score", sgf=MIDDLE, move=100, symmetries=1)
    yield asked("/score", sgf=GIB, symmetries=1)
    yield asked("/score", status=400, sgf=NO_LIBERTIES)
    yield asked("/score", status=400, sgf=game, komi="much")
    yield asked("/score", status=400, sgf=game, dead=["A1"])


def requests() -> list[Request]:
    """Return requests of all kinds."""
    games = b"\n".join([GOOD, *COLLECTED.values(), FINISHED])
    return [
        *scores(),
        asked("/candidates", sgf=GOOD.decode(), move=20, visits=8),
        asked("/review", sgf=SHORT, visits=4),
        asked("/report", sgf=SHORT, symmetries=1),
        Request("/game?number=1", games, SGF),
        Request("/game?number=2", games, SGF, status=400),
        Request("/games", games, SGF),
        Request("/games", NGF.encode(), SGF),
        Request("/game", b"\xff\xfe" * 99, SGF, status=400),
        Request("/board/13"),
        Request("/board/99", status=400),
        Request("/"),
        Request("/openapi.json"),
    ]


def answer(address: str, request: Request) -> tuple[int, bytes]:
    """Return the status and the body that a new connection gets."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        connection.request(
            "POST" if request.body else "GET", request.path, request.body or None, {"Content-Type": request.kind}
        )
        found = connection.getresponse()
        return found.status, found.read()
    finally:
        connection.close()


def differing(address: str, expected: dict[Request, tuple[int, bytes]], seed: int, end: float) -> tuple[int, list[str]]:
    """Be a client until a time; return how many answers it got, and which requests got another than expected."""
    draw, weights, wrong = random.Random(seed), [request.weight for request in expected], list[str]()
    for count in range(MOST_REQUESTS // CLIENTS):
        if time.monotonic() > end:
            return count, wrong
        [request] = draw.choices(list(expected), weights)
        if (found := answer(address, request)) != expected[request]:
            wrong.append(f"{request.path} {request.body[:200]!r}: {found[0]} {found[1][:200]!r}")
    return MOST_REQUESTS // CLIENTS, wrong


@pytest.mark.long
def test_a_hundred_clients_get_the_answers_of_a_single_one() -> None:
    with started() as (server, address):
        expected = {request: answer(address, request) for request in requests()}
        assert [(request, found) for request, found in expected.items() if found[0] != request.status] == []
        end = time.monotonic() + SECONDS
        with ThreadPoolExecutor(CLIENTS) as clients:
            answers = list(clients.map(lambda seed: differing(address, expected, seed, end), range(CLIENTS)))
        assert [line for _, wrong in answers for line in wrong] == []
        assert min(count for count, _ in answers) > 0
        assert {request: answer(address, request) for request in expected} == expected
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE) == 0
        assert server.stderr is not None
        assert [line for line in server.stderr if not line.startswith("Compiling kernels")] == []
