"""What takes long: in threads, and ended when its client leaves or the server ends."""

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from anyio import CancelScope, CapacityLimiter, to_thread
from anyio.lowlevel import checkpoint_if_cancelled
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from ownership.server.request_limits import BODY_SECONDS

JSON_LINES: Final = "application/x-ndjson"

Interrupted = Callable[[], bool]
_Answer = TypeVar("_Answer")


class WorkEndedError(Exception):
    """The work was given up, as its client has left or the server ended."""

    def __init__(self) -> None:
        super().__init__("the server has ended")


class Work:
    """The threads of a server.

    Attributes:
        threads: more of them than processors would only compete for Python's lock.
        averages, reports, reviews: how many run at a time, so that scores in one symmetry do not wait for them.
    """

    def __init__(self) -> None:
        processors = os.cpu_count() or 1
        self.threads = CapacityLimiter(2 * processors)
        self.averages = CapacityLimiter(processors)
        self.reports = CapacityLimiter(1)
        self.reviews = CapacityLimiter(processors)
        self._ended = threading.Event()

    def end(self) -> None:
        """End all work, and refuse more."""
        self._ended.set()

    async def run(self, request: Request, limiter: CapacityLimiter, work: Callable[[Interrupted], _Answer]) -> _Answer:
        """Return what `work` returns in a thread; it shall end soon once the function that it is given returns True.

        Raises:
            ClientDisconnect: the client has left.
            WorkEndedError: the server has ended.
        """
        async with self.attended(request.receive) as interrupted:

            def unless_interrupted() -> _Answer:
                if interrupted():
                    raise WorkEndedError
                return work(interrupted)

            found = await to_thread.run_sync(unless_interrupted, limiter=limiter)
            await checkpoint_if_cancelled()
            return found
        raise ClientDisconnect

    @asynccontextmanager
    async def attended(self, receive: Receive) -> AsyncIterator[Interrupted]:
        """Yield what tells whether the client has left or the server ended; cancel the block once the client leaves."""
        gone = threading.Event()
        with CancelScope() as scope:

            async def watch() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                gone.set()
                scope.cancel()

            watching = asyncio.create_task(watch())
            try:
                yield lambda: gone.is_set() or self._ended.is_set()
            finally:
                watching.cancel()


class LineStream:
    """An answer of JSON values, each sent as a line as soon as it is found.

    Args:
        work: of the server.
        lines: makes them; ends soon once the function that it is given returns True.
    """

    def __init__(self, work: Work, lines: Callable[[Interrupted], Generator[dict[str, Any]]]) -> None:
        self._work, self._lines = work, lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer; raise InputError or WorkEndedError unless a line was sent."""
        async with self._work.attended(receive) as interrupted, self._work.reviews:
            lines = self._lines(interrupted)
            try:
                line = await to_thread.run_sync(next, lines, None)
                if line is None:
                    raise WorkEndedError
                headers = [(b"content-type", JSON_LINES.encode())]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                while line is not None:
                    body = json.dumps(line, separators=(",", ":")).encode() + b"\n"
                    async with asyncio.timeout(BODY_SECONDS):
                        await send({"type": "http.response.body", "body": body, "more_body": True})
                    line = await to_thread.run_sync(next, lines, None)
            except TimeoutError:
                return
            finally:
                with CancelScope(shield=True):
                    await to_thread.run_sync(lines.close)
            if not interrupted():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
