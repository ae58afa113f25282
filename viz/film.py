"""A game as a film: one picture for each position, the board with its ownership above the score graph."""

import errno
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from goban.errors import InputError
from viz.board import Style, add_crosses, add_last, add_ownership, add_stones, add_wood, ownership_legend
from viz.figure import add_axes, boxes_for_missing_letters, fitting_size, new_figure
from viz.figure_colours import INK
from viz.fonts import families
from viz.game_graphs import draw_score_graph
from viz.legend import LEGEND_GAP

FILM_FORMATS = ("gif", "mp4")
_WIDTH, _HEIGHT = 6.0, 8.4  # inches
_DPI = 100
_BOARD = (0.02, 0.215, 0.96, 0.96 * _WIDTH / _HEIGHT)  # left, bottom, width, height as shares of the figure
_GRAPH = (0.1, 0.075, 0.87, 0.12)
_TITLE, _CAPTION, _LEGEND = (0.02, 0.974), (0.02, 0.938), (0.02, 0.02)
_STAYS = 3.0  # seconds that the end is shown
_COLOURFUL = 3  # pictures that the colours of a GIF are chosen from

Picture = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Scene:
    """One position of a film.

    Attributes:
        stones: int8 (N, N), 1 Black, -1 White, 0 empty.
        ownership: float32 (N, N) in [-1, 1], +1 Black.
        dead: bool (N, N), dead stones.
        last: flat index of the last move, or None.
        move: number of moves played.
        score, low, high: expected score, Black minus White, and the ends of its interval.
        caption: a line above the board.
    """

    stones: NDArray[np.int8]
    ownership: NDArray[np.float32]
    dead: NDArray[np.bool_]
    last: int | None
    move: int
    score: float
    low: float
    high: float
    caption: str


@dataclass(frozen=True, eq=False)
class Film:
    """A film.

    Attributes:
        scenes: positions of one board side, at least one.
        title: a line above every picture.
        style: how to show the ownership.
    """

    scenes: Sequence[Scene]
    title: str
    style: Style = "squares"


def draw_film(film: Film, numbers: Iterable[int] | None = None) -> Iterator[Picture]:
    """Yield the picture, uint8 (height, width, 3), of each scene, or of those with the given indices.

    Wood, lines and the graph, which do not change, are drawn once.
    """
    figure = new_figure(_WIDTH, _HEIGHT)
    figure.set_layout_engine("none")
    figure.set_dpi(_DPI)
    board, graph = _stage(figure, film)
    canvas = FigureCanvasAgg(figure)
    with boxes_for_missing_letters():
        canvas.draw()
    empty = canvas.copy_from_bbox(figure.bbox)
    for number in range(len(film.scenes)) if numbers is None else numbers:
        canvas.restore_region(empty)
        for artist in _play(board, graph, film.scenes[number], film.style):
            artist.draw(canvas.get_renderer())
            artist.remove()
        yield np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def save_film(
    film: Film, path: str | Path, seconds: float, watch: Callable[[Iterator[Picture]], Iterable[Picture]] = iter
) -> None:
    """Write a film as a GIF that goes on for ever, or as MP4.

    Args:
        film: what to show.
        path: a file ending in .gif or .mp4.
        seconds: how long each picture is shown; the last stays for three seconds more.
        watch: wraps the pictures, such as in a progress bar.

    Raises:
        InputError: another ending, or .mp4 where ffmpeg is missing.
        OSError: the file cannot be written.
    """
    check_film(path)
    pictures = watch(draw_film(film))
    if Path(path).suffix.lower() == ".gif":
        _save_gif(film, pictures, Path(path), seconds)
    else:
        _save_mp4(pictures, Path(path), seconds)


def check_film(path: str | Path) -> None:
    """Raise InputError unless `save_film` can write a file of this name."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in FILM_FORMATS:
        raise InputError(f"{path}: expected an animation ending in .gif, .mp4")
    if ending == "mp4" and shutil.which("ffmpeg") is None:
        raise InputError(f"{path}: MP4 needs ffmpeg, which is not installed; install it, or write a .gif")


def _stage(figure: Figure, film: Film) -> tuple[Axes, Axes]:
    """Draw what all pictures share: title, empty board, score graph, legend; return the axes of board and graph."""
    board, graph = add_axes(figure, 2, 1, 1), add_axes(figure, 2, 1, 2)
    board.set_position(_BOARD)
    graph.set_position(_GRAPH)
    add_wood(board, len(film.scenes[0].stones))
    columns = ([getattr(scene, name) for scene in film.scenes] for name in ("score", "low", "high"))
    draw_score_graph(*columns, moves=[scene.move for scene in film.scenes], ax=graph)
    graph.set_xlabel("")
    look: dict[str, Any] = {"xycoords": "figure fraction", "va": "center", "color": INK}
    title: dict[str, Any] = {"fontweight": "bold", "fontfamily": families(film.title), "parse_math": False}
    board.annotate(film.title, _TITLE, **look, **title, fontsize=fitting_size(board, film.title, 15))
    board.annotate(_legend(film), _LEGEND, **look, fontsize=10.5)
    return board, graph


def _legend(film: Film) -> str:
    stones, ownership = (np.stack([getattr(each, name) for each in film.scenes]) for name in ("stones", "ownership"))
    dead = np.stack([each.dead for each in film.scenes])
    return LEGEND_GAP.join(ownership_legend(stones, ownership, film.style, dead))


def _play(board: Axes, graph: Axes, scene: Scene, style: Style) -> list[Artist]:
    """Add a scene to the axes; return all that was added, in the order of drawing."""
    before = set(board.collections)
    add_stones(board, scene.stones, scene.dead)
    add_ownership(board, scene.stones, scene.ownership, style)
    add_crosses(board, scene.stones, scene.dead)
    add_last(board, scene.stones, scene.last)
    shapes = sorted(set(board.collections) - before, key=Artist.get_zorder)
    look: dict[str, Any] = {"xycoords": "figure fraction", "va": "center", "color": INK}
    caption = board.annotate(
        scene.caption, _CAPTION, **look, fontsize=fitting_size(board, scene.caption, 12), parse_math=False
    )
    line = graph.axvline(scene.move, color=INK, linewidth=1.2)
    return [*shapes, caption, line, *graph.plot([scene.move], [scene.score], "o", color=INK, markersize=5)]


def _save_gif(film: Film, pictures: Iterable[Picture], path: Path, seconds: float) -> None:
    from PIL import Image

    some = np.linspace(0, len(film.scenes) - 1, _COLOURFUL).round().astype(int).tolist()
    palette = Image.fromarray(np.concatenate(list(draw_film(film, some)))).quantize(255)
    images = (Image.fromarray(each).quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures)
    durations = [round(1000 * seconds)] * len(film.scenes)
    durations[-1] += round(1000 * _STAYS)
    next(images).save(path, "GIF", save_all=True, append_images=images, duration=durations, loop=0)


def _save_mp4(pictures: Iterable[Picture], path: Path, seconds: float) -> None:
    size = f"{round(_WIDTH * _DPI)}x{round(_HEIGHT * _DPI)}"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size]
    command += ["-r", f"{1 / seconds:g}", "-i", "-", "-vf", f"tpad=stop_mode=clone:stop_duration={_STAYS}"]
    command += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path.absolute())]
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said) as encoder, suppress(BrokenPipeError):
            assert encoder.stdin is not None
            for picture in pictures:
                encoder.stdin.write(picture.tobytes())
        said.seek(0)
        if encoder.returncode:
            reason = " ".join(said.read().decode(errors="replace").split())
            raise OSError(errno.EIO, f"ffmpeg cannot write it: {reason}", str(path))
