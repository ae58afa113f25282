"""Serve a page to score and review games in a browser, and answer other programs in JSON.

Examples:
    ownership serve
    ownership serve --host 0.0.0.0 --port 8080 --no-browser

See docs/serve.md.
"""

import argparse
import errno
import logging
import socket
import sys
import webbrowser
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from threading import Event, Thread

import uvicorn
from starlette.applications import Starlette

from goban.errors import InputError, naming
from ownership.commands.shared.kernel_compilation import call_scoring_kernels
from ownership.commands.shared.model_arguments import load_model, model_argument
from ownership.scoring.scored_game import ScoreOptions
from ownership.server.app import create_app
from ownership.server.connection_limits import server_config
from ownership.server.kept_records import first_game
from ownership.server.score_answers import score_answer
from ownership.server.threaded_work import WorkEndedError
from runtime.command_line import Argument, declare
from runtime.this_process import share_heap

_LOCAL = "127.0.0.1"
_MOST_SECONDS = 1.0  # for the server to end: a thread that reads a record cannot be ended, and is left


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership serve`."""
    host = "address to listen on, such as 0.0.0.0 for all networks of this machine"
    declare(
        parser,
        Argument("--host ADDRESS", str, host, otherwise="this machine only"),
        Argument("--port N", int, "port to listen on, 0 for a free one", 8000, 0, 65_535),
        Argument("--no-browser", bool, "open no browser", True),
        model_argument(),
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until the process is interrupted; return 0."""
    share_heap()
    evaluator = load_model(arguments.model)
    with naming("--model"):
        evaluator.files.require_head("ownership", "the page")
    listening = _listen(arguments.host or _LOCAL, arguments.port)
    prepared: Future[None] = Future()
    app = create_app(evaluator, prepared)
    address = _address(listening)
    print(f"Serving {address} (Ctrl+C ends it)", file=sys.stderr, flush=True)
    if arguments.browser:
        webbrowser.open(address)
    with suppress(KeyboardInterrupt), _running(app, listening, prepared) as ended:
        call_scoring_kernels()  # the page is there already, and shows what it waits for
        game = first_game(b"(;SZ[%d];B[cc];W[];B[])" % (evaluator.files.network.side or 5))
        score_answer(game, evaluator, ScoreOptions())
        prepared.set_result(None)
        ended.wait()
    return 0


@contextmanager
def _running(app: Starlette, listening: socket.socket, prepared: "Future[None]") -> Iterator[Event]:
    """Run a server in a thread of its own, as the main thread alone may compile: it waits with signals meanwhile.

    Yields what is set when the server has ended. A signal that interrupts `Thread.join` lets Python 3.11 take the
    thread for ended.
    """
    server, ended = uvicorn.Server(server_config(app)), Event()

    def serve() -> None:
        try:
            server.run([listening])
        finally:
            ended.set()

    Thread(target=serve, daemon=True).start()
    try:
        yield ended
    finally:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it complains of requests that it ends
        app.state.work.end()
        if not prepared.done():
            prepared.set_exception(WorkEndedError())
        server.should_exit = True
        ended.wait(_MOST_SECONDS)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; the browser may connect before the server has started."""
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen()
    except OSError as error:
        remedy = "; choose another --port" if error.errno in (errno.EADDRINUSE, errno.EACCES) else ""
        raise InputError(f"cannot listen on {host} port {port}: {error.strerror}{remedy}") from None
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
