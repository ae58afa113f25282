"""How a scored game is told: a text with a diagram, one line, or JSON. docs/scoring.md describes all three."""

import textwrap
from typing import Any

import numpy as np

from goban.coords import BLACK, EMPTY, WHITE, colour_name, gtp_name
from ownership.estimate import Estimate
from ownership.scorer import ScoredGame

_WIDTH = 80
_TOLD, _LISTED = 5, 10  # likely moves, as text and as JSON
_LEGEND = "X O stones   x o dead stones   + Black's   - White's   . nobody's yet or dame   ? not certain"


def as_text(scored: ScoredGame) -> str:
    """Return a diagram of the ownership with everything that the estimate says, without a newline at the end."""
    lines = [_title(scored), _circumstances(scored), "", diagram(scored), "", _LEGEND, ""]
    lines += _dead_lines(scored)
    lines += [_points(scored.estimate), _score(scored.estimate), _certainty(scored.estimate)]
    if scored.policy is not None and not scored.estimate.finished:
        likely = (f"{vertex} {chance:.0%}" for vertex, chance in likely_moves(scored, _TOLD))
        lines.append(f"Likely next moves: {', '.join(likely)}")
    if scored.game.result.text:
        lines.append(_record(scored))
    return "\n".join(lines)


def as_line(scored: ScoredGame) -> str:
    """Return result, state, rules, recorded result and source in one line of columns, the source last."""
    state = "finished" if scored.estimate.finished else "open"
    recorded = scored.game.result.text or "-"
    return f"{scored.estimate.result:<9} {state:<8}  {scored.estimate.rules:<12}  {recorded:<9} {scored.game.source}"


def as_json(scored: ScoredGame) -> dict[str, Any]:
    """Return the answer as JSON values; the keys are listed in docs/scoring.md and stay."""
    answer = scored.estimate
    return {
        "source": scored.game.source,
        "side": scored.position.side,
        "rules": answer.rules,
        "komi": answer.komi,
        "moves": scored.moves,
        "to_move": colour_name(scored.position.to_move).lower(),
        "finished": answer.finished,
        "ownership": [[round(float(value), 3) + 0.0 for value in row] for row in answer.ownership],
        "dead": dead_vertices(scored),
        "score": round(answer.score, 2) + 0.0,
        "result": answer.result,
        "model": scored.model,
        "interval": [round(bound, 2) + 0.0 for bound in answer.interval],
        "black_wins": round(answer.black_wins, 4),
        "recorded": scored.game.result.text or None,
        "next_moves": None if scored.policy is None else [list(move) for move in likely_moves(scored, _LISTED)],
    }


def headline(scored: ScoredGame) -> str:
    """Return players, moves and score in two short lines, for a picture."""
    game, answer = scored.game, scored.estimate
    state = "counted" if answer.finished else "expected"
    return (
        f"{_player(game.black, game.black_rank)} (Black) - {_player(game.white, game.white_rank)} (White)\n"
        f"after {scored.moves} moves: {answer.result} {state}, {answer.rules} rules, komi {answer.komi:g}"
    )


def dead_vertices(scored: ScoredGame, colour: int | None = None) -> list[str]:
    """Return the GTP vertices of the dead stones, of one colour or of both, row by row from the top."""
    dead = scored.estimate.dead
    if colour is not None:
        dead = dead & (scored.position.stones == colour)
    return [gtp_name(point, scored.position.side) for point in np.flatnonzero(dead).tolist()]


def likely_moves(scored: ScoredGame, most: int) -> list[tuple[str, float]]:
    """Return the likeliest next moves as GTP vertices with their probabilities, likeliest first; raise ValueError."""
    if scored.policy is None:
        raise ValueError(f"expected a model with a policy. Received: {scored.model}")
    points = np.argsort(-scored.policy, kind="stable")[:most]
    return [(gtp_name(point, scored.position.side), round(float(scored.policy[point]), 4)) for point in points.tolist()]


def diagram(scored: ScoredGame) -> str:
    """Return the board with GTP coordinates; each point is a mark and, where it is not certain, a "?"."""
    side = scored.position.side
    cells = [_cell(scored, point) for point in range(side * side)]
    header = "   " + " ".join(gtp_name(column, side)[0] for column in range(side))
    rows = []
    for row in range(side):
        number = side - row
        rows.append(f"{number:>2} {''.join(cells[row * side : (row + 1) * side])}{number}")
    return "\n".join([header, *rows, header])


def _cell(scored: ScoredGame, point: int) -> str:
    answer = scored.estimate
    colour, owner = int(scored.position.stones.flat[point]), int(answer.owner.flat[point])
    if colour == EMPTY:
        mark = {BLACK: "+", WHITE: "-", EMPTY: "."}[owner]
    else:
        mark = "X" if colour == BLACK else "O"
        mark = mark.lower() if answer.dead.flat[point] else mark
    certain = answer.decided.flat[point] or mark == "."
    return mark + (" " if certain else "?")


def _title(scored: ScoredGame) -> str:
    game = scored.game
    players = f"{_player(game.black, game.black_rank)} (Black) - {_player(game.white, game.white_rank)} (White)"
    return ", ".join(part for part in (f"{game.source}: {players}", game.date) if part)


def _player(name: str, rank: str) -> str:
    return " ".join(part for part in (name or "?", rank) if part)


def _circumstances(scored: ScoredGame) -> str:
    side, answer = scored.position.side, scored.estimate
    turn = colour_name(scored.position.to_move)
    return (
        f"{side}x{side} after {scored.moves} of {len(scored.game.moves)} moves, {turn} to move, "
        f"{answer.rules} rules, komi {answer.komi:g}"
    )


def _dead_lines(scored: ScoredGame) -> list[str]:
    lines = []
    for colour in (BLACK, WHITE):
        vertices = dead_vertices(scored, colour)
        text = f"{len(vertices)}: {' '.join(vertices)}" if vertices else "none"
        lines += textwrap.wrap(f"Dead {colour_name(colour)} stones: {text}", _WIDTH, subsequent_indent="    ")
    return lines


def _points(answer: Estimate) -> str:
    kind = "Counted" if answer.finished else "Expected"
    return f"{kind} by {answer.rules} rules: Black {answer.black:.4g}, White {answer.white:.4g} with komi"


def _score(answer: Estimate) -> str:
    low, high = (_signed(bound) for bound in answer.interval)
    return f"Score: {answer.result}   (nine times in ten between {low} and {high})"


def _signed(score: float) -> str:
    return f"{'B' if score >= 0 else 'W'}+{abs(score):.1f}"


def _certainty(answer: Estimate) -> str:
    decided, points = int(answer.decided.sum()), answer.decided.size
    winner, chance = ("Black", answer.black_wins) if answer.score >= 0 else ("White", 1 - answer.black_wins)
    state = "looks finished" if answer.finished else "is not finished"
    return f"The game {state}: {decided} of {points} points are certain. {winner} wins with {chance:.0%}."


def _record(scored: ScoredGame) -> str:
    """Compare with the result in the record, which is about the end of the game only."""
    text, recorded = scored.game.result.text, scored.game.result.score
    if recorded is None or not scored.estimate.finished or scored.moves < len(scored.game.moves):
        return f"The record says: {text}"
    difference = scored.estimate.score - recorded
    if not difference:
        return f"The record says: {text}, the same"
    better = "Black" if difference > 0 else "White"
    return f"The record says: {text}, here {abs(difference):g} points more for {better}"
