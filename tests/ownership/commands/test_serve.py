"""`ownership serve` as a program: it starts, answers, ends, and refuses wrong arguments."""

import json
import re
import signal
import socket
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from ownership.cli import main
from ownership.commands import serve
from tests.support.page import started
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_interrupted(number: signal.Signals) -> None:
    with started() as (server, address):
        assert address.startswith("http://127.0.0.1:")
        body = json.dumps({"sgf": (ROOT / "examples" / "finished-9x9.sgf").read_text()}).encode()
        with urlopen(Request(f"{address}score", body, {"Content-Type": "application/json"})) as answer:
            assert json.load(answer)["result"] == "B+4"
        for kind, status in (("application/json", 413), ("text/plain", 415)):
            with pytest.raises(HTTPError) as refused:
                urlopen(Request(f"{address}score", b" " * 20_000_000, {"Content-Type": kind}))
            assert refused.value.code == status
        with urlopen(address) as page:
            assert b"Score a game of Go" in page.read()
        server.send_signal(number)
        assert server.wait(PATIENCE) == 0
        assert server.stderr is not None and server.stderr.read() == ""


def test_it_ends_in_the_midst_of_work_and_of_a_request() -> None:
    game = (ROOT / "examples" / "finished-19x19.sgf").read_text()
    body = json.dumps({"sgf": game, "visits": 1000}).encode()
    with started() as (server, address):
        place = urlsplit(address)
        with socket.create_connection((place.hostname, place.port)) as slow:
            slow.sendall(b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n{")
            with urlopen(Request(f"{address}review", body, {"Content-Type": "application/json"})) as review:
                assert json.loads(review.readline())["kind"] == "game"
                server.send_signal(signal.SIGTERM)
                assert server.wait(PATIENCE) == 0  # the review would take minutes
        assert server.stderr is not None and server.stderr.read() == ""


def test_the_page_is_there_while_kernels_compile(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = []

    def compile_and_interrupt() -> None:
        [address] = re.findall(r"http://\S+", capsys.readouterr().err)
        with urlopen(address) as page:
            pages.append(page.read())
        raise KeyboardInterrupt

    monkeypatch.setattr(serve, "call_scoring_kernels", compile_and_interrupt)
    assert main(["serve", "--no-browser", "--model", "fast", "--port", "0"]) == 0
    assert [b"Score a game of Go" in page for page in pages] == [True]


def test_a_port_in_use_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--no-browser", "--model", "fast", "--port", str(port)]) == 2
    expected = (
        f"ownership: error: cannot listen on 127.0.0.1 port {port}: Address already in use; choose another --port\n"
    )
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "70000"], "--port: expected a whole number 0..65535. Received: 70000"),
        (["--model", "nothing"], "--model: expected a directory with model.tflite or the name of a model"),
        (["--host", "no such host"], "cannot listen on no such host port 8000: "),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-browser", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"ownership: error: {message}")
    assert error.count("\n") == 1
