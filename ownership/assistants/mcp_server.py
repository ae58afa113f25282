"""The tools that assistants call over the Model Context Protocol: a score, a group, what is at stake, mistakes.

Each calls the function that the command of the same name calls, and returns a short text, JSON and, for a score, a
picture.
"""

import json
import os
from collections.abc import Callable
from functools import wraps
from io import BytesIO
from typing import Final, ParamSpec

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError

from game_records.game_record import GameRecord
from game_records.record_sources import read_game
from game_records.registered_formats import parse_record
from goban.coords import parse_gtp
from goban.errors import InputError
from goban.game import Game
from goban.rulesets import find_rules
from ownership.explaining.explanation_text import status_json, status_text
from ownership.explaining.group_status import VISITS, explain_group
from ownership.explaining.stakes import stakes, stakes_text
from ownership.inference.evaluator import Evaluator
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.review.move_losses import reviewed_moves
from ownership.review.review_json import review_json
from ownership.review.review_text import review_text
from ownership.review.searched_positions import review
from ownership.scoring.likely_game import likely_game
from ownership.scoring.score_games import score_game
from ownership.scoring.score_json import as_json
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions

_INSTRUCTIONS: Final = (
    "Score Go games and explain them. `record` is the path of an SGF, GIB, NGF or UGF file, or the text of one, or a "
    "board as text with rows of X (Black), O (White) and dots. `move` is the number of moves played, by default all. "
    "Vertices are such as D4; there is no column I."
)
_MOST_GROUPS: Final = 10
_REVIEW_VISITS: Final = 30

_Parameters = ParamSpec("_Parameters")
Answer = list[str | Image]


def mcp_server(evaluator: Evaluator, draw: Callable[[ScoredGame, BytesIO], None]) -> MCPServer:
    """Return a server with the tools.

    Args:
        evaluator: a model with ownership and policy.
        draw: writes a picture of a scored position, as PNG.
    """
    server = MCPServer("go-ownership", instructions=_INSTRUCTIONS)

    @server.tool(structured_output=False)
    @_refusing
    def score_record(
        record: str, move: int | None = None, rules: str | None = None, komi: float | None = None
    ) -> Answer:
        """Score a game or a position: who owns each point, dead stones, the score and whether it can be trusted."""
        options = _options(move, rules, komi)
        scored = score_game(_record(record), evaluator, options)
        picture = BytesIO()
        draw(scored, picture)
        return [as_text(scored), json.dumps(as_json(scored)), Image(data=picture.getvalue(), format="png")]

    @server.tool(structured_output=False)
    @_refusing
    def explain(record: str, vertex: str, move: int | None = None, visits: int = VISITS) -> Answer:
        """Explain whether the group with a stone at `vertex` lives or dies, with the moves that show it."""
        game = _game(record, move)
        status = explain_group(evaluator, game, parse_gtp(vertex, game.side), visits)
        return [status_text(status), json.dumps(status_json(status))]

    @server.tool(structured_output=False)
    @_refusing
    def at_stake(record: str, move: int | None = None) -> Answer:
        """List the groups that most points hang on, with the points and the danger."""
        found = stakes(evaluator, _game(record, move))
        return [stakes_text(found, _MOST_GROUPS), json.dumps([each.as_json() for each in found])]

    @server.tool(structured_output=False)
    @_refusing
    def largest_mistakes(record: str, visits: int = _REVIEW_VISITS) -> Answer:
        """Search all positions of a game and list the moves that lost most, with better ones; it takes a minute."""
        positions = list(review(_record(record), evaluator, _options(None, None, None), visits))
        moves = reviewed_moves(positions)
        return [review_text(positions, moves), json.dumps(review_json(positions, moves))]

    return server


def _refusing(tool: Callable[_Parameters, Answer]) -> Callable[_Parameters, Answer]:
    """Return the tool with errors that the assistant reads where the input is wrong."""

    @wraps(tool)
    def refusing(*arguments: _Parameters.args, **named: _Parameters.kwargs) -> Answer:
        try:
            return tool(*arguments, **named)
        except InputError as error:
            raise ToolError(str(error)) from error

    return refusing


def _options(move: int | None, rules: str | None, komi: float | None) -> ScoreOptions:
    ruleset = None if rules is None else find_rules(rules)
    return ScoreOptions(move, ruleset, komi, second_judge=SECOND_JUDGE)


def _record(record: str) -> GameRecord:
    """Return the game of a file or a text; raise InputError."""
    if "\n" not in record and os.path.exists(record):
        return read_game(record)
    return parse_record(record.encode(), "record")[0]


def _game(record: str, move: int | None) -> Game:
    return likely_game(_record(record), move)
