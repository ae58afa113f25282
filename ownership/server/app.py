"""The web application: its addresses and their answers."""

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import Context, copy_context
from typing import Any, Final, TypeVar

import numpy as np
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from game_records.game_record import GameRecord, printable
from goban import board_svg
from goban.coords import MAX_SIDE, MIN_SIDE
from goban.counting.languages import LANGUAGES
from goban.errors import InputError, cut, shown, suggestion
from ownership.inference.evaluator import Evaluator
from ownership.scoring.scored_game import ScoreOptions
from ownership.server import live_review
from ownership.server.explanations import explain_answer, settled_answer, stakes_answer
from ownership.server.games_of_sent_file import file_game, file_games
from ownership.server.kept_records import SOURCE
from ownership.server.kept_reviews import KeptReviews
from ownership.server.openapi import openapi
from ownership.server.record_json import game_json, listing_json, refusal_json
from ownership.server.request_limits import BODY_SECONDS, LARGEST_READ, LARGEST_REQUEST, LONGEST_NAME, MOST_LISTED
from ownership.server.requests import (
    read_record_request,
    read_review_request,
    read_score_request,
    read_search_request,
)
from ownership.server.score_answers import report_answer, score_answer
from ownership.server.score_page import accepted_language, page
from ownership.server.security_middleware import KnownHosts, OneLength, SafeHeaders
from ownership.server.shared_record import shared_record
from ownership.server.threaded_work import Interrupted, LineStream, Work, WorkEndedError

_MOST_DIGITS: Final = 9  # of a number in a path
SGF, JSON = "application/x-go-sgf", "application/json"

_Answer = TypeVar("_Answer")


def create_app(evaluator: Evaluator, prepared: Future[None] | None = None) -> Starlette:
    """Return the application.

    Args:
        evaluator: the model that scores.
        prepared: what scores and reports wait for, and what they are refused with if it fails; by default nothing.
    """
    app = Starlette(
        routes=[
            Route("/", _page),
            Route("/openapi.json", _openapi),
            Route("/board/{side:path}", _board),
            Route("/games", _games, methods=["POST"]),
            Route("/game", _game, methods=["POST"]),
            Route("/record", _record, methods=["POST"]),
            Route("/score", _score, methods=["POST"]),
            Route("/report", _report, methods=["POST"]),
            Route("/review", _review, methods=["POST"]),
            Route("/candidates", _candidates, methods=["POST"]),
            Route("/explain", _explain, methods=["POST"]),
            Route("/stakes", _stakes, methods=["POST"]),
            Route("/settled", _settled, methods=["POST"]),
        ],
        middleware=[Middleware(SafeHeaders), Middleware(OneLength), Middleware(KnownHosts)],
        exception_handlers={
            InputError: _wrong_input,
            HTTPException: _refused,
            WorkEndedError: _ended,
            ClientDisconnect: _gone,
        },
    )
    app.state.evaluator, app.state.prepared, app.state.work = evaluator, prepared, Work()
    app.state.kept = KeptReviews()
    return app


async def _page(request: Request) -> Response:
    chosen = request.query_params.get("language")
    accepted = accepted_language(request.headers.get("accept-language", ""))
    markup, policy = page(chosen if chosen in LANGUAGES else accepted)
    return HTMLResponse(markup, headers={"Content-Security-Policy": f"{policy}; frame-ancestors 'none'"})


async def _openapi(_: Request) -> Response:
    return JSONResponse(openapi())


async def _board(request: Request) -> Response:
    given = request.path_params["side"]
    if not re.fullmatch("[0-9]*", given):
        raise HTTPException(404)
    side = int(given) if 0 < len(given) <= _MOST_DIGITS else 0
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise InputError(f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: {cut(given) or 'nothing'}")
    return Response(board_svg.render_svg(np.zeros((side, side), np.int8)), media_type="image/svg+xml")


async def _game(request: Request) -> Response:
    body, name = await _body(request, SGF, "name", "number"), _name(request)
    number = request.query_params.get("number", "1")
    if not re.fullmatch("[1-9][0-9]{0,3}", number):
        raise InputError(f"number: expected a number 1..{MOST_LISTED}. Received: {cut(number)}")
    return JSONResponse(await _read(request, lambda _: game_json(*file_game(body, name, int(number)))))


async def _games(request: Request) -> Response:
    body, name = await _body(request, SGF, "name"), _name(request)
    return JSONResponse(await _read(request, lambda _: listing_json(*file_games(body, name))))


async def _record(request: Request) -> Response:
    body = await _body(request, JSON)
    record = await _read(request, lambda _: shared_record(*read_record_request(body)))
    return Response(record, media_type=SGF, headers={"Content-Disposition": 'attachment; filename="game.sgf"'})


async def _read(request: Request, work: Callable[[Interrupted], _Answer]) -> _Answer:
    found: Work = request.app.state.work
    return await found.run(request, found.threads, work)


def _name(request: Request) -> str:
    """Return what messages call the file."""
    return printable(request.query_params.get("name", "")[:LONGEST_NAME]) or SOURCE


async def _score(request: Request) -> Response:
    body, (work, evaluator) = await _body(request, JSON), await _ready(request)

    def read(_: Interrupted) -> tuple[GameRecord, ScoreOptions, Context]:
        return *read_score_request(body), copy_context()  # with the language of the answer

    game, options, context = await work.run(request, work.threads, read)
    limiter = work.threads if options.symmetries == 1 else work.averages
    return JSONResponse(await work.run(request, limiter, lambda _: context.run(score_answer, game, evaluator, options)))


async def _report(request: Request) -> Response:
    body, (work, evaluator) = await _body(request, JSON), await _ready(request)

    def reported(interrupted: Interrupted) -> str:
        game, options = read_score_request(body)
        return report_answer(game, evaluator, options, interrupted)

    found = await work.run(request, work.reports, reported)
    return HTMLResponse(found, headers={"Content-Disposition": 'attachment; filename="game.html"'})


async def _review(request: Request) -> ASGIApp:
    body, (work, evaluator) = await _body(request, JSON), await _ready(request)
    asked = await work.run(request, work.threads, lambda _: read_review_request(body))

    def lines(interrupted: Interrupted) -> live_review.Lines:
        return live_review.review_lines(asked, evaluator, request.app.state.kept, interrupted)

    return LineStream(work, lines)


async def _candidates(request: Request) -> Response:
    body, (work, evaluator) = await _body(request, JSON), await _ready(request)

    def searched(interrupted: Interrupted) -> dict[str, Any]:
        game, options, visits = read_search_request(body)
        return live_review.searched_position(game, evaluator, options, visits, interrupted)

    return JSONResponse(await work.run(request, work.threads, searched))


async def _explain(request: Request) -> Response:
    return await _explained(request, explain_answer)


async def _stakes(request: Request) -> Response:
    return await _explained(request, stakes_answer)


async def _settled(request: Request) -> Response:
    return await _explained(request, settled_answer)


async def _explained(request: Request, answer: Callable[[bytes, Evaluator, Interrupted], dict[str, Any]]) -> Response:
    body, (work, evaluator) = await _body(request, JSON), await _ready(request)
    found = await work.run(request, work.threads, lambda interrupted: answer(body, evaluator, interrupted))
    return JSONResponse(found)


async def _ready(request: Request) -> tuple[Work, Evaluator]:
    """Return what answers requests, once it can."""
    if (prepared := request.app.state.prepared) is not None:
        await asyncio.shield(asyncio.wrap_future(prepared))
    return request.app.state.work, request.app.state.evaluator


async def _body(request: Request, media_type: str, *parameters: str) -> bytes:
    """Return the body of a request whose query has no other parameters.

    The body is read before anything is refused, up to LARGEST_READ: a client that still sends when the connection
    closes gets no answer. The type is one that browsers send to another site only where that site allows it, and this
    one does not.
    """
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await _bounded(request)
    except TimeoutError:
        raise HTTPException(408, f"expected the whole body within {BODY_SECONDS:g} seconds") from None
    for name in request.query_params:
        if name not in parameters:
            raise InputError(f"unknown query parameter {shown(name)}{suggestion(name, parameters)}")
        if len(values := request.query_params.getlist(name)) > 1:
            raise InputError(f"{name}: expected one value. Received: {len(values)}")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != media_type:
        raise HTTPException(415, f"expected the content type {media_type}")
    if len(body) > LARGEST_REQUEST:
        raise HTTPException(413, f"expected at most {LARGEST_REQUEST >> 10:,} KiB")
    return body


async def _bounded(request: Request) -> bytes:
    """Return a body, of one above LARGEST_REQUEST only the beginning."""
    received, read = bytearray(), 0
    async for chunk in request.stream():
        received += chunk[: LARGEST_REQUEST + 1 - len(received)]
        read += len(chunk)
        if read > LARGEST_READ:
            break
    return bytes(received)


async def _wrong_input(_: Request, error: Exception) -> Response:
    return JSONResponse(refusal_json(error), 400)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


async def _ended(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 503)


async def _gone(_: Request, __: Exception) -> Response:
    """Return what ends the request of a client that closed the connection; it is not sent."""
    return JSONResponse({"error": "expected a client that waits"}, 400)
