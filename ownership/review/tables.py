"""A review as JSON values and as a row of a table; docs/review.md lists the keys and the columns."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from goban.coords import BLACK, WHITE, colour_letter, gtp_name
from ownership.review.moves import PHASES, ReviewedMove, accuracy, mistakes
from ownership.review.positions import ReviewedPosition
from ownership.search.mcts.result import TreeMove
from preprocessing.tables import inert_cell

_MOST_MOVES: Final = 10
_COLOURS: Final = {"black": BLACK, "white": WHITE}


def as_json(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> dict[str, Any]:
    """Return a review as JSON values; all numbers are Black's, except points lost, gained and given."""
    end, by_number = positions[-1].scored, {move.number: move for move in moves}
    game = end.game
    return {
        "source": game.source,
        "side": game.side,
        "black": game.black,
        "white": game.white,
        "recorded": game.result.text,
        "rules": end.estimate.rules,
        "komi": end.estimate.komi,
        "model": end.model,
        "visits": max(position.visits for position in positions),
        "players": {name: _player(moves, colour) for name, colour in _COLOURS.items()},
        "positions": [_position(position, by_number.get(position.moves)) for position in positions],
    }


def as_row(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> dict[str, str]:
    """Return one row of a table, as text that no spreadsheet runs."""
    end = positions[-1]
    game, costly = end.scored.game, mistakes(moves, 1)
    row = {
        "source": inert_cell(game.source),
        "side": str(game.side),
        "moves": str(len(game.moves)),
        "black": inert_cell(game.black),
        "white": inert_cell(game.white),
        "recorded": inert_cell(game.result.text),
        "result": end.result,
        "largest_mistake": "".join(f"{move.number}" for move in costly),
        "largest_loss": "".join(f"{move.lost:.1f}" for move in costly),
    }
    for name, colour in _COLOURS.items():
        whole = accuracy(moves, colour)
        row[f"{name}_lost"] = f"{whole.mean_lost:.2f}" if whole else ""
        row[f"{name}_best"] = f"{whole.best:.3f}" if whole else ""
        for phase in (None, *PHASES):
            part = accuracy(moves, colour, phase)
            row[f"{name}_{phase or 'accuracy'}"] = f"{part.percent:.1f}" if part else ""
    return row


def _player(moves: Sequence[ReviewedMove], colour: int) -> dict[str, Any]:
    found = {phase or "game": accuracy(moves, colour, phase) for phase in (None, *PHASES)}
    return {name: _rounded(asdict(part)) for name, part in found.items() if part}


def _position(position: ReviewedPosition, move: ReviewedMove | None) -> dict[str, Any]:
    scored, side = position.scored, position.scored.position.side
    found: dict[str, Any] = {"move": scored.moves}
    if move is not None:
        found |= {
            "player": colour_letter(move.colour),
            "vertex": gtp_name(move.point, side),
            "phase": move.phase,
            **_rounded({name: getattr(move, name) for name in ("lost", "wins_lost", "gained", "given")}),
        }
    numbers = {"score": position.score, "low": position.interval[0], "high": position.interval[1]}
    found |= {"visits": position.visits, **_rounded(numbers | {"black_wins": position.black_wins})}
    candidates = () if position.search is None else position.search.moves[:_MOST_MOVES]
    found["candidates"] = [_candidate(each, side) for each in candidates]
    found["ownership"] = [[round(value, 2) for value in row] for row in position.ownership.tolist()]
    return found


def _candidate(move: TreeMove, side: int) -> dict[str, Any]:
    value = move.value
    numbers = {"score": value.score, "black_wins": value.wins, "prior": move.prior}
    line = [gtp_name(point, side) for point in move.line]
    return {"vertex": line[0], "visits": move.visits, **_rounded(numbers), "line": line}


def _rounded(numbers: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in numbers.items()}
