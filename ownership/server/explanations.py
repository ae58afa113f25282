"""Answers that explain a position: how a group lives or dies, what the game turns on, and what is settled."""

from typing import Any

from goban.errors import naming
from ownership.explaining.explanation_text import status_json
from ownership.explaining.group_status import explain_group
from ownership.explaining.risks import largest_risk
from ownership.explaining.settled import settled, settled_map
from ownership.explaining.stakes import stakes
from ownership.inference.evaluator import Evaluator
from ownership.server.request_fields import VERTEX
from ownership.server.requests import read_explain_request, read_stakes_request
from ownership.server.threaded_work import Interrupted


def explain_answer(body: bytes, evaluator: Evaluator, interrupted: Interrupted) -> dict[str, Any]:
    """Return the status of a group and the lines that show it; raise InputError."""
    game, point, visits = read_explain_request(body)
    with naming(VERTEX.name):
        return status_json(explain_group(evaluator, game, point, visits, interrupted))


def stakes_answer(body: bytes, evaluator: Evaluator, _: Interrupted) -> dict[str, Any]:
    """Return what is at stake in a position, and what the next move of the record puts in danger; raise InputError."""
    game, after, symmetries = read_stakes_request(body)
    groups = stakes(evaluator, game, symmetries)
    risk = None
    if after is not None:
        risk = largest_risk(groups, stakes(evaluator, after, symmetries), after.indexed_moves[-1][0])
    return {"groups": [each.as_json() for each in groups], "risk": None if risk is None else risk.as_json()}


def settled_answer(body: bytes, evaluator: Evaluator, _: Interrupted) -> dict[str, Any]:
    """Return how settled a position is, and the map of it; raise InputError."""
    game, _after, symmetries = read_stakes_request(body)
    [found] = settled(evaluator, [game.position], game.terms, symmetries)
    return found.summary() | {"map": settled_map(found.chances, found.ownership)}
