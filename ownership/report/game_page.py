"""The page of a game: ownership, score and likely moves at every move, and the moves that changed or lost most."""

import base64
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from goban.coords import BLACK, WHITE, colour_name
from goban.counting.estimate import Estimate
from goban.diagram import render
from ownership.report.page import definition_list, escaped, file_name, fill_template, html_page, script_data
from ownership.report.review_sections import accuracy_section, mistake_items, review_data
from ownership.review.moves import reviewed_moves
from ownership.review.positions import ReviewedPosition
from ownership.review.text import noise_note
from ownership.scoring.games import ScoredGame
from ownership.scoring.text import assumptions, outcome
from ownership.scoring.timeline import changes, move_name, players, smooth_scores
from preprocessing.records.game import GameRecord

_MAX_CHANGES = 12
_MAX_LIKELY, _MIN_PROBABILITY = 10, 0.01  # of the next moves that the page holds
_DIGITS = np.array(list("0123456789abcdefghijklmnopqrstuvwxyz"))
_TOGGLES = (
    ("ownership", "Ownership", True),
    ("change", "Change by the move", False),
    ("territory", "Territory", False),
    ("policy", "Next moves", False),
    ("coordinates", "Coordinates", True),
    ("numbers", "Move numbers", False),
)
_STEPS = {
    "steps": "Go through the moves",
    "start": "Start",
    "back_ten": "Ten moves back",
    "back": "One move back",
    "forward": "One move on",
    "forward_ten": "Ten moves on",
    "end": "End",
}

_CHANCES = """<div class="graph" id="chances">
<svg role="img" aria-label="Black's win rate by move, with its 90% interval"></svg></div>"""


def game_page(scored: Sequence[ScoredGame]) -> str:
    """Return the page of a game.

    Args:
        scored: from `timeline`, the position before the first move and after every move.
    """
    answers = [each.estimate for each in scored]
    data = _data(scored, answers) | {"graph": _graph(answers, smooth_scores(scored).tolist())}
    return _page(scored, data, "The largest lasting changes of ownership", _changes(scored), _facts(scored[-1]))


def review_page(positions: Sequence[ReviewedPosition]) -> str:
    """Return the page of a game whose positions were searched, with what each move lost.

    Args:
        positions: from `review`, the position before the first move and after every move.
    """
    scored, moves = [position.scored for position in positions], reviewed_moves(positions)
    data = _data(scored, positions) | review_data(positions, moves)
    facts = _facts(scored[-1]) | {"Score": outcome(positions[-1]), "Visits": max(each.visits for each in positions)}
    items = mistake_items(scored[-1].game, moves)
    note = noise_note(scored[-1].game.side)
    return _page(scored, data, "The largest mistakes", items, facts, accuracy_section(moves), note)


def _page(
    scored: Sequence[ScoredGame],
    data: dict[str, Any],
    heading: str,
    items: Iterable[str],
    facts: dict[str, object],
    accuracy: str = "",
    note: str = "",
) -> str:
    """Return the page; `accuracy`, a section, and `note`, a line about the items, are what only reviews have."""
    end, left_out = scored[-1], set() if accuracy else {"change"}
    if not any(each.policy is not None for each in scored):
        left_out.add("policy")
    body = fill_template(
        "game.html",
        board=end.estimate._repr_svg_(),
        moves=end.moves,
        steps=fill_template("steps.html", **_STEPS),
        toggles="".join(_toggle(*each) for each in _TOGGLES if each[0] not in left_out),
        chances=_CHANCES if accuracy else "",
        heading=heading,
        note=note,
        changes="".join(items),
        accuracy=accuracy,
        facts=definition_list(facts),
        diagram=escaped(render(end.position.stones)),
        data=script_data(data),
    )
    scripts = ["board.js", "graph.js", "game.js"]
    return html_page(players(end.game), _subtitle(end), body, scripts, heading=_heading(end.game))


def _heading(game: GameRecord) -> str:
    """Return both players, each after a stone of their colour."""
    named = (("black", game.black or "Black", game.black_rank), ("white", game.white or "White", game.white_rank))
    stones = (
        f'<span class="stone {colour}" role="img" aria-label="{colour.capitalize()}"></span> '
        f"<bdi>{escaped(name)}</bdi> <small>{escaped(rank)}</small>"
        for colour, name, rank in named
    )
    return " <span class='soft'>–</span> ".join(stones)


def _subtitle(end: ScoredGame) -> str:
    game = end.game
    parts = (game.date, game.result.text, f"{end.estimate.rules} rules", f"komi {end.estimate.komi:g}")
    return " · ".join(part for part in parts if part)


def _toggle(name: str, label: str, on: bool) -> str:
    return f'<label><input type="checkbox" id="{name}"{" checked" if on else ""}>{label}</label>\n'


def _changes(scored: Sequence[ScoredGame]) -> list[str]:
    game = scored[-1].game
    most = sorted(changes(scored), key=lambda change: -change.points)[:_MAX_CHANGES]
    return [
        f'<li><a href="#{change.move}" data-move="{change.move}"><span>{change.move}</span>'
        f"<span>{escaped(move_name(game, change.move))}</span>"
        f'<span>{change.points:.1f} points change owner, <span class="soft">{_gain(change.gain)}</span></span></a></li>'
        for change in most
    ]


def _gain(points: float) -> str:
    return f"score {abs(points):.1f} better for {colour_name(BLACK if points >= 0 else WHITE)}"


def _facts(end: ScoredGame) -> dict[str, object]:
    game, answer = end.game, end.estimate
    return {
        "Black": game.player(BLACK),
        "White": game.player(WHITE),
        "Name": game.name,
        "Date": game.date,
        "Board": f"{game.side}x{game.side}",
        "Rules": f"{answer.rules}, komi {answer.komi:g}",
        "Assumptions": "; ".join(assumptions(end)),
        "Handicap": game.handicap or None,
        "Moves": end.moves,
        "Recorded result": game.result.text,
        "Score": outcome(answer),
        "State": answer.trust,
        "Record": file_name(game.source),
        "Model": end.model,
    }


def _data(scored: Sequence[ScoredGame], answers: Sequence[Estimate | ReviewedPosition]) -> dict[str, Any]:
    """Return the values that game.js reads: the game's moves, and one entry of each list for each position."""
    game = scored[-1].game
    ownership = np.stack([answer.ownership for answer in answers])
    return {
        "side": game.side,
        "moves": np.column_stack([game.colours, game.moves]).tolist(),
        "boards": "".join(_letters(each) for each in scored),
        "ownership": base64.b64encode(np.round(100 * ownership).astype(np.int8).tobytes()).decode(),
        "policy": [_likely(each) for each in scored],
        "graph": _graph(answers, [answer.score for answer in answers]),
        "low": [round(answer.interval[0], 1) for answer in answers],
        "high": [round(answer.interval[1], 1) for answer in answers],
        "chance": [round(100 * answer.black_wins) for answer in answers],
        "results": [answer.result for answer in answers],
        "counted": [answer.finished for answer in answers],
        "comments": {str(move): said for move, said in game.comments.items()},
    }


def _graph(answers: Sequence[Estimate | ReviewedPosition], scores: Sequence[float]) -> dict[str, list[float]]:
    """Return the scores that the graph shows, and their intervals."""
    pairs = list(zip(answers, scores, strict=True))
    return {
        "values": [round(score, 1) for score in scores],
        "low": [round(answer.interval[0] + score - answer.score, 1) for answer, score in pairs],
        "high": [round(answer.interval[1] + score - answer.score, 1) for answer, score in pairs],
    }


def _letters(scored: ScoredGame) -> str:
    """Return one base-36 digit for each point: stone + 1, + 3 if dead, + 6 * (owner + 1), + 18 if in seki."""
    stones, answer = scored.position.stones.astype(int), scored.estimate
    codes = stones + 1 + 3 * answer.dead + 6 * (answer.owner + 1) + 18 * answer.seki
    return "".join(_DIGITS[codes.ravel()])


def _likely(scored: ScoredGame) -> list[tuple[int, int]]:
    """Return flat index and percentage of the likeliest next moves, [] where the policy is unknown."""
    if scored.policy is None:
        return []
    points = np.argsort(-scored.policy, kind="stable")[:_MAX_LIKELY].tolist()
    return [
        (point, round(100 * float(scored.policy[point])))
        for point in points
        if scored.policy[point] >= _MIN_PROBABILITY
    ]
