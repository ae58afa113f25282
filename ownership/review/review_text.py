"""A review as text: the printed answer, and the comments in a record."""

from collections.abc import Iterator, Sequence

from goban.coords import BLACK, WHITE, colour_name, gtp_name
from goban.errors import plural
from ownership.review.move_losses import PHASES, ReviewedMove, largest_mistakes, noise, player_accuracy
from ownership.review.searched_positions import ReviewedPosition
from ownership.scoring.assumption_text import assumptions
from ownership.scoring.score_figures import headline
from ownership.scoring.timeline import players

MOST_MISTAKES = 10
_LINE = 8  # moves of a variation in a line of text
_LEAST_LOST = 0.05  # points; a smaller loss counts as none


def review_text(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> str:
    """Return score, accuracy and the largest mistakes of a game, without a newline at the end."""
    end, game = positions[-1], positions[-1].scored.game
    most = max(position.visits for position in positions)
    lines = [
        f"{game.source}: {players(game)}, {plural(len(game.move_points), 'move')}, {plural(most, 'visit')}, "
        f"model {end.scored.model}",
        *assumptions(end.scored),
        f"Score after {plural(end.move, 'move')}: {headline(end)}",
        *_accuracy_lines(moves),
        *_mistake_lines(game.side, moves),
    ]
    return "\n".join(lines)


def comment(position: ReviewedPosition, move: ReviewedMove | None) -> str:
    """Return the evaluation of a position and of the move that led to it, in a line each."""
    lines = [headline(position)]
    if move is not None:
        lines.append(move_verdict(move, position.scored.game.side))
    return "\n".join(lines)


def move_verdict(move: ReviewedMove, side: int) -> str:
    """Return a line with the loss of a move, and the better move."""
    name = f"{colour_name(move.colour)} {gtp_name(move.point, side)}"
    if move.is_best:
        return f"{name} is the move that the search prefers."
    about = "about " if move.is_noise else ""
    lost = f"loses {about}{move.lost:.1f} points" if move.lost >= _LEAST_LOST else "loses nothing"
    return f"{name} {lost}; the search prefers {preferred_line(move, side)}."


def noise_note(side: int) -> str:
    """Return the line that says which losses are noise."""
    return f"Losses below {noise(side):.1f} points mean little: two searches differ by as much."


def preferred_line(move: ReviewedMove, side: int) -> str:
    """Return the moves that the search prefers, the first ones of them."""
    return " ".join(gtp_name(point, side) for point in move.best.line[:_LINE])


def _accuracy_lines(moves: Sequence[ReviewedMove]) -> Iterator[str]:
    heads = ("moves", "accuracy", *PHASES, "lost", "best")
    yield f"{'':<6}" + "".join(f"{head:>10}" for head in heads)
    for colour in (BLACK, WHITE):
        whole = player_accuracy(moves, colour)
        if whole is None:
            continue
        phases = (player_accuracy(moves, colour, phase) for phase in PHASES)
        shares = (f"{each.accuracy_percent:.0f}%" if each else "-" for each in (whole, *phases))
        cells = (str(whole.moves), *shares, f"{whole.mean_points_lost:.2f}", f"{whole.best_percent:.0f}%")
        yield f"{colour_name(colour):<6}" + "".join(f"{cell:>10}" for cell in cells)


def _mistake_lines(side: int, moves: Sequence[ReviewedMove]) -> Iterator[str]:
    costly = largest_mistakes(moves, MOST_MISTAKES)
    yield noise_note(side)
    if costly:
        yield "Largest mistakes:"
    for move in costly:
        name = f"{colour_name(move.colour)} {gtp_name(move.point, side)}"
        yield f"{move.number:>5}  {name:<10} {move.lost:5.1f} points  better {preferred_line(move, side)}"
