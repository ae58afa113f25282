"""Draw a game: a position, a contact sheet or an animation.

Examples:
    ownership show game.sgf -o board.png
    ownership show game.sgf --every 20 -o sheet.png
    ownership show game.sgf -o game.gif

See docs/pictures.md.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from game_records.record_sources import files_of, read_game
from goban.errors import InputError
from ownership.commands.shared.game_arguments import (
    GAME_HELP,
    move_argument,
    score_arguments,
    score_options,
    with_warning,
)
from ownership.commands.shared.model_arguments import load_model
from ownership.commands.shared.output_files import InputFiles, report_file
from ownership.commands.shared.progress import progress_bar
from ownership.commands.shared.score_pictures import STYLES, draw_scored, heading, latest_move
from ownership.scoring.scored_game import ScoredGame
from ownership.scoring.timeline import caption, move_numbers, smooth_scores, timeline, unnumbered_moves
from runtime.command_line import Argument, declare
from runtime.safe_writing import replacing
from viz.board import Look
from viz.figure import PICTURE_FORMATS, add_heading, figure_of, new_axes, new_grid, save
from viz.film import FILM_FORMATS, Film, Scene, check_film, save_film
from viz.legend import add_sheet_text, add_to_legend

VIEWS = ("auto", *STYLES, "territory", "policy", "board")
_MAX_BOARDS = 100
_COLUMNS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership show`."""
    output = "where to write: .png, .svg or .pdf for a picture, .gif or .mp4 for an animation"
    every = "show every Kth position: a contact sheet, or an animation"
    declare(parser, Argument("game GAME", str, GAME_HELP), Argument("-o --output FILE", str, output, required=True))
    positions = parser.add_mutually_exclusive_group()
    declare(positions, move_argument("show"), Argument("--every K", int, every, None, 1, 10_000))
    declare(
        parser,
        Argument("--view", VIEWS, "what the points show", "auto", otherwise="territory if finished, else squares"),
        Argument("--numbers N", int, "write the numbers of the last N moves on their stones", 0, 0, 10_000),
        Argument("--no-coordinates", bool, "draw no coordinates at the edge", True),
        Argument("--width PIXELS", int, "width of a .png", 1000, 100, 10_000),
        Argument("--seconds S", float, "seconds that an animation shows each position", 0.3, 0.02, 60),
        *score_arguments(),
    )


def run(arguments: argparse.Namespace) -> int:
    """Evaluate the positions and write the picture; return 0."""
    _check(arguments)
    options, game = score_options(arguments), with_warning(read_game(arguments.game))
    plies = _plies(arguments, len(game.move_points))
    InputFiles(files_of([arguments.game])).check_output(arguments.output)
    evaluator = load_model(arguments.model)
    scored = timeline(game, evaluator, options, plies)
    if _is_film(arguments.output):
        _save_film(list(progress_bar(scored, total=len(plies), unit="position")), arguments)
    else:
        _save_boards(list(scored), arguments)
    report_file(arguments.output)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Raise InputError for choices that cannot be drawn."""
    if _ending(arguments.output) not in (*PICTURE_FORMATS, *FILM_FORMATS):
        endings = ", ".join(f".{name}" for name in (*PICTURE_FORMATS, *FILM_FORMATS))
        raise InputError(f"{arguments.output}: expected a file ending in {endings}")
    if _is_film(arguments.output):
        check_film(arguments.output)
        if arguments.view not in ("auto", *STYLES):
            found = f"{', '.join(STYLES)}. Received: {arguments.view}"
            raise InputError(f"{arguments.output}: --view of an animation: expected {found}")
        if arguments.move is not None or arguments.numbers:
            option = "--move" if arguments.move is not None else "--numbers"
            raise InputError(f"{arguments.output}: expected a picture, which {option} needs. Received: an animation")


def _ending(path: str) -> str:
    return Path(path).suffix.lower().removeprefix(".")


def _is_film(path: str) -> bool:
    return _ending(path) in FILM_FORMATS


def _plies(arguments: argparse.Namespace, moves: int) -> list[int]:
    """Return the numbers of moves after which positions are shown; of several, the last position is one."""
    film = _is_film(arguments.output)
    if arguments.every is None and not film:
        return [moves if arguments.move is None else arguments.move]
    plies = sorted({*range(0, moves, arguments.every or 1), moves})
    if not film and len(plies) > _MAX_BOARDS:
        raise InputError(f"--every {arguments.every} gives {len(plies)} boards; expected {_MAX_BOARDS} at most")
    return plies


def _save_boards(scored: Sequence[ScoredGame], arguments: argparse.Namespace) -> None:
    """Draw one board with a heading of two lines, or several with a line each below the players' names."""
    names = heading(scored[0].game)
    if len(scored) == 1:
        boards = [new_axes(7.2, 8.0)]
        add_heading(boards[0], names, caption(scored[0]))
    else:
        boards = new_grid(len(scored), min(_COLUMNS, len(scored)), 3.6, 3.9)
    finished = all(each.estimate.finished for each in scored)
    for each, axes in zip(scored, boards, strict=True):
        labels = {point: str(number) for point, number in move_numbers(each, arguments.numbers).items()}
        look: Look = {"coordinates": arguments.coordinates, "ax": axes, "labels": labels}
        draw_scored(each, look, arguments.view, finished)
        if len(scored) > 1:
            axes.set_title(f"{each.move}: {each.estimate.result}", fontsize=11)
    if len(scored) > 1:
        add_sheet_text(boards, names)
    elif left_out := unnumbered_moves(scored[0], arguments.numbers):
        add_to_legend(boards[0], left_out)
    with replacing(arguments.output) as partial:
        save(boards[0], partial, arguments.width / figure_of(boards[0]).get_size_inches()[0])


def _save_film(scored: Sequence[ScoredGame], arguments: argparse.Namespace) -> None:
    every_move = scored[-1].move - scored[0].move == len(scored) - 1
    scores = smooth_scores(scored).tolist() if every_move else [each.estimate.score for each in scored]
    scenes = [_scene(each, score) for each, score in zip(scored, scores, strict=True)]
    film = Film(scenes, heading(scored[0].game), STYLES.get(arguments.view, "squares"))
    with replacing(arguments.output) as partial:
        save_film(
            film,
            partial,
            arguments.seconds,
            lambda pictures: progress_bar(pictures, total=len(scored), unit="picture"),
        )


def _scene(scored: ScoredGame, score: float) -> Scene:
    answer = scored.estimate
    low, high = answer.interval or (answer.score, answer.score)
    return Scene(
        stones=scored.position.stones,
        ownership=answer.ownership,
        dead=answer.dead,
        last=latest_move(scored),
        move=scored.move,
        score=score,
        low=low + score - answer.score,
        high=high + score - answer.score,
        caption=caption(scored),
    )
