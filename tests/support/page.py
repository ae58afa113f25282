"""The page of `ownership serve` in a browser, as its user sees it, for its tests."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette

from ownership.server.connection_limits import server_config
from tests.support.browser import Browser
from tests.support.paths import EXAMPLES, ROOT
from tests.support.waiting import PATIENCE

FINISHED = EXAMPLES / "finished-9x9.sgf"  # B+4 by Chinese rules
CONFIRMED = "Confirmed: by the record's terms this count and the recorded result agree."
# White's last stone is dead; Black's third move is a large mistake.
REVIEWED = """(;SZ[7]KM[9]RU[Chinese];B[dd];W[dc];B[aa];W[ed];B[cc];W[ec];B[cb];W[de];B[cd];W[ce];B[be];W[cf];B[bf]
;W[cg];B[db];W[eb];B[da];W[ea];B[];W[ba];B[];W[])"""
# As if all stones of the answer that is shown were in doubt.
ALL_IN_DOUBT = """shown.in_doubt = cells().flatMap(({ stone }, point) =>
    (stone ? [{ points: [board.vertex(point)] }] : [])); describe(); draw()"""


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """Serve an application; yield its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    server.should_exit = True
    thread.join()


@contextmanager
def started() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `ownership serve`; yield its process and its address."""
    command = [sys.executable, "-m", "ownership", "serve", "--no-browser", "--port", "0", "--model", "fast"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stderr is not None
        _, address, *_ = server.stderr.readline().split()
        try:
            yield server, address
        finally:
            server.kill()


class Page:
    """The page, as its user sees it."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def visit(self, address: str, width: int = 1200, height: int = 900) -> Self:
        """Open the page at its address, and return it."""
        self.browser.visit(address, width=width, height=height)
        self.settle()
        return self

    def wait(self, condition: Callable[[], object]) -> None:
        end, pause = time.monotonic() + PATIENCE, 0.02
        while not condition():
            assert time.monotonic() < end, (self.status, self.browser.text("#message"))
            time.sleep(pause)
            pause = min(0.1, 1.3 * pause)  # each question is work for the browser, too

    def wait_for(self, status: str) -> None:
        self.wait(lambda: self.status == status)

    def load(self, path: Path) -> None:
        self.browser.find("#file").send_keys(str(path))
        self.wait(lambda: self.browser.run("return state.file?.name") == path.name)
        self.wait(lambda: self.browser.run("return answers.size") == 1)

    def paste(self, sgf: str) -> None:
        self.browser.run("closeDialogs(); at('new-dialog').showModal()")
        self.browser.driver.execute_script("at('paste').value = arguments[0]", sgf)  # to type it would take a second
        self.browser.find("#read").click()

    def open_reviewed(self, played: str = "Move 22 of 22: White passes") -> None:
        """Open the game REVIEWED."""
        self.paste(REVIEWED)
        self.wait(lambda: self.browser.text("#played") == played)

    def review(self) -> None:
        """Search all positions of the game."""
        self.browser.find("#review-game").click()
        self.wait(lambda: self.browser.run("return reviewing === null") and self.browser.count("#accuracy tr"))
        self.settle()

    def kept(self) -> None:
        """Wait until all that the page keeps is written."""
        self.wait(lambda: self.browser.run("return awaited.size") == 0)
        self.browser.driver.execute_async_script("writing.then(arguments[0])")

    def reload(self) -> None:
        self.kept()
        self.browser.reload()
        self.settle()

    @property
    def status(self) -> str:
        return self.browser.text("#status")

    def point(self, vertex: str) -> Any:
        side = self.browser.run("return board.side")
        index = "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(vertex[0]) + side * (side - int(vertex[1:]))
        return self.browser.find(f"#grid [data-point='{index}']")

    def label(self, vertex: str) -> str:
        return str(self.point(vertex).get_attribute("aria-label"))

    def choose(self, tool: str) -> None:
        self.browser.run(f"choose('{tool}')")

    def mark(self, vertex: str) -> None:
        """Tap a point and wait until the board shows what came of it."""
        self.point(vertex).click()
        self.settle()

    def saved(self, button: str) -> bytes:
        """Return what a button saves."""
        self.browser.run(
            "window.blobs = []; URL.createObjectURL = (blob) => { blobs.push(blob); return '#'; };"
            "HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; }"
        )
        self.browser.run(f"document.querySelector('{button}').click()")
        self.wait(lambda: self.browser.run("return blobs.length") == 1)
        read = "blobs[0].arrayBuffer().then((data) => arguments[0](Array.from(new Uint8Array(data))))"
        return bytes(self.browser.driver.execute_async_script(read))

    def click_node(self, name: str) -> None:
        """Click the node of the tree with a name, and wait until the board shows its position."""
        self.browser.find(f"#tree [aria-label='{name}']").click()
        self.settle()

    @property
    def selected(self) -> str:
        """The name of the marked node in the tree of variations."""
        return str(self.browser.find("#tree [aria-selected]").get_attribute("aria-label"))

    @property
    def saved_name(self) -> str:
        """The name of the file that was saved last."""
        return str(self.browser.run("return savedName"))

    @property
    def message(self) -> str:
        return self.browser.text("#message")

    def settle(self) -> None:
        """Wait until the board shows the state."""
        self.browser.driver.execute_async_script("touching.then(whenReady).then(arguments[0])")
