"""Queries to KataGo's analysis protocol, and the engine that answers them."""

import io
import json
import tempfile
from typing import Any

from ownership.inference.evaluator import Evaluator
from ownership.katago_protocol.analysis_engine import Options, serve_queries
from ownership.katago_protocol.query import Defaults

BOARD = {"rules": "chinese", "komi": 7.0, "boardXSize": 5, "boardYSize": 5}
QUERY: dict[str, Any] = {"id": "game", "moves": [["B", "C3"], ["W", "C2"], ["B", "D2"]], "maxVisits": 20, **BOARD}


def asked(evaluator: Evaluator, *lines: object, workers: int = 2, at_once: bool = False) -> list[dict[str, Any]]:
    """Return the answers to lines, which are texts or objects."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    source, options = io.BytesIO(text.encode("utf-8", "surrogatepass")), Options(Defaults(visits=10), workers, at_once)
    with tempfile.TemporaryFile() as target:
        serve_queries(evaluator, options, source, target.fileno())
        target.seek(0)
        return [json.loads(line) for line in target]
