"""`ownership show`: a game as a picture, a contact sheet or an animation."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from goban.errors import InputError
from ownership.commands.scoring import add_scoring_arguments, score_options

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ownership.scoring.games import ScoredGame
    from viz.board import Look
    from viz.film import Picture, Scene

T = TypeVar("T")

VIEWS = ("squares", "heat", "territory", "policy", "board")
_FILMED = ("squares", "heat")
_FILMS = (".gif", ".mp4")
_MOST_BOARDS = 100
_COLUMNS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership show`."""
    parser.add_argument("game", metavar="GAME", help="SGF file, or - for stdin")
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help=".png, .svg, .pdf, or .gif, .mp4 for an animation"
    )
    positions = parser.add_mutually_exclusive_group()
    positions.add_argument("--move", type=int, metavar="N", help="the position after N moves (default: the last)")
    positions.add_argument("--every", type=int, metavar="K", help="every Kth move: a contact sheet, or an animation")
    parser.add_argument("--view", choices=VIEWS, default="squares", help="what the points show (default: %(default)s)")
    parser.add_argument(
        "--numbers", type=int, default=0, metavar="N", help="write the numbers of the last N moves on their stones"
    )
    parser.add_argument("--no-coordinates", dest="coordinates", action="store_false", help="leave them out")
    parser.add_argument("--width", type=int, default=1000, metavar="PIXELS", help="of a .png (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=0.3, metavar="S", help="that an animation shows each position (%(default)s)"
    )
    add_scoring_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Evaluate the positions and write the picture."""
    from ownership.inference.evaluator import Evaluator
    from ownership.scoring.timeline import the_game, timeline

    _check(args)
    options, game = score_options(args), the_game(args.game)
    plies = _plies(args, len(game.moves))
    scored = timeline(game, Evaluator.load(args.model), options, plies)
    if _is_film(args.output):
        _save_film(list(_shown(scored, len(plies), "position")), args)
    else:
        _save_boards(list(scored), args)
    return 0


def _check(args: argparse.Namespace) -> None:
    """Raise InputError for what cannot be drawn, before anything is evaluated."""
    from viz.figure import FORMATS, check_picture
    from viz.film import check_film

    ending = Path(args.output).suffix.lower()
    if ending not in (*_FILMS, *(f".{name}" for name in FORMATS)):
        raise InputError(f"{args.output}: expected a file ending in .png, .svg, .pdf, .gif, .mp4")
    (check_film if _is_film(args.output) else check_picture)(args.output)
    for name, value, least, most in (
        ("every", args.every, 1, 10_000),
        ("numbers", args.numbers, 0, 10_000),
        ("width", args.width, 100, 10_000),
        ("seconds", args.seconds, 0.02, 60),
    ):
        if value is not None and not least <= value <= most:
            raise InputError(f"--{name} must be {least}..{most}. Received: {value:g}")
    if _is_film(args.output) and (args.move is not None or args.view not in _FILMED or args.numbers):
        raise InputError(f"{args.output}: an animation shows all moves, as squares or heat, and no numbers")


def _is_film(path: str) -> bool:
    return Path(path).suffix.lower() in _FILMS


def _plies(args: argparse.Namespace, moves: int) -> list[int]:
    """Return after how many moves the positions are that will be shown, the last one always among them."""
    if args.every is None and not _is_film(args.output):
        return [moves if args.move is None else args.move]
    plies = sorted({*range(0, moves, args.every or 1), moves})
    if not _is_film(args.output) and len(plies) > _MOST_BOARDS:
        raise InputError(f"--every {args.every} gives {len(plies)} boards; expected {_MOST_BOARDS} at most")
    return plies


def _save_boards(scored: "Sequence[ScoredGame]", args: argparse.Namespace) -> None:
    """Draw one board with a heading of two lines, or several with a line each below the players' names."""
    from ownership.scoring.timeline import players
    from viz.figure import add_heading, figure_of, new_axes, new_grid, save

    if len(scored) == 1:
        boards = [new_axes(7.2, 8.0)]
        add_heading(boards[0], players(scored[0].game), caption(scored[0]))
    else:
        boards = new_grid(len(scored), min(_COLUMNS, len(scored)), 3.6, 3.9)
        figure_of(boards[0]).suptitle(players(scored[0].game), fontsize=14, fontweight="bold", parse_math=False)
    for each, axes in zip(scored, boards, strict=True):
        _draw(each, args, axes)
        if len(scored) > 1:
            axes.set_xlabel("")
            axes.set_title(f"{each.moves}: {each.estimate.result}", fontsize=11)
    save(boards[0], args.output, args.width / figure_of(boards[0]).get_size_inches()[0])


def _draw(scored: "ScoredGame", args: argparse.Namespace, axes: "Axes") -> None:
    from ownership.scoring.timeline import move_numbers
    from viz.board import draw_board, draw_ownership, draw_policy, draw_territory

    stones, answer = scored.position.stones, scored.estimate
    recent, numbers = scored.position.recent, move_numbers(scored, args.numbers)
    labels = {point: str(number) for point, number in numbers.items()}
    look: Look = {"last": recent[0] if recent else None, "coordinates": args.coordinates, "ax": axes, "labels": labels}
    if args.view == "territory":
        draw_territory(stones, answer.owner, dead=answer.dead, seki=answer.seki, **look)
    elif args.view == "policy":
        if scored.policy is None:
            raise InputError(f"--view policy: model {scored.model} knows no next move after {scored.moves} moves")
        draw_policy(stones, scored.policy, **look)
    elif args.view == "board":
        draw_board(stones, **look)
    else:
        draw_ownership(stones, answer.ownership, style=args.view, dead=answer.dead, **look)


def _save_film(scored: "Sequence[ScoredGame]", args: argparse.Namespace) -> None:
    from ownership.scoring.timeline import players
    from viz.film import Film, save_film

    def watch(pictures: "Iterator[Picture]") -> "Iterable[Picture]":
        return _shown(pictures, len(scored), "picture")

    film = Film([_scene(each) for each in scored], players(scored[0].game), args.view)
    save_film(film, args.output, args.seconds, watch)


def _scene(scored: "ScoredGame") -> "Scene":
    from viz.film import Scene

    position, answer = scored.position, scored.estimate
    return Scene(
        stones=position.stones,
        ownership=answer.ownership,
        dead=answer.dead,
        last=position.recent[0] if position.recent else None,
        move=scored.moves,
        score=answer.score,
        low=answer.interval[0],
        high=answer.interval[1],
        caption=caption(scored),
    )


def caption(scored: "ScoredGame") -> str:
    """Return moves and score in one line."""
    answer = scored.estimate
    how = "counted" if answer.finished else "expected"
    return (
        f"After {scored.moves} of {len(scored.game.moves)} moves: {answer.result} {how}, "
        f"{answer.rules} rules, komi {answer.komi:g}"
    )


def _shown(items: Iterable[T], total: int, unit: str) -> Iterator[T]:
    """Go through items with a progress bar on stderr."""
    from tqdm import tqdm

    yield from tqdm(items, total=total, unit=unit, disable=not sys.stderr.isatty())
