"""Connections that bring no request end, and other clients are still served."""

import json
import socket
from contextlib import ExitStack
from http.client import HTTPConnection
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from ownership.server import connection_limits
from ownership.server.app import JSON
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE

MOST = 5
LINE = b"GET /board/9 HTTP/1.1\r\nHost: localhost\r\n"


def connected(address: str) -> socket.socket:
    place = urlsplit(address)
    assert place.hostname is not None and place.port is not None
    return socket.create_connection((place.hostname, place.port), timeout=PATIENCE)


def is_closed(connection: socket.socket) -> bool:
    """Wait for a byte from the server, and return whether it closes the connection instead."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET", LINE, LINE + b"\r\n" + LINE])
def test_a_connection_without_a_whole_request_is_closed_in_time(
    sent: bytes, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "HEADER_SECONDS", 0.2)
    with connected(address) as silent:
        silent.sendall(sent)
        if sent.endswith(b"\r\n" + LINE):  # one request is answered
            assert silent.recv(12) == b"HTTP/1.1 200"
            while silent.recv(1 << 16):
                pass
        else:
            assert is_closed(silent)


def test_a_client_that_sends_byte_by_byte_gains_no_time(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "HEADER_SECONDS", 0.2)
    with connected(address) as slow, pytest.raises(OSError):
        slow.settimeout(0.01)
        while True:
            slow.sendall(b"x")
            try:
                assert slow.recv(1) == b""
                raise ConnectionResetError
            except TimeoutError:
                pass


def test_silent_connections_make_room_for_others(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "MOST_CONNECTIONS", MOST)
    with ExitStack() as stack:
        silent = [stack.enter_context(connected(address)) for _ in range(4 * MOST)]
        with urlopen(f"{address}board/9") as answer:
            assert answer.status == 200
        assert all(map(is_closed, silent[: 3 * MOST]))
        silent[-1].sendall(LINE + b"\r\n")
        assert silent[-1].recv(12) == b"HTTP/1.1 200"


def test_a_connection_with_an_answer_under_way_makes_no_room(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "MOST_CONNECTIONS", MOST)
    busy = HTTPConnection(urlsplit(address).netloc)
    asked = {"sgf": (ROOT / "examples" / "finished-9x9.sgf").read_text(), "visits": 200}
    busy.request("POST", "/review", json.dumps(asked), {"Content-Type": JSON})
    with ExitStack() as stack:
        answer = busy.getresponse()
        for _ in range(4 * MOST):
            stack.enter_context(connected(address))
        kinds = [json.loads(answer.readline())["kind"] for _ in range(48)]
    busy.close()
    assert kinds == ["game", *46 * ["position"], "pass"]


@pytest.mark.parametrize("path", ["/score", "/game", "/nothing"])
def test_a_body_with_two_lengths_is_refused_and_its_connection_closed(path: str, address: str) -> None:
    lengths = "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n"
    hidden = LINE + b"\r\n"  # which would be answered as another request
    with connected(address) as client:
        client.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{lengths}\r\n0\r\n\r\n".encode() + hidden)
        received = b"".join(iter(lambda: client.recv(1 << 16), b""))
    assert received.startswith(b"HTTP/1.1 400 ") and received.count(b"HTTP/1.1") == 1
    assert b'{"error":"expected Content-Length or Transfer-Encoding. Received: both"}' in received
