"""Connections to clients: how many, and how long each may wait for its client."""

import asyncio
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ownership.server.request_limits import HEADER_SECONDS, MOST_CONNECTIONS, MOST_WAITING

_LAST_SECONDS: Final = 1  # for answers when the server ends


def server_config(app: ASGIApp) -> uvicorn.Config:
    """Return how an application is served."""
    return uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_config=None,  # uvicorn's would close the streams of other loggers
        log_level="error",  # a bad request is no fault of the server
        backlog=MOST_WAITING,
        limit_concurrency=MOST_CONNECTIONS + MOST_WAITING,
        timeout_graceful_shutdown=_LAST_SECONDS,
        server_header=False,
    )


class Connection(H11Protocol):
    """A connection that closes if its client sends no request in time, or if there are too many and it waits longest.

    Both concern only connections that wait for their clients: for a request, or for the rest of one.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._since = 0.0  # the event loop's time when the connection began to wait
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request; close the connection that has waited longest if there are too many."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MOST_CONNECTIONS:
            others = (each for each in self.connections if isinstance(each, Connection) and each is not self)
            waiting = (each for each in others if each._is_waiting())
            if longest := min(waiting, key=lambda each: each._since, default=None):
                longest.transport.abort()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        if self._end is not None:
            self._end.cancel()

    def _wait(self) -> None:
        if self._end is not None:
            self._end.cancel()
        self._since = self.loop.time()
        self._end = self.loop.call_later(HEADER_SECONDS, self._close_without_request)

    def _close_without_request(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()

    def _is_waiting(self) -> bool:
        """Return whether a request, or a part of one, is still to come."""
        asked = self.cycle is not None and not (self.cycle.response_complete or self.cycle.more_body)
        return not (asked or self.transport.is_closing())
