"""Compare the targets of two datasets of the same games.

Examples:
    ownership compare data/gnugo data/auto --examples 20 --picture boards.png

See docs/datasets.md.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from game_datasets.target_comparison import TargetComparison, TargetDisagreement, compare_targets
from goban.errors import InputError, plural
from goban.text_diagram import render_text
from ownership.commands.shared.output_files import InputFiles, dataset_paths, report_file
from runtime.command_line import Argument, declare
from runtime.folders import Folder
from runtime.safe_writing import replacing

_SIZES = {"1 to 4": (1, 4), "5 to 19": (5, 19), "20 or more": (20, np.inf)}
_COLUMNS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership compare`."""
    declare(
        parser,
        Argument("first", str, "folder or URL made by `ownership prepare`"),
        Argument("second", str, "the same, of the same games"),
        Argument("--examples N", int, "games to show where they disagree", 0, least=0),
        Argument("--picture FILE", str, "draw the games of --examples: .png, .svg or .pdf"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print how far the datasets agree, and show some of the games in which they do not."""
    if arguments.picture:
        from viz.figure import check_picture  # matplotlib is slow to import

        check_picture(arguments.picture)
        InputFiles(dataset_paths([arguments.first, arguments.second])).check_output(arguments.picture)
        if not arguments.examples:
            raise InputError("--picture draws the games of --examples. Received: --examples 0")
    found = compare_targets(Folder(arguments.first), Folder(arguments.second))
    if not found.games:
        raise InputError(f"expected games in both {arguments.first} and {arguments.second}. Received: none")
    _print_figures(arguments, found)
    examples = found.disagreements[: arguments.examples]
    for example in examples:
        print(f"\n{_title(example)}\n{_diagram(example)}")
    if examples and arguments.picture:
        _draw(examples, arguments.picture)
    elif arguments.picture:
        print(f"No game differs: {arguments.picture} is not written", file=sys.stderr)
    return 0


def _print_figures(arguments: argparse.Namespace, found: TargetComparison) -> None:
    first, second = arguments.first, arguments.second
    print(f"{plural(found.games, 'game')} in both, {found.accepted:,} accepted by both")
    print(f"{found.only_first:8} accepted by {first} only")
    print(f"{found.only_second:8} accepted by {second} only")
    decided = found.agreed + found.opposed
    if not decided:
        return
    agreed = f"{found.agreed / decided:.3%} to the same player, {found.opposed:,} not"
    print(f"{plural(decided, 'point')} decided by both: {agreed}")
    for name, number in zip((first, second), found.decided_once, strict=True):
        print(f"{number:8} points decided by {name} only ({number / decided:.2%})")
    print(f"{plural(len(found.disagreements), 'game')} with points that do not go to the same player")
    sizes = np.array([disagreement.points.sum() for disagreement in found.disagreements])
    for name, (least, most) in _SIZES.items():
        print(f"{((least <= sizes) & (sizes <= most)).sum():8} with {name} of them")


def _title(example: TargetDisagreement) -> str:
    game, scorers = example.game, " / ".join(example.scorers)
    return f"{game.id} {game.source} ({game.result.text}): {plural(int(example.points.sum()), 'point')}, {scorers}"


def _diagram(example: TargetDisagreement) -> str:
    """Return the last position, with + and - on points that the first dataset alone gives to Black or to White."""
    marks = {int(point): "+-"[int(example.first.flat[point] < 0)] for point in np.flatnonzero(example.points)}
    return render_text(example.game.position().stones, marks=marks)


def _draw(examples: Sequence[TargetDisagreement], path: str) -> None:
    from viz.board import draw_ownership
    from viz.figure import new_grid, save

    boards = new_grid(len(examples), min(_COLUMNS, len(examples)))
    for example, axes in zip(examples, boards, strict=True):
        position = example.game.position()
        draw_ownership(position.stones, (example.first * example.points).astype(np.float32), ax=axes)
        axes.set_title(f"{example.game.id}  {example.game.result.text}\n{' / '.join(example.scorers)}", fontsize=9)
        axes.set_xlabel(f"{example.points.sum()} squares: owner according to the first", color="#333333")
    with replacing(path) as partial:
        save(boards[0], partial, dpi=60)
    report_file(path)
