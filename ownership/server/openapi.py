"""The description of the endpoints in OpenAPI 3.1, from which programs make clients."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from game_records.node_marks import LABELS, SHAPES
from game_records.record_errors import RECORD_REASONS
from goban.json_request_fields import Field, request_schema
from goban.json_schema import (
    FLAG,
    MOVE_PAIRS,
    NUMBER,
    PLAYER,
    STRING,
    VERTICES,
    WHOLE,
    JsonSchema,
    array,
    choice,
    fixed,
    nullable,
    object_of,
    said,
)
from ownership.review.move_losses import PHASES
from ownership.scoring.score_json import SCORE
from ownership.server.request_fields import (
    EXPLAIN_FIELDS,
    RECORD_FIELDS,
    REVIEW_FIELDS,
    SCORE_FIELDS,
    SEARCH_FIELDS,
    STAKES_FIELDS,
)
from ownership.server.request_limits import MOST_LISTED, MOST_VARIATIONS
from ownership.server.threaded_work import JSON_LINES

JSON_VERSION: Final = "1"
"""Of requests and answers: another number for changes that break clients, each listed in CHANGELOG.md."""

_SGF: Final = {"application/x-go-sgf": {"schema": STRING}}
_NAME: Final = {"name": "name", "in": "query", "schema": STRING, "description": "what errors call the file"}
_NUMBERED: Final = {
    "name": "number",
    "in": "query",
    "schema": {"type": "integer", "minimum": 1, "maximum": MOST_LISTED, "default": 1},
    "description": "of the game in the file",
}


@cache
def openapi() -> JsonSchema:
    """Return the description as JSON values."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ownership serve",
            "version": JSON_VERSION,
            "description": "Scores positions of the game of Go.",
        },
        "paths": {
            "/score": _post("Score a position of a game", _json(_reference("Request")), _json(_reference("Score"))),
            "/report": _post("Make a page of a game", _json(_reference("Request")), {"text/html": {"schema": STRING}}),
            "/review": _post("Review a game", _json(_reference("ReviewRequest")), _lines(_reference("Line"))),
            "/candidates": _post(
                "Search a position for the best moves",
                _json(_reference("SearchRequest")),
                _json(_reference("Searched")),
            ),
            "/explain": _post(
                "Explain how a group lives or dies",
                _json(_reference("ExplainRequest")),
                _json(_reference("GroupStatus")),
            ),
            "/stakes": _post("List what is at stake", _json(_reference("StakesRequest")), _json(_reference("Stakes"))),
            "/settled": _post("Show what is settled", _json(_reference("StakesRequest")), _json(_reference("Settled"))),
            "/games": _post("List the games of a file", _SGF, _json(_reference("Games"))) | {"parameters": [_NAME]},
            "/game": _post("Read a game of a file", _SGF, _json(_reference("Game")))
            | {"parameters": [_NAME, _NUMBERED]},
            "/record": _post("Add variations and marks to a record", _json(_reference("RecordRequest")), _SGF),
        },
        "components": {
            "schemas": {
                "Request": _request(SCORE_FIELDS),
                "ReviewRequest": _request(REVIEW_FIELDS),
                "SearchRequest": _request(SEARCH_FIELDS),
                "ExplainRequest": _request(EXPLAIN_FIELDS),
                "StakesRequest": _request(STAKES_FIELDS),
                "RecordRequest": _request(RECORD_FIELDS),
                "Score": object_of(SCORE),
                "Line": {"anyOf": list(map(_reference, ("Heading", "Position", "Pass")))},
                "Heading": object_of(_HEADING),
                "Position": object_of(_POSITION, ["kind", *_SEARCHED]),
                "Pass": object_of(_PASS, [name for name in _PASS if name != "sgf"]),
                "Searched": object_of(_SEARCHED | {"to_move": PLAYER}),
                "GroupStatus": object_of(_GROUP_STATUS),
                "Stakes": object_of(_STAKES),
                "Settled": object_of(_SETTLED),
                "Game": object_of(_GAME),
                "Games": object_of(_GAMES),
                "Error": object_of({"error": STRING, "reason": _REASON}, ["error"]),
            }
        },
    }


def _post(summary: str, body: JsonSchema, answer: JsonSchema) -> JsonSchema:
    refusals = {
        "400": "wrong input",
        "408": "too slow",
        "413": "too large",
        "415": "another content type",
        "503": "the server has ended",
    }
    return {
        "post": {
            "summary": summary,
            "requestBody": {"required": True, "content": body},
            "responses": {"200": {"description": "the answer", "content": answer}}
            | {
                status: {"description": reason, "content": _json(_reference("Error"))}
                for status, reason in refusals.items()
            },
        }
    }


def _lines(schema: JsonSchema) -> JsonSchema:
    return {JSON_LINES: {"schema": schema}}


def _json(schema: JsonSchema) -> JsonSchema:
    return {"application/json": {"schema": schema}}


def _reference(name: str) -> JsonSchema:
    return {"$ref": f"#/components/schemas/{name}"}


def _request(fields: Iterable[Field[Any]]) -> JsonSchema:
    return said(request_schema(fields), "null is the same as to leave a key out")


_REASON: Final = said(choice(*RECORD_REASONS), "why a record cannot be used")
_CANDIDATE: Final = {
    "vertex": STRING,
    "visits": WHOLE,
    "score": said(NUMBER, "Black minus White after the move"),
    "black_wins": NUMBER,
    "prior": said(NUMBER, "probability of the move by the network"),
    "line": said(VERTICES, "the move and the best moves after it"),
}
_SEARCHED: Final = {
    "move": said(WHOLE, "moves played before the position"),
    "visits": said(WHOLE, "of the search; 0 where the end of the game is counted"),
    "score": said(NUMBER, "Black minus White"),
    "low": said(nullable(NUMBER), "the final score lies between this and `high` in 90% of positions; null for a count"),
    "high": nullable(NUMBER),
    "black_wins": SCORE["black_wins"],
    "candidates": said(array(object_of(_CANDIDATE)), "the ten best moves of the side to move that were searched"),
    "ownership": SCORE["ownership"],
}
_KIND: Final = {"kind": said(STRING, "game, position or pass")}
_AFTER_A_MOVE: Final = {
    "player": said(choice("B", "W"), "of the move before; no such keys before the first search"),
    "vertex": said(STRING, "of the move before"),
    "phase": choice(*PHASES),
    "lost": said(NUMBER, "points that the move lost, 0 or more"),
    "wins_lost": said(NUMBER, "by how much the mover's probability of winning fell"),
    "gained": said(NUMBER, "points of ownership that the mover gained"),
    "given": said(NUMBER, "points of ownership that the opponent gained"),
}
_POSITION: Final = _KIND | _SEARCHED | _AFTER_A_MOVE
_HEADING: Final = _KIND | {
    "side": WHOLE,
    "moves": WHOLE,
    "rules": STRING,
    "komi": NUMBER,
    "noise": said(NUMBER, "points below which a loss means little"),
    "passes": said(array(WHOLE), "visits of a position, pass by pass"),
}
_ACCURACY: Final = object_of(
    {"moves": WHOLE, **dict.fromkeys(("accuracy_percent", "mean_points_lost", "best_percent"), NUMBER)}
)
_PLAYERS: Final = object_of(
    dict.fromkeys(
        ("black", "white"),
        said({"type": "object", "additionalProperties": _ACCURACY}, "by phase, and in the game"),
    )
)
_PASS: Final = _KIND | {
    "visits": WHOLE,
    "mistakes": said(array(WHOLE), "numbers of the ten largest, largest first"),
    "players": _PLAYERS,
    "sgf": said(STRING, "of the last pass with searches: the record with its review, as `ownership analyze` writes it"),
}
_STONES: Final = {"group": said(VERTICES, "its stones"), "colour": choice("Black", "White")}
_GROUP_STATUS: Final = _STONES | {
    "status": said(
        choice("alive", "dead", "unsettled", "ko", "open"),
        "alive or dead with either side first, unsettled if that decides, ko if a ko does, open where the search fails",
    ),
    "lines": said(
        array(
            object_of(
                {
                    "first": said(choice("Black", "White"), "the side that moves first"),
                    "moves": said(VERTICES, "in turn, with passes"),
                    "outcome": choice("captured", "lives", "open"),
                    "proof": said(
                        nullable(choice("captured", "read dead", "read alive", "lives unconditionally")),
                        "how the outcome is known; null for a chance that nothing proves",
                    ),
                    "chance": said(NUMBER, "that the group lives at the end of the line"),
                    "ko": said(nullable(STRING), "the point of the ko that decides the line, else null"),
                    "seki": said(FLAG, "whether it lives there in seki"),
                }
            )
        ),
        "one with each side first",
    ),
}
_STAKE: Final = _STONES | {
    "points": said(NUMBER, "that its colour loses by its capture"),
    "chance": said(NUMBER, "that it lives"),
    "at_stake": said(NUMBER, "points times the chance of the less likely fate"),
}
_STAKES: Final = {
    "groups": said(array(object_of(_STAKE)), "those with most at stake first"),
    "risk": said(
        nullable(object_of(_STAKE | {"chance_before": said(NUMBER, "that it lived before the move")})),
        "the group of its own side, after the next move of the record, that this move puts in most danger",
    ),
}
_SETTLED: Final = {
    "settled": said(NUMBER, "the expected share of points whose owner is final"),
    "settled_in_20": said(NUMBER, "the same after 20 more moves"),
    "decided": said(
        nullable(choice("Black", "White")), "the side that wins however the open points go; null while open"
    ),
    "only_small_endgame": said(FLAG, "whether dame and small endgame moves are all that is left"),
    "map": said(
        array(STRING),
        "rows: `X`, `O` where Black or White is the final owner; `1` open for 20 moves, `2` for 80, `3` for longer",
    ),
}
_RECORDED: Final = {name: schema for name, schema in _SEARCHED.items() if name != "ownership"}
_RECORDED_REVIEW: Final = {
    "noise": _HEADING["noise"],
    "positions": array(object_of(_RECORDED | _AFTER_A_MOVE, list(_RECORDED))),
    "players": said(nullable(_PLAYERS), "null unless all positions have an analysis"),
}
_TERRITORY: Final = object_of({"TB": VERTICES, "TW": VERTICES}, [])
_COUNT: Final = {**WHOLE, "minimum": 0}
_MOVES: Final = said(MOVE_PAIRS, "pairs of a colour, B or W, and a vertex or pass")
_BY_NUMBER: Final = "by the number of moves played before, as a string"
_MARKS: Final = object_of(
    {**dict.fromkeys(SHAPES, VERTICES), LABELS: said(array(fixed(STRING, STRING)), "pairs of a vertex and a text")}, []
)
_SAID: Final = {
    "comments": said({"type": "object", "additionalProperties": STRING}, _BY_NUMBER),
    "marks": said({"type": "object", "additionalProperties": _MARKS}, f"of the record, {_BY_NUMBER}"),
}
_GAME: Final = {
    "prisoners": object_of(dict.fromkeys(("black", "white"), _COUNT)),
    "side": WHOLE,
    "black_stones": said(VERTICES, "set-up stones"),
    "white_stones": VERTICES,
    "to_move": PLAYER,
    "moves": _MOVES,
    "komi": nullable(NUMBER),
    "may_lack_komi": said(
        FLAG,
        "whether an even game has no counted result and a komi of 0, as some servers write for all",
    ),
    "handicap": WHOLE,
    "rules": said(nullable(STRING), "name of a ruleset; null where the record names none"),
    "recorded": SCORE["recorded"],
    **dict.fromkeys(("black", "white", "black_rank", "white_rank", "date", "name"), STRING),
    "handicap_from": said(
        choice("", "usual points", "first moves", "impossible number"),
        "where a handicap comes from that the record leaves open",
    ),
    "broken_off": SCORE["broken_off"],
    "notes": SCORE["notes"],
    "illegal_move": said(
        nullable(
            object_of(
                {
                    "number": WHOLE,
                    "colour": PLAYER,
                    "vertex": STRING,
                    "reason": said(choice("occupied", "ko", "off board"), "why the point is forbidden"),
                }
            )
        ),
        "the move before which the game therefore ends",
    ),
    "territory": said(_TERRITORY, "points that the record marks at its end; empty for no marks"),
    **_SAID,
    "variations": said(
        array(object_of({"after": _COUNT, "moves": _MOVES, **_SAID})),
        f"the first {MOST_VARIATIONS} of the record; comments and marks of positions that none before has",
    ),
    "review": said(
        nullable(object_of(_RECORDED_REVIEW)),
        "of the property KT, which KaTrain and `ownership analyze` write; null for none",
    ),
    "sgf": said(STRING, "the whole record as SGF in UTF-8"),
}
_ENTRY: Final = {
    **dict.fromkeys(("black", "white", "black_rank", "white_rank", "date"), STRING),
    "recorded": SCORE["recorded"],
    "length": said(WHOLE, "number of moves"),
}
_GAMES: Final = {
    "count": said(WHOLE, "number of games in the file"),
    "games": said(
        array({"anyOf": [object_of(_ENTRY), _reference("Error")]}),
        f"the first {MOST_LISTED} of them, in order",
    ),
}
