"""Requests that no client would send: each is answered, refused or dropped, and others are served as before."""

import json
import random
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import psutil
import pytest

from ownership.server.app import JSON, SGF
from tests.support.page import started
from tests.support.paths import ROOT
from tests.support.records import GIB, NGF
from tests.support.waiting import PATIENCE

GAME = (ROOT / "examples" / "finished-9x9.sgf").read_text()
LONG = (ROOT / "examples" / "finished-19x19.sgf").read_text()
PATHS = (
    "/score",
    "/game",
    "/games",
    "/report",
    "/review",
    "/candidates",
    "/",
    "/openapi.json",
    "/board/9",
    "/board/99999",
)
METHODS = ("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE", "PRI", "get", "X" * 300)
MOST_TAKEN = 40 << 20  # bytes: predictions that are kept, networks that have met larger boards
PARTS = 3  # in which a request is sent
Draw = random.Random


def request(draw: Draw, body: bytes, **headers: str) -> bytes:
    """Return a request with a body, and a head that is right but for `headers`."""
    path = draw.choice(PATHS[:6])
    found = {
        "Host": "localhost",
        "Content-Type": SGF if path.startswith("/game") else JSON,
        "Content-Length": str(len(body)),
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in found.items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + body


def fields(draw: Draw) -> bytes:
    """Return a JSON object in which some fields are right."""
    values: list[object] = [
        None,
        0,
        1,
        -1,
        8,
        10**9,
        1e300,
        "x",
        "japanese",
        [],
        ["C7"],
        ["C7"] * 700,
        {},
        True,
        "\ud800",
        "W",
    ]
    names = ["move", "rules", "komi", "dead", "alive", "seki", "symmetries", "visits", "sgf", "other"]
    chosen = {name: draw.choice(values) for name in draw.sample(names, draw.randrange(4))}
    return json.dumps(
        {"sgf": draw.choice([GAME, GIB, NGF, "(;SZ[5];B[cc]", "(;" * 5000, "(;SZ[25])"]), **chosen}
    ).encode()


def damaged(draw: Draw) -> bytes:
    """Return a record in which some bytes are others."""
    data = bytearray(draw.choice([GAME, GIB, NGF]).encode())
    for _ in range(draw.randrange(1, 9)):
        data[draw.randrange(len(data))] = draw.choice(b"()[];\\:BWAE\0\xff")
    return bytes(data)


HOSTILE: dict[str, Callable[[Draw], bytes]] = {
    "noise": lambda draw: draw.randbytes(draw.randrange(2000)),
    "a head that grows": lambda draw: b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * draw.randrange(20_000),
    "a long line": lambda draw: b"GET /" + b"a" * draw.randrange(100_000) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "another method": lambda draw: (
        f"{draw.choice(METHODS)} {draw.choice(PATHS)} HTTP/1.{draw.randrange(3)}\r\nHost: localhost\r\n\r\n".encode()
    ),
    "another host": lambda draw: request(draw, b"{}", Host=draw.choice(["example.org", "", "[", "localhost:x"])),
    "a wrong length": lambda draw: request(
        draw, b"{}", Content_Length=draw.choice(["-1", "1", "99999999999999999999", "x", "2, 3", "0x2", "5"])
    ),
    "chunks": lambda draw: request(
        draw, draw.choice([b"0\r\n\r\n", b"-5\r\nxx\r\n", b"ffffffffffffffff\r\nx", b"2\r\n{}\r\n0\r\n\r\n"]),
        Content_Length="0", Transfer_Encoding="chunked",
    ),
    "two at a time": lambda draw: request(draw, fields(draw)) + request(draw, damaged(draw)),
    "an upgrade": lambda draw: request(draw, b"", Connection="Upgrade", Upgrade=draw.choice(["websocket", "h2c"])),
    "fields": lambda draw: request(draw, fields(draw)),
    "a damaged record": lambda draw: request(draw, damaged(draw)),
    "another type": lambda draw: request(draw, fields(draw), Content_Type=draw.choice(["", "text/html", "x" * 9000])),
    "a query": lambda draw: (
        f"POST {draw.choice(PATHS[:6])}?{'name=%00%ff&' * draw.randrange(500)}number=%zz HTTP/1.1\r\n"
        f"Host: localhost\r\nContent-Type: {SGF}\r\nContent-Length: 0\r\n\r\n".encode()
    ),
    "half a request": lambda draw: (sent := request(draw, fields(draw)))[: draw.randrange(len(sent))],
    "a large body": lambda draw: request(draw, draw.choice([b"[", b" ", b"(;"]) * draw.randrange(3 << 19)),
}  # fmt: skip
UNFINISHED = {"noise", "a head that grows", "a wrong length", "chunks", "half a request"}


def attack(address: str, kind: str, draw: Draw) -> None:
    """Send the bytes of a kind in parts; leave immediately, or wait for an answer."""
    place, sent = urlsplit(address), HOSTILE[kind](draw)
    assert place.hostname is not None and place.port is not None
    with (
        socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as connection,
        suppress(ConnectionError),
    ):
        for part in range(PARTS):
            connection.sendall(sent[part * len(sent) // PARTS : (part + 1) * len(sent) // PARTS])
        if draw.random() < 0.3:
            return
        if kind in UNFINISHED:
            with suppress(OSError):  # the server may have closed the connection
                connection.shutdown(socket.SHUT_WR)
        status = connection.recv(12)
        assert status == b"" or re.fullmatch(rb"HTTP/1\.1 (?:[1-4]..|503)", status), (kind, sent, status)


def check(address: str) -> None:
    """Check that another user is served."""
    body = json.dumps({"sgf": GAME}).encode()
    with urlopen(Request(f"{address}score", body, {"Content-Type": JSON})) as answer:
        assert json.load(answer)["result"] == "B+4"


@pytest.mark.parametrize("kind", HOSTILE)
def test_others_are_served_beside(kind: str, address: str) -> None:
    draw = Draw(kind)
    for _ in range(8):
        attack(address, kind, draw)
    check(address)


@pytest.mark.long
def test_five_minutes_of_hostile_requests_take_no_memory() -> None:
    with started() as (server, address):
        check(address)
        draw, process = Draw(1), psutil.Process(server.pid)
        used, end = [process.memory_info().rss], time.monotonic() + 300
        while time.monotonic() < end:
            for kind in HOSTILE:
                attack(address, kind, draw)
            check(address)
            used.append(process.memory_info().rss)
        assert ended(server)
    assert max(used) < 1.1 * max(used[: len(used) // 5])
    assert max(used) - used[0] < MOST_TAKEN


@pytest.mark.long
def test_20000_requests_of_all_kinds_take_no_memory() -> None:
    with started() as (server, address):
        draw, used, process = Draw(2), list[int](), psutil.Process(server.pid)
        connection = HTTPConnection(urlsplit(address).netloc)
        for number in range(20_000):
            path, data, kind = usual(draw)
            connection.request("POST" if data else "GET", path, data or None, {"Content-Type": kind})
            answer = connection.getresponse()
            answer.read()
            assert answer.status in (200, 400, 404)
            if number % 1000 == 999:
                used.append(process.memory_info().rss)
        assert ended(server)
    assert max(used) < 1.05 * max(used[:5])


def usual(draw: Draw) -> tuple[str, bytes, str]:
    """Return path, body and content type of a request as the page and programs send it."""
    asked = {"sgf": draw.choice((LONG, GAME)), "move": draw.randrange(45), "komi": draw.randrange(9), "symmetries": 1}
    searched = {"sgf": GAME, "move": draw.randrange(45), "visits": 4}
    drawn = [
        (6, "/score", asked),
        (1, "/candidates", searched),
        (1, "/review", {"sgf": "(;SZ[5];B[cc];W[cd];B[dd])", "visits": 2}),
        (1, "/report", {"sgf": "(;SZ[5];B[cc];W[cd])", "symmetries": 1}),
        (1, "/score", {"sgf": damaged(draw).decode("latin-1"), "symmetries": 1}),
        (2, "/game", damaged(draw)),
        (1, "/games", LONG.encode() * 3),
        (1, "/board/19", b""),
        (1, "/", b""),
        (1, "/nothing", b""),
    ]
    [(_, path, body)] = draw.choices(drawn, [weight for weight, _, _ in drawn])
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return path, data, SGF if path.startswith("/game") else JSON


def ended(server: subprocess.Popen[str]) -> bool:
    """End the server; return whether it had nothing to complain of."""
    server.send_signal(signal.SIGTERM)
    assert server.wait(PATIENCE) == 0
    assert server.stderr is not None
    return all(line.startswith("Compiling kernels") for line in server.stderr)
