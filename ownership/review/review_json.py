"""A review as JSON values and as a row of a table; docs/review.md lists the keys and the columns."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from goban.coords import BLACK, WHITE, colour_letter, gtp_name
from ownership.review.move_losses import PHASES, ReviewedMove, largest_mistakes, player_accuracy
from ownership.review.searched_positions import ReviewedPosition, SearchedPosition
from ownership.search.mcts.root_move_choice import TreeMove
from runtime.csv_cells import inert_cell

_MOST_MOVES: Final = 10
_COLOURS: Final = {"black": BLACK, "white": WHITE}
_OF_A_PLAYER: Final = ("mean_points_lost", "best_percent", "accuracy_percent", *(f"{each}_percent" for each in PHASES))
REVIEW_COLUMNS: Final = (
    *("source", "side", "moves", "black", "white", "recorded", "result", "largest_mistake_move"),
    "largest_mistake_points",
    *(f"{colour}_{name}" for colour in _COLOURS for name in _OF_A_PLAYER),
)


def review_json(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> dict[str, Any]:
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
        "players": players_json(moves),
        "positions": [position_json(position, by_number.get(position.move)) for position in positions],
    }


def review_row(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> dict[str, str]:
    """Return one row of a table with REVIEW_COLUMNS, as text that no spreadsheet runs."""
    end = positions[-1]
    game, costly = end.scored.game, largest_mistakes(moves, 1)
    cells = [
        inert_cell(game.source),
        str(game.side),
        str(len(game.move_points)),
        inert_cell(game.black),
        inert_cell(game.white),
        inert_cell(game.result.text),
        end.result,
        "".join(f"{move.number}" for move in costly),
        "".join(f"{move.lost:.1f}" for move in costly),
    ]
    for colour in _COLOURS.values():
        whole = player_accuracy(moves, colour)
        cells += [f"{whole.mean_points_lost:.2f}", f"{whole.best_percent:.1f}"] if whole else ["", ""]
        parts = [player_accuracy(moves, colour, phase) for phase in (None, *PHASES)]
        cells += [f"{part.accuracy_percent:.1f}" if part else "" for part in parts]
    return dict(zip(REVIEW_COLUMNS, cells, strict=True))


def players_json(moves: Sequence[ReviewedMove]) -> dict[str, Any]:
    """Return both players' accuracy, in the game and by phase, as JSON values."""
    return {name: _player(moves, colour) for name, colour in _COLOURS.items()}


def _player(moves: Sequence[ReviewedMove], colour: int) -> dict[str, Any]:
    found = {phase or "game": player_accuracy(moves, colour, phase) for phase in (None, *PHASES)}
    return {name: _rounded(asdict(part)) for name, part in found.items() if part}


def position_json(position: SearchedPosition, move: ReviewedMove | None) -> dict[str, Any]:
    """Return a position, and the loss of the move that led to it, as JSON values."""
    side = position.game.side
    found: dict[str, Any] = {"move": position.move}
    if move is not None:
        found |= {
            "player": colour_letter(move.colour),
            "vertex": gtp_name(move.point, side),
            "phase": move.phase,
            **_rounded({name: getattr(move, name) for name in ("lost", "wins_lost", "gained", "given")}),
        }
    low, high = position.interval or (None, None)
    numbers = {"score": position.score, "low": low, "high": high, "black_wins": position.black_wins}
    found |= {"visits": position.visits, **_rounded(numbers)}
    found["candidates"] = [_candidate(each, side) for each in position.candidates[:_MOST_MOVES]]
    found["ownership"] = [[round(value, 2) for value in row] for row in position.ownership.tolist()]
    return found


def _candidate(move: TreeMove, side: int) -> dict[str, Any]:
    value = move.value
    numbers = {"score": value.score, "black_wins": value.wins, "prior": move.prior}
    line = [gtp_name(point, side) for point in move.line]
    return {"vertex": line[0], "visits": move.visits, **_rounded(numbers), "line": line}


def _rounded(numbers: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in numbers.items()}
