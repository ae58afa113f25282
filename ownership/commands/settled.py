"""Show which points have their final owner, how long the others stay open, and whether the game is decided.

Examples:
    ownership settled game.sgf --move 120 --picture map.png
    ownership settled game.sgf --every 10 --picture curve.png

See docs/explaining.md.
"""

import argparse
import json
from collections.abc import Sequence

from game_records.record_sources import files_of
from goban.errors import plural
from ownership.commands.shared.game_arguments import GAME_HELP, move_argument
from ownership.commands.shared.game_position import game_at
from ownership.commands.shared.model_arguments import load_model, model_argument
from ownership.commands.shared.output_files import InputFiles, report_file
from ownership.explaining.settled import Settled, settled
from runtime.command_line import Argument, declare
from runtime.safe_writing import replacing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership settled`."""
    every = "a line for every Kth position up to there, instead of one position"
    picture = "draw a map of the position, or the curve of --every: .png, .svg or .pdf"
    declare(
        parser,
        Argument("file FILE", str, GAME_HELP),
        move_argument("read"),
        Argument("--every K", int, every, None, 1, 10_000),
        Argument("--picture FILE", str, picture),
        Argument("--json", bool, "print JSON", False),
        model_argument(),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print how settled the position is, or a line for every Kth one; return 0."""
    if arguments.picture is not None:
        from viz.figure import check_picture

        check_picture(arguments.picture)
        InputFiles(files_of([arguments.file])).check_output(arguments.picture)
    game, every = game_at(arguments.file, arguments.move), arguments.every
    last = len(game.positions) - 1
    plies = [last] if every is None else sorted({*range(0, last, every), last})
    found = settled(load_model(arguments.model), [game.positions[ply] for ply in plies], game.terms)
    if every is None:
        print(json.dumps(found[0].as_json()) if arguments.json else found[0].text)
    elif arguments.json:
        print(json.dumps([{"move": ply, **each.summary()} for ply, each in zip(plies, found, strict=True)]))
    else:
        print("\n".join(f"{ply:4}  {each.share:4.0%}  {each.verdict}" for ply, each in zip(plies, found, strict=True)))
    if arguments.picture is not None:
        _draw(plies, found, arguments.picture, curve=every is not None)
    return 0


def _draw(plies: Sequence[int], found: Sequence[Settled], path: str, *, curve: bool) -> None:
    """Draw the curve of several positions, or the map of the last one."""
    from viz.board import Look, draw_settled
    from viz.figure import add_heading, new_axes, save
    from viz.game_graphs import draw_settled_graph

    here = found[-1]
    if curve:
        axes = draw_settled_graph([each.share for each in found], [each.soon for each in found], moves=plies)
    else:
        recent = here.position.recent
        look: Look = {"ax": new_axes(7.2, 8.0), "last": recent[0] if recent else None}
        axes = draw_settled(here.position.stones, here.owner, here.waits, **look)
        shown = f"{here.share:.0%} of the board is settled; {here.verdict}"
        add_heading(axes, f"After {plural(plies[-1], 'move')}", shown)
    with replacing(path) as partial:
        save(axes, partial)
    report_file(path)
