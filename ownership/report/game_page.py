"""The page of a game: ownership and score at every move, the best moves, and the moves that changed or lost most."""

import base64
from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from game_records.assumed_terms import may_lack_komi
from game_records.game_record import GameRecord
from goban.coords import BLACK, WHITE
from goban.counting.estimate import Estimate
from goban.counting.languages import language, score_verdict
from goban.text_diagram import render_text
from ownership.explaining.risks import Risk
from ownership.explaining.settled import settled_map, settled_share
from ownership.inference.prediction import Prediction
from ownership.inference.settling_network import settling_chances
from ownership.report.page_frame import as_html, definition_list, file_name, fill_template, html_page, script_data
from ownership.report.page_texts import texts
from ownership.review.move_losses import ReviewedMove, noise, reviewed_moves
from ownership.review.review_json import players_json
from ownership.review.searched_positions import ReviewedPosition
from ownership.scoring.scored_game import ScoredGame
from ownership.scoring.timeline import changes, seki_at_end, smooth_scores, smooth_wins

GAME_STYLES: Final = ("page_frame.css", "game.css")
GAME_SCRIPTS: Final = tuple(
    f"{name}.js"
    for name in (
        *("page_texts", "stones", "board", "point_buttons", "board_views", "win_rate", "graph"),
        *("review", "shown_candidates", "candidate_rows", "review_lists", "move_steps"),
    )
)
_MAX_CHANGES: Final = 10
_MAX_LIKELY, _MIN_PROBABILITY = 5, 0.01  # of the next moves that the page holds
_MAX_CANDIDATES, _MAX_LINE = 5, 10  # of a search
_DIGITS: Final = np.array(list("0123456789abcdefghijklmnopqrstuvwxyz"))


def game_page(scored: Sequence[ScoredGame]) -> str:
    """Return the page of a game.

    Args:
        scored: from `timeline`, the position before the first move and after every move.
    """
    answers = [each.estimate for each in scored]
    means = zip(answers, smooth_scores(scored).tolist(), smooth_wins(scored), strict=True)
    found = [_outlook(answer, score, wins) for answer, score, wins in means]
    largest = sorted(changes(scored), key=lambda change: -change.points)[:_MAX_CHANGES]
    data = _data(scored, answers) | {
        "found": [each | {"visits": 1, "candidates": []} for each in found],
        "risks": {},
        "changes": [(change.move, round(change.points, 1), round(change.gain, 1)) for change in largest],
        "noise": 0,
        "players": None,
    }
    return _page(scored, data, _facts(scored[-1], answers[-1]))


def review_page(positions: Sequence[ReviewedPosition], risks: Mapping[int, Risk] = MappingProxyType({})) -> str:
    """Return the page of a game whose positions were searched, with the loss of each move.

    Args:
        positions: from `review`, the position before the first move and after every move.
        risks: what moves put in danger, by their numbers.
    """
    scored, moves = [position.scored for position in positions], reviewed_moves(positions)
    lost = {move.number: move for move in moves}
    data = _data(scored, positions) | {
        "found": [_searched(position, lost.get(position.move)) for position in positions],
        "risks": {number - 1: risk.as_json() for number, risk in risks.items()},
        "changes": None,
        "noise": noise(scored[0].game.side),
        "players": players_json(moves),
    }
    visits = max(each.visits for each in positions)
    return _page(scored, data, _facts(scored[-1], positions[-1]) | {"visits": visits})


def player_name(game: GameRecord, colour: int, words: Mapping[str, str]) -> str:
    """Return a player's name and rank, the colour for one without a name."""
    name, rank = (game.black, game.black_rank) if colour == BLACK else (game.white, game.white_rank)
    return f"{name or words['black' if colour == BLACK else 'white']} {rank}".strip()


def _page(scored: Sequence[ScoredGame], data: dict[str, Any], facts: dict[str, object]) -> str:
    end, words = scored[-1], texts(language.get())
    shown = {name: as_html(text) for name, text in words.items()}
    button = (
        f'<button id="previous-mistake" aria-label="{shown["previous_mistake"]}" hidden>◀</button>'
        f'<button id="next-mistake"{"" if data["players"] else " hidden"}>{shown["largest_mistake"]}</button>'
    )
    field = {"board": end.estimate._repr_svg_(), "moves": end.move, "now": end.move, "review": button}
    parts = {
        "field": fill_template("board_and_graph.html", **shown, **field),
        "steps": fill_template("move_steps.html", **shown, further=""),
        "views": fill_template("view_choice.html", **shown),
        "review": fill_template("review_lists.html", **shown, deeper_button=""),
        "options": fill_template("board_options.html", **shown),
    }
    body = fill_template(
        "game.html",
        **shown | parts,
        facts=definition_list({words[f"fact_{name}"]: value for name, value in facts.items()}),
        diagram=as_html(render_text(end.position.stones)),
        strings=script_data(words),
        data=script_data(data),
    )
    return html_page(
        " – ".join(player_name(end.game, colour, words) for colour in (BLACK, WHITE)),
        _subtitle(end, words),
        body,
        (*GAME_SCRIPTS, "game.js"),
        heading=_heading(end.game, words),
        styles=GAME_STYLES,
        language=language.get(),
        layout="game",
    )


def _heading(game: GameRecord, words: dict[str, str]) -> str:
    """Return both players, each after a stone of their colour."""
    named = (("black", game.black, game.black_rank), ("white", game.white, game.white_rank))
    stones = (
        f'<span class="stone {colour}" role="img" aria-label="{as_html(words[colour])}"></span> '
        f"<bdi>{as_html(name or words[colour])}</bdi> <small>{as_html(rank)}</small>"
        for colour, name, rank in named
    )
    return " <span class='soft'>–</span> ".join(stones)


def _subtitle(end: ScoredGame, words: dict[str, str]) -> str:
    game, answer = end.game, end.estimate
    terms = words["terms"].format(rules=words[f"rules_{answer.rules}"], komi=f"{answer.komi:g}")
    return " · ".join(part for part in (game.date, recorded(game), terms) if part)


def recorded(game: GameRecord) -> str:
    """Return the result in a record, "" for the question mark of an unknown one."""
    return "" if game.result.text == "?" else game.result.text


def _facts(end: ScoredGame, last: Estimate | ReviewedPosition) -> dict[str, object]:
    game, answer, words = end.game, end.estimate, texts(language.get())
    return {
        "black": player_name(game, BLACK, words),
        "white": player_name(game, WHITE, words),
        "name": game.name,
        "date": game.date,
        "board": f"{game.side}x{game.side}",
        "rules": words[f"rules_{answer.rules}"],
        "komi": f"{answer.komi:g}",
        "assumptions": " ".join(_assumptions(end, words)),
        "handicap": game.handicap or None,
        "moves": end.move,
        "recorded": recorded(game),
        "score": words["score_counted" if last.finished else "score_expected"].format(result=last.result),
        "state": answer.trust,
        "record": file_name(game.source),
        "model": end.model,
    }


def _assumptions(end: ScoredGame, words: Mapping[str, str]) -> list[str]:
    """Return sentences about rules, komi and handicap that the record leaves open, and about a doubtful komi of 0."""
    game, answer = end.game, end.estimate
    values = {"rules": words[f"rules_{answer.rules}"], "komi": f"{answer.komi:g}"}
    said = [words[f"assumed_{name}"].format(value=value) for name, value in values.items() if name in end.assumed]
    if game.handicap_from:
        said.append(words[f"assumed_{game.handicap_from.replace(' ', '_')}"].format(value=game.handicap))
    if answer.komi == 0 and may_lack_komi(game):
        said.append(words["may_lack_komi"])
    return said


def _data(scored: Sequence[ScoredGame], answers: Sequence[Estimate | ReviewedPosition]) -> dict[str, Any]:
    """Return the values that game.js reads: the game's moves, and one entry of each list for each position."""
    game = scored[-1].game
    ownership = np.stack([answer.ownership for answer in answers])
    return {
        "side": game.side,
        "moves": np.column_stack([game.move_colours, game.move_points]).tolist(),
        "to_move": game.to_move,
        "boards": "".join(_letters(each) for each in scored),
        "ownership": base64.b64encode(np.round(100 * ownership).astype(np.int8).tobytes()).decode(),
        "policy": [_likely(each) for each in scored],
        "verdicts": [score_verdict(answer.score, answer.finished) for answer in answers],
        "counted": [answer.finished for answer in answers],
        "trust": scored[-1].estimate.trust,
        "comments": {str(move): said for move, said in game.comments.items()},
    } | _settled(scored, answers)


def _settled(scored: Sequence[ScoredGame], answers: Sequence[Estimate | ReviewedPosition]) -> dict[str, Any]:
    """Return the percentage of the board that is settled in each position, and the maps; empty without a policy.

    At the end and on boards of one colour, where the policy is unknown, all moves are equally likely.
    """
    if all(each.policy is None for each in scored):
        return {"settled": [], "settled_maps": ""}
    moves = scored[0].position.stones.size + 1
    flat = np.full(moves, 1 / moves, np.float32)
    pairs = zip(scored, answers, strict=True)
    predictions = [Prediction(answer.ownership, flat if each.policy is None else each.policy) for each, answer in pairs]
    chances = settling_chances([each.position for each in scored], predictions)
    maps = (settled_map(each, answer.ownership) for each, answer in zip(chances, answers, strict=True))
    return {
        "settled": [round(100 * settled_share(each)) for each in chances],
        "settled_maps": "".join(chain.from_iterable(maps)),
    }


def _outlook(answer: Estimate | ReviewedPosition, score: float, wins: float | None) -> dict[str, Any]:
    """Return the score and Black's win rate that the graph shows, and the score's interval, moved along with it."""
    interval = answer.interval or (answer.score, answer.score)
    low, high = (round(bound + score - answer.score, 1) for bound in interval)
    return {"score": round(score, 1), "low": low, "high": high, "black_wins": None if wins is None else round(wins, 4)}


def _searched(position: ReviewedPosition, move: ReviewedMove | None) -> dict[str, Any]:
    """Return the result of a search of a position, as the page of the server reads it (docs/serve.md)."""
    best = position.candidates[:_MAX_CANDIDATES]
    candidates = [
        {
            "point": each.point,
            "visits": each.visits,
            "score": round(each.value.score, 1),
            "black_wins": round(each.value.wins, 4),
            "line": list(each.line[:_MAX_LINE]),
        }
        for each in best
    ]
    lost = {} if move is None else {"lost": round(move.lost, 1)}
    return (
        _outlook(position, position.score, position.black_wins)
        | {"visits": position.visits, "candidates": candidates}
        | lost
    )


def _letters(scored: ScoredGame) -> str:
    """Return one base-36 digit for each point: stone + 1, + 3 if dead, + 6 * (owner + 1), + 18 if in seki."""
    stones, answer = scored.position.stones.astype(int), scored.estimate
    codes = stones + 1 + 3 * answer.dead + 6 * (answer.owner + 1) + 18 * seki_at_end(scored)
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
