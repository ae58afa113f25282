"""The description of the endpoints in OpenAPI 3.1, from which programs make clients."""

from functools import cache
from typing import Any, Final

from goban.counting.strings import LANGUAGES
from goban.game import MAX_KOMI
from goban.rulesets import RULESETS
from ownership.review.moves import PHASES
from ownership.review.positions import DEFAULT_VISITS
from ownership.server.live import MOST_VISITS
from ownership.server.requests import MOST_LISTED
from ownership.server.work import LINES
from preprocessing.records.sgf import REASONS

_VERTICES: Final = {"type": "array", "items": {"type": "string", "examples": ["D4"]}}
_ROWS: Final = {"type": "array", "items": {"type": "string", "examples": ["..XO."]}}
_PLAYER: Final = {"type": "string", "enum": ["black", "white"]}
_NUMBER: Final = {"type": "number"}
_STRING: Final = {"type": "string"}
_FLAG: Final = {"type": "boolean"}
_SGF: Final = {"application/x-go-sgf": {"schema": _STRING}}
_NAME: Final = {"name": "name", "in": "query", "schema": _STRING, "description": "what errors call the file"}
_NUMBERED: Final = {
    "name": "number",
    "in": "query",
    "schema": {"type": "integer", "minimum": 1, "maximum": MOST_LISTED, "default": 1},
    "description": "of the game in the file",
}


@cache
def openapi() -> dict[str, Any]:
    """Return the description as JSON values."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "ownership serve", "version": "1", "description": "Scores positions of the game of Go."},
        "paths": {
            "/score": _post("Score a position of a game", _json(_reference("Request")), _json(_reference("Score"))),
            "/report": _post("Make a page of a game", _json(_reference("Request")), {"text/html": {"schema": _STRING}}),
            "/review": _post("Review a game", _json(_reference("ReviewRequest")), _lines(_reference("Line"))),
            "/candidates": _post(
                "Search a position for the best moves",
                _json(_reference("SearchRequest")),
                _json(_reference("Searched")),
            ),
            "/games": _post("List the games of a file", _SGF, _json(_reference("Games"))) | {"parameters": [_NAME]},
            "/game": _post("Read a game of a file", _SGF, _json(_reference("Game")))
            | {"parameters": [_NAME, _NUMBERED]},
        },
        "components": {
            "schemas": {
                "Request": _request("move", "dead", "alive", "seki"),
                "ReviewRequest": _request("visits"),
                "SearchRequest": _request("move", "visits"),
                "Score": _object(_SCORE),
                "Line": {"anyOf": list(map(_reference, ("Heading", "Position", "Pass")))},
                "Heading": _object(_HEADING),
                "Position": _object(_POSITION, ["kind", *_SEARCHED]),
                "Pass": _object(_PASS),
                "Searched": _object(_SEARCHED | {"to_move": _PLAYER}),
                "Game": _object(_GAME),
                "Games": _object(_GAMES),
                "Error": _object({"error": _STRING, "reason": _REASON}, ["error"]),
            }
        },
    }


def _post(summary: str, body: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
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


def _lines(schema: dict[str, Any]) -> dict[str, Any]:
    return {LINES: {"schema": schema}}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    names = list(properties) if required is None else required
    return {"type": "object", "properties": properties, "required": names}


def _said(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description}


def _request(*names: str) -> dict[str, Any]:
    fields = _object({name: _REQUEST[name] for name in (*_ALWAYS, *names)}, ["sgf"])
    return _said(fields, "null is the same as to leave a key out") | {"additionalProperties": False}


def _nullable(kind: str, **rest: Any) -> dict[str, Any]:
    return {"type": [kind, "null"], **rest}


def _tuple(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "prefixItems": list(parts), "items": False, "minItems": len(parts)}


_REASON: Final = _said({"type": "string", "enum": list(REASONS)}, "why a record cannot be used")
_BROKEN_OFF: Final = _said(
    {"type": "boolean"}, "whether the record breaks off, or has an illegal move, so that moves may be missing"
)
_NOTES: Final = _said(
    {"type": "array", "items": _STRING}, "what was skipped, or read in another way than it is written"
)
_MARKED: Final = _nullable("array", items=_VERTICES["items"])
_ALWAYS: Final = ("sgf", "rules", "komi", "prisoners", "symmetries", "language")
_PRISONERS: Final = {"black": {"type": "integer", "minimum": 0}, "white": {"type": "integer", "minimum": 0}}
_REQUEST: Final = {
    "sgf": _said(_STRING, "the record, in any format; only its first game is read"),
    "move": _said(_nullable("integer", minimum=0), "score the position after that many moves, by default the last"),
    "rules": _said(_nullable("string", examples=list(RULESETS)), "by default the record's; all spellings are read"),
    "komi": _said(
        _nullable("number", minimum=-MAX_KOMI, maximum=MAX_KOMI), "points for White, by default the record's"
    ),
    "dead": _said(_MARKED, "chains that the players call dead, each by one of its stones"),
    "alive": _said(_MARKED, "chains that the players call alive"),
    "seki": _said(_MARKED, "chains that the players call in seki"),
    "prisoners": _said(
        _nullable("object", properties=_PRISONERS, additionalProperties=False),
        "stones that each had captured before the first move, by default those of the record",
    ),
    "language": _said(_nullable("string", enum=[*LANGUAGES, None]), "of the sentences in the answer"),
    "symmetries": _said(_nullable("integer", enum=[1, 8, None]), "boards to average over: 8 by default, 1 is faster"),
    "visits": _said(
        _nullable("integer", minimum=1, maximum=MOST_VISITS, default=DEFAULT_VISITS), "of the search of a position"
    ),
}
_SCORE: Final = {
    "source": _STRING,
    "side": _said({"type": "integer"}, "N of an N by N board"),
    "rules": _said(_STRING, "counted by these rules"),
    "komi": _said(_NUMBER, "points for White, without those for handicap stones"),
    "assumed": _said(
        {"type": "array", "items": {"type": "string", "enum": ["rules", "komi", "handicap"]}},
        "what the record leaves open",
    ),
    "moves": _said({"type": "integer"}, "moves played before the position"),
    "to_move": _PLAYER,
    "verdict": _said(_STRING, "who wins or leads, and by how much"),
    "trust": _said(_STRING, "whether the score can be trusted, and why"),
    "finished": _said(_FLAG, "whether the position is counted; otherwise the score is the expected one"),
    "safe": _said(_FLAG, "whether the count can be trusted"),
    "ownership": _said(
        {"type": "array", "items": {"type": "array", "items": {"type": "number", "minimum": -1, "maximum": 1}}},
        "N rows of N numbers from -1 (White's) to 1 (Black's), top row first",
    ),
    "dead": _said(_VERTICES, "dead stones of both colours"),
    "seki": _said(_VERTICES, "stones in seki"),
    "in_doubt": _said(
        {
            "type": "array",
            "items": _object({"colour": _PLAYER, "points": _VERTICES, "lives": _NUMBER}),
        },
        "chains whose status may be wrong",
    ),
    "read": _said(_VERTICES, "stones whose status reading has decided"),
    "also_changed": _said(_VERTICES, "stones whose status marks of others change"),
    "ignored": _said(_VERTICES, "stones marked dead that stay, as they lie within their own side's area"),
    "unsettled": _said(_VERTICES, "points whose owner depends on who moves next, or on a ko"),
    "gaps": _said(_VERTICES, "points that close open borders; neither side gets them"),
    "teire": _said(_VERTICES, "points that their owner has to fill once the dame are filled, by territory rules"),
    "uncertain_points": _said(_VERTICES, "empty points whose owner is not certain"),
    "black": _said(_NUMBER, "Black's points"),
    "white": _said(_NUMBER, "White's points with komi"),
    "before_further_stones": _said(
        _FLAG, "whether the stones that each side still plays are yet to be taken off its points: territory rules"
    ),
    "score": _said(_NUMBER, "Black minus White"),
    "result": _said({"type": "string", "examples": ["B+8.5"]}, "the score as in a game record"),
    "model": _STRING,
    "interval": _said(_tuple(_NUMBER, _NUMBER), "the final score lies between these in 90% of positions"),
    "black_wins": _said(_NUMBER, "probability that Black wins"),
    "recorded": _said(_nullable("string"), "the result in the record"),
    "difference": _said(
        _nullable("number"), "the score less the recorded one; null unless both are counted, at the end of the game"
    ),
    "difference_is": _said(
        _nullable("string", enum=["komi", "twice the komi", None]),
        "what the difference is exactly, protective moves being those left; null for none of these",
    ),
    "broken_off": _BROKEN_OFF,
    "notes": _NOTES,
    "territory_differs": _said(
        _nullable("array", items=_VERTICES["items"]),
        "points to which the record's TB and TW give another owner; null for no marks",
    ),
    "second_opinion": _said(_nullable("string"), "the program that decided about chains in doubt"),
    "next_moves": _said(
        _nullable("array", items=_tuple(_STRING, _NUMBER)), "likely next moves, each a vertex and a probability"
    ),
    "stones": _said(_ROWS, "rows of X Black, O White, . empty"),
    "sheet": _said(
        _nullable("array", items=_tuple(_STRING, _NUMBER, _NUMBER)),
        "parts of the score, each a name, Black's points and White's; null while the game goes on",
    ),
    "figures": _said(
        _object({"black": _STRING, "white": _STRING, "interval": _tuple(_STRING, _STRING)}),
        "black, white and interval as text, in an open game rounded to 0.1",
    ),
    "certain": _said({"type": "integer"}, "number of points whose owner is certain"),
    "counts_prisoners": _said(_FLAG, "whether the rules count prisoners"),
    "ko": _said(_nullable("string", examples=["D4"]), "the vertex that ko forbids to the side to move"),
    "owner": _said(_ROWS, "the owner of each point: X Black, O White, . neither"),
}
_CANDIDATE: Final = {
    "vertex": _STRING,
    "visits": {"type": "integer"},
    "score": _said(_NUMBER, "Black minus White after the move"),
    "black_wins": _NUMBER,
    "prior": _said(_NUMBER, "probability of the move by the network"),
    "line": _said(_VERTICES, "the move and the best moves after it"),
}
_SEARCHED: Final = {
    "move": _said({"type": "integer"}, "moves played before the position"),
    "visits": _said({"type": "integer"}, "of the search; 0 where the end of the game is counted"),
    "score": _said(_NUMBER, "Black minus White"),
    "low": _said(_NUMBER, "the final score lies between this and `high` in 90% of positions"),
    "high": _NUMBER,
    "black_wins": _SCORE["black_wins"],
    "candidates": _said(
        {"type": "array", "items": _object(_CANDIDATE)}, "the ten best moves of the side to move that were searched"
    ),
    "ownership": _SCORE["ownership"],
}
_KIND: Final = {"kind": _said(_STRING, "game, position or pass")}
_POSITION: Final = (
    _KIND
    | _SEARCHED
    | {
        "player": _said(
            {"type": "string", "enum": ["B", "W"]}, "of the move before; no such keys before the first search"
        ),
        "vertex": _said(_STRING, "of the move before"),
        "phase": {"type": "string", "enum": list(PHASES)},
        "lost": _said(_NUMBER, "points that the move lost, 0 or more"),
        "wins_lost": _said(_NUMBER, "by how much the mover's probability of winning fell"),
        "gained": _said(_NUMBER, "points of ownership that the mover gained"),
        "given": _said(_NUMBER, "points of ownership that the opponent gained"),
    }
)
_HEADING: Final = _KIND | {
    "side": {"type": "integer"},
    "moves": {"type": "integer"},
    "rules": _STRING,
    "komi": _NUMBER,
    "noise": _said(_NUMBER, "points below which a loss means little"),
    "passes": _said({"type": "array", "items": {"type": "integer"}}, "visits of a position, pass by pass"),
}
_ACCURACY: Final = _object(
    {"moves": {"type": "integer"}, **dict.fromkeys(("accuracy_percent", "mean_points_lost", "best_percent"), _NUMBER)}
)
_PASS: Final = _KIND | {
    "visits": {"type": "integer"},
    "mistakes": _said({"type": "array", "items": {"type": "integer"}}, "numbers of the ten largest, largest first"),
    "players": _object(
        dict.fromkeys(
            ("black", "white"),
            _said({"type": "object", "additionalProperties": _ACCURACY}, "by phase, and in the game"),
        )
    ),
}
_GAME: Final = {
    "prisoners": _object(_PRISONERS),
    "side": {"type": "integer"},
    "black_stones": _said(_VERTICES, "set-up stones"),
    "white_stones": _VERTICES,
    "to_move": _PLAYER,
    "moves": _said(
        {"type": "array", "items": _tuple(_STRING, _STRING)}, "pairs of a colour, B or W, and a vertex or pass"
    ),
    "komi": _nullable("number"),
    "may_lack_komi": _said(
        {"type": "boolean"},
        "whether an even game has no counted result and a komi of 0, as some servers write for all",
    ),
    "handicap": {"type": "integer"},
    "rules": _said(_nullable("string"), "name of a ruleset; null where the record names none"),
    "recorded": _said(_nullable("string"), "the result in the record"),
    **dict.fromkeys(("black", "white", "black_rank", "white_rank", "date", "name"), _STRING),
    "handicap_from": _said(
        {"type": "string", "enum": ["", "usual points", "first moves", "impossible number"]},
        "where a handicap comes from that the record leaves open",
    ),
    "broken_off": _BROKEN_OFF,
    "notes": _NOTES,
    "illegal_move": _said(
        _nullable(
            "object",
            properties={
                "number": {"type": "integer"},
                "colour": _PLAYER,
                "vertex": _STRING,
                "reason": _said({"type": "string", "enum": ["occupied", "ko"]}, "why the point is forbidden"),
            },
            required=["number", "colour", "vertex", "reason"],
        ),
        "the move before which the game therefore ends",
    ),
    "territory": _said(
        _object({"TB": _VERTICES, "TW": _VERTICES}, []), "points that the record marks at its end; empty for no marks"
    ),
    "comments": _said(
        {"type": "object", "additionalProperties": _STRING}, "by the number of moves played before, as a string"
    ),
}
_ENTRY: Final = {
    **dict.fromkeys(("black", "white", "black_rank", "white_rank", "date"), _STRING),
    "recorded": _GAME["recorded"],
    "length": _said({"type": "integer"}, "number of moves"),
}
_GAMES: Final = {
    "count": _said({"type": "integer"}, "number of games in the file"),
    "games": _said(
        {"type": "array", "items": {"anyOf": [_object(_ENTRY), _reference("Error")]}},
        f"the first {MOST_LISTED} of them, in order",
    ),
}
