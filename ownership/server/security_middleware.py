"""What stands before the application: host names, lengths of bodies, and headers against hostile pages."""

import re
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from game_records.game_record import printable
from goban.errors import cut

_LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class OneLength:
    """Refuses requests that give the length of their body in two ways, and closes their connection.

    Another program on the way might read such a body by the other length, and its end as another request.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and {"content-length", "transfer-encoding"} <= {*Headers(scope=scope)}:
            error = {"error": "expected Content-Length or Transfer-Encoding. Received: both"}
            await JSONResponse(error, 400, {"Connection": "close"})(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class KnownHosts:
    """Refuses requests from this machine by other names, with which pages of other sites could pose as this one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = re.sub(r":\d*\Z", "", Headers(scope=scope).get("host", "")) if scope["type"] == "http" else ""
        if scope["type"] != "http" or not _is_loopback(scope.get("server")) or host.lower() in _LOCAL:
            await self._app(scope, receive, send)
        else:
            message = f"expected a request to {' or '.join(_LOCAL)}. Received: {cut(printable(host))}"
            await JSONResponse({"error": message}, 400)(scope, receive, send)


def _is_loopback(server: tuple[str, int | None] | None) -> bool:
    """Return whether a request came to an address that only this machine reaches, or to one that is no IP address."""
    try:
        address = ip_address(server[0] if server else "")
    except ValueError:
        return True
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


class SafeHeaders:
    """Adds `_HEADERS` to each answer that does not set them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_safely)
