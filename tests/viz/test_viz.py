"""Pictures: what lands on the axes, that they look as they did, and that files come out."""

import re
import shutil
import subprocess
import warnings
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.image import imread
from numpy.typing import NDArray
from PIL import Image, ImageColor

from goban.board_colours import CROSS, OWNER_FILL, STONE_FILL
from goban.board_svg import render_svg
from goban.errors import InputError
from goban.position import Position
from goban.star_points import star_points
from tests.support.gallery import FOLDER, PICTURES, draw
from viz import fonts
from viz.board import Style, draw_board, draw_ownership, draw_policy, draw_territory
from viz.curves import draw_accuracy, draw_calibration, draw_training
from viz.figure import add_heading, figure_of, fitting_size, new_axes, new_row, save
from viz.figure_colours import NEUTRAL, heat
from viz.film import Film, Scene, draw_film, save_film
from viz.fonts import families, missing_letters
from viz.game_graphs import draw_score_graph
from viz.legend import add_sheet_text, add_to_legend

STONES = Position.from_diagram(". X O / . X O / . . .").stones
OWNERSHIP = np.array([[1, 0.5, -1], [1, 1, -1], [0, -0.25, 0]], np.float32)
CLEAR = 0.3  # difference of a pixel, of 1, that can be seen
SAME = 0.01  # share of the pixels that may differ clearly, by fonts of another version
SIMILAR = 0.03  # mean difference of a picture from another one that was made smaller


def painted(axes: Axes, colour: Any) -> list[tuple[float, float, float]]:
    """Return (x, y, width) of every filled shape of a colour, in the order of drawing."""
    from matplotlib.colors import to_rgba

    boxes = []
    for collection in axes.collections:
        shapes = zip(collection.get_paths(), cycle(collection.get_facecolor()), strict=False)
        boxes += [path.get_extents() for path, fill in shapes if np.allclose(fill, to_rgba(colour))]
    return [(round(box.x0 + box.width / 2, 3), round(box.y0 + box.height / 2, 3), round(box.width, 4)) for box in boxes]


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_look_as_they_did(name: str, tmp_path: Path) -> None:
    """Draw the references again with `python -m tests.support.gallery`, and look at them."""
    draw(name, tmp_path / "new.png")
    old, new = imread(FOLDER / f"{name}.png"), imread(tmp_path / "new.png")
    assert new.shape == old.shape
    assert (np.abs(new - old).max(axis=2) > CLEAR).mean() < SAME


def test_a_picture_is_the_same_small_and_large(tmp_path: Path) -> None:
    save(draw_ownership(STONES, OWNERSHIP), tmp_path / "small.png", dpi=300 / 7.2)
    save(draw_ownership(STONES, OWNERSHIP), tmp_path / "large.png", dpi=3000 / 7.2)
    small, large = Image.open(tmp_path / "small.png"), Image.open(tmp_path / "large.png")
    assert (small.width, large.width) == (300, 3000)
    shrunk = np.asarray(large.convert("RGB").resize(small.size, Image.Resampling.BOX), float)
    assert np.abs(shrunk - np.asarray(small.convert("RGB"), float)).mean() / 255 < SIMILAR


def test_a_square_is_where_its_point_is_and_has_an_area_as_large_as_it_is_sure() -> None:
    axes = draw_ownership(STONES, OWNERSHIP, style="all-squares")
    black, white = painted(axes, OWNER_FILL[1]), painted(axes, OWNER_FILL[-1])
    assert [(x, y) for x, y, _ in black] == [(0, 2), (1, 2), (0, 1), (1, 1)]
    assert [(x, y) for x, y, _ in white] == [(2, 2), (2, 1), (1, 0)]
    sizes = np.array([size for _, _, size in black + white]) / black[0][2]
    np.testing.assert_allclose(sizes**2, [1, 0.5, 1, 1, 1, 1, 0.25], atol=1e-3)


def test_the_least_certainty_that_is_drawn_is_no_speck() -> None:
    widths = [width for _, _, width in painted(draw_ownership(STONES, OWNERSHIP * 0 + 0.101), OWNER_FILL[1])]
    assert widths
    assert min(widths) > 0.19  # of the distance between two lines


def test_stones_that_stay_have_no_square() -> None:
    ownership = np.array([[1, 0.5, -1], [1, 0.2, 0.5], [0, -0.25, 0]], np.float32)
    axes = draw_ownership(STONES, ownership)
    assert [(x, y) for x, y, _ in painted(axes, OWNER_FILL[1])] == [(0, 2), (0, 1), (1, 1), (2, 1)]
    assert [(x, y) for x, y, _ in painted(axes, OWNER_FILL[-1])] == [(1, 0)]


@pytest.mark.parametrize("style", get_args(Style))
def test_a_square_stands_beside_a_label(style: Style) -> None:
    axes = draw_ownership(-STONES, np.ones((3, 3), np.float32), style=style, labels={1: "2"})
    fill = heat()(1.0) if style == "heat" else OWNER_FILL[1]
    squares = [(x, y) for x, y, width in painted(axes, fill) if width < 1]
    assert squares[-1] == (1.35, 1.65)
    assert (1, 1) in squares
    assert (1, 2) not in squares


def test_legends_name_what_is_drawn() -> None:
    nothing, owner = np.zeros((3, 3), np.bool_), np.ones((3, 3), np.int8)
    one_dead = nothing.copy()
    one_dead[0, 1] = True
    black = np.ones((3, 3), np.float32)
    assert draw_ownership(STONES, black * 0).get_xlabel() == ""
    assert draw_ownership(STONES, black, dead=nothing).get_xlabel() == "blue: Black's   larger: more certain"
    assert draw_ownership(STONES, -black, style="heat", dead=one_dead).get_xlabel() == (
        "red: White's   deeper: more certain   cross: dead stone"
    )
    assert draw_territory(STONES, owner).get_xlabel() == "square: territory"
    owner[2, 2] = 0
    shown = draw_territory(STONES, owner, dead=one_dead, seki=STONES == -1).get_xlabel()
    assert shown == "square: territory   cross: dead stone   diamond: dame   ring: seki"
    assert draw_territory(STONES, owner, finished=False).get_xlabel() == "square: territory   diamond: open"


@pytest.mark.parametrize("view", ["territory", "ownership"])
def test_numbers_leave_crosses_and_rings_visible(view: str, tmp_path: Path) -> None:
    def visible(labels: dict[int, str]) -> list[int]:
        dead, seki = STONES == 1, STONES == -1
        if view == "territory":
            axes = draw_territory(STONES, np.zeros((3, 3), np.int8), dead=dead, seki=seki, labels=labels)
        else:
            axes = draw_ownership(STONES, 0 * OWNERSHIP, dead=dead, labels=labels)
        save(axes, tmp_path / "board.png", dpi=50)
        pixels = (255 * imread(tmp_path / "board.png")[..., :3]).round()
        return [int((np.abs(pixels - ImageColor.getrgb(mark)).max(axis=2) < 30).sum()) for mark in (CROSS, NEUTRAL)]

    plain, numbered = visible({}), visible(dict.fromkeys(np.flatnonzero(STONES).tolist(), "115"))
    assert plain[0] > 50
    assert all(after >= 0.3 * before for before, after in zip(plain, numbered, strict=True))


def test_a_long_legend_stays_readable() -> None:
    axes = new_axes()
    axes.set_xlabel("cross: dead stone")
    add_to_legend(axes, [f"{number} at Q16" for number in range(100, 250)])
    assert float(axes.xaxis.label.get_fontsize()) >= 11
    first, *_, last = lines = axes.get_xlabel().replace("\xa0", " ").splitlines()
    assert first == "cross: dead stone"
    assert len(lines) == 4
    named = axes.get_xlabel().count("Q16")
    assert last.endswith(f" and {150 - named} more")
    figure_of(axes).draw_without_rendering()
    assert axes.xaxis.label.get_window_extent().width < figure_of(axes).bbox.width


def test_a_sheet_has_one_legend() -> None:
    left, right = new_row(2)
    draw_ownership(STONES, OWNERSHIP, ax=left)
    draw_ownership(STONES, OWNERSHIP, dead=STONES == 1, ax=right)
    add_sheet_text([left, right], "● An – ○ Bo")
    assert (left.get_xlabel(), right.get_xlabel()) == ("", "")
    figure = figure_of(left)
    assert figure.get_supxlabel() == "blue: Black's   red: White's   larger: more certain   cross: dead stone"
    assert figure.get_suptitle() == "● An – ○ Bo"


def test_letters_are_written_in_a_font_that_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert families("● An – ○ Bo") == ("DejaVu Sans",)
    assert len(families("An ᶁ")) == 2  # a letter of STIX, which matplotlib brings
    assert missing_letters("An ᶁ") == ""
    monkeypatch.setattr(fonts, "_installed", list)
    fonts._found.cache_clear()
    fonts.families.cache_clear()
    fonts.missing_letters.cache_clear()
    assert missing_letters("柯 An 洁柯\n") == "柯洁"
    assert families("柯洁?") == ("DejaVu Sans",)


def test_coordinates_can_be_left_out() -> None:
    with_, without = draw_board(STONES), draw_board(STONES, coordinates=False)
    assert len(with_.collections) == len(without.collections) + 1
    written = [len(each.get_paths()) for each in with_.collections if isinstance(each, PathCollection)]
    assert max(written) == 4 * 3  # a letter or number at each end of each line


@pytest.mark.parametrize(("side", "number"), [(2, 0), (5, 0), (7, 5), (8, 4), (9, 5), (13, 5), (19, 9), (20, 4)])
def test_star_points(side: int, number: int) -> None:
    points = star_points(side)
    assert len(set(points)) == len(points) == number
    assert {(side - 1 - x, y) for x, y in points} == set(points)


def test_a_mark_is_drawn_only_where_there_is_something_to_mark() -> None:
    nothing = np.zeros((3, 3), np.bool_)
    plain = draw_ownership(STONES, OWNERSHIP, dead=nothing)
    dead = nothing.copy()
    dead[0, 2] = dead[2, 2] = True  # a stone, and an empty point that gets no cross
    marked = draw_ownership(STONES, OWNERSHIP, dead=dead)
    bars = [len(after.get_paths()) for after in marked.collections]
    assert sum(bars) - sum(len(before.get_paths()) for before in plain.collections) == 2 * 2
    assert len(draw_board(STONES, last=1).collections) == len(draw_board(STONES).collections) + 1
    assert len(draw_board(STONES, last=9).collections) == len(draw_board(STONES).collections)


def test_dame_and_seki_are_marked() -> None:
    seki = STONES != 0
    axes = draw_territory(STONES, np.zeros((3, 3), np.int8), seki=seki)
    assert len(painted(axes, NEUTRAL)) == 9


def test_likely_moves_show_their_chance() -> None:
    policy = np.array([0.6, 0, 0, 0.2, 0, 0, 0.004, 0, 0.096, 0.1], np.float32)
    axes = draw_policy(STONES, policy)
    [discs] = [each for each in axes.collections if each.get_zorder() == 5]
    np.testing.assert_array_equal(discs.get_offsets(), [[0, 2], [0, 1], [2, 0]])
    assert axes.get_xlabel().endswith("pass: 10%")


def test_the_likeliest_move_is_shown_below_one_percent() -> None:
    policy = np.full(10, 0.005, np.float32)
    policy[6] = 0.006
    axes = draw_policy(STONES, policy)
    [discs] = [each for each in axes.collections if each.get_zorder() == 5]
    np.testing.assert_array_equal(discs.get_offsets(), [[0, 0]])


def test_jupyter_shows_a_position_as_svg() -> None:
    position = Position.empty(9).play(40).play(0)
    root = ElementTree.fromstring(position._repr_svg_())
    stones = root.find(".//*[@class='stones']")
    assert stones is not None
    assert [(each.get("cx"), each.get("cy")) for each in stones] == [("4", "4"), ("0", "0")]
    [ring] = root.find(".//*[@class='marks']") or []
    assert (ring.get("cx"), ring.get("cy")) == ("0", "0")
    assert [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")][:4] == ["A", "A", "9", "9"]


def test_svg_shows_values_and_crosses_and_escapes_its_label() -> None:
    root = ElementTree.fromstring(render_svg(STONES, values=OWNERSHIP, crossed=STONES == 1, label='"<b>&'))
    shades, stones, marks = (root.find(f".//*[@class='{name}']") for name in ("shades", "stones", "marks"))
    assert shades is not None
    assert stones is not None
    assert marks is not None
    certain, half = (float(each.get("opacity", 0)) for each in shades[:2])
    assert certain == pytest.approx(2 * half, abs=0.01)
    black, white = STONE_FILL[1], STONE_FILL[-1]
    assert [each.get("fill") for each in shades] == [black, black, white, black, black, white, white]
    assert [each.get("opacity") for each in stones] == [
        "0.5" if each.get("fill") == "url(#black-stone)" else None for each in stones
    ]
    assert marks[0].get("d", "").count("M") == 2
    assert root.get("aria-label") == '"<b>&'


def seen_by(colours: NDArray[np.float64], kind: str) -> NDArray[np.float64]:
    """Return sRGB (K, 3) as people see it who lack a kind of cone (Machado, Oliveira and Fernandes 2009)."""
    matrices = {
        "protanopia": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
        "deuteranopia": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
        "tritanopia": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
        "nothing": np.eye(3),
    }
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    seen: NDArray[np.float64] = np.clip(linear @ np.array(matrices[kind]).T, 0, 1)
    return seen


@pytest.mark.parametrize("kind", ["nothing", "protanopia", "deuteranopia", "tritanopia"])
def test_colour_blind_people_can_read_the_heat_map(kind: str) -> None:
    colours = heat()(np.linspace(0, 1, 41))[:, :3]
    lightness = seen_by(colours, kind) @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(lightness[:21]) > 0).all()
    assert (np.diff(lightness[20:]) < 0).all()
    ends = seen_by(colours[[0, -1]], kind)
    assert np.abs(ends[0] - ends[1]).max() > 0.25


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_same_picture_gives_the_same_file(ending: str, start: bytes, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save(draw_board(STONES), tmp_path / f"{name}.{ending}")
    first = (tmp_path / f"one.{ending}").read_bytes()
    assert first.startswith(start)
    assert first == (tmp_path / f"two.{ending}").read_bytes()


def test_pdf_has_fonts_that_publishers_take(tmp_path: Path) -> None:
    save(draw_accuracy({"one": ([0, 50], [0.5, 0.7])}), tmp_path / "curve.pdf")
    fonts = re.findall(rb"/Subtype /(CIDFontType2|Type3)", (tmp_path / "curve.pdf").read_bytes())
    assert fonts == [b"CIDFontType2"]


def test_refuses_other_endings(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"board.gif: expected a picture file ending in .png, .svg, .pdf"):
        save(new_axes(), tmp_path / "board.gif")


def test_names_are_no_formulas_and_may_have_any_signs(tmp_path: Path) -> None:
    axes = draw_board(STONES)
    add_heading(axes, r"$\frac{ 柯洁 🙂 <b>", r"\$x_{$")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(axes, tmp_path / "board.png")
        assert len(list(draw_film(replace(film(), title="柯洁")))) == len(film().scenes)


def test_long_names_are_written_smaller() -> None:
    long = "A name that goes on and on – and another one that does"
    assert fitting_size(new_axes(), "An – Bo", 19) == 19
    assert fitting_size(new_axes(), long, 19) < 15
    assert fitting_size(new_axes(), "柯" * len(long), 19) < fitting_size(new_axes(), long, 19)


def test_curves_show_their_data() -> None:
    left, right = new_row(2)
    assert draw_accuracy({"one": ([0, 50], [0.5, 0.7]), "two": ([0, 50], [0.6, 0.8])}, ax=left) is left
    assert [np.asarray(line.get_ydata()).tolist() for line in left.lines] == [[0.5, 0.7], [0.6, 0.8]]
    assert left.get_legend_handles_labels()[1] == ["one", "two"]
    banded = draw_accuracy({"one": ([0, 50], [0.5, 0.7], [0.1, 0.05])})
    [band] = banded.collections
    assert band.get_paths()[0].get_extents().get_points()[:, 1].tolist() == pytest.approx([0.4, 0.75])
    assert (left.get_title(), banded.get_title()) == (
        "Accuracy by move number",
        "Accuracy by move number, ± standard error",
    )
    assert draw_calibration({"a": ([0.1, 0.9], [0.2, 0.8], [30, 10])}, ax=right) is right
    np.testing.assert_array_equal(right.collections[0].get_offsets(), [[0.1, 0.2], [0.9, 0.8]])
    discs = right.collections[0]
    assert isinstance(discs, PathCollection)
    assert discs.get_sizes()[0] > discs.get_sizes()[1]


def test_the_score_graph_has_blacks_lead_above_and_is_named_as_results_are() -> None:
    axes = draw_score_graph([-5, 10, 20], [-15, 0, 15], [5, 20, 25], moves=[0, 10, 20])
    line = axes.lines[-1]
    assert np.asarray(line.get_xydata()).tolist() == [[0, -5], [10, 10], [20, 20]]
    name = axes.yaxis.get_major_formatter()
    assert [name(value, 0) for value in (10, 0, -20)] == ["B+10", "0", "W+20"]
    assert axes.get_ylim()[0] == -axes.get_ylim()[1]


def test_training_leaves_out_what_was_not_measured() -> None:
    history = [{"samples": 1, "accuracy": 0.5}, {"samples": 2, "accuracy": 0.6, "validation_accuracy": 0.7}]
    axes = draw_training({"one": history}, "accuracy")
    assert [np.asarray(line.get_xydata()).tolist() for line in axes.lines] == [[[1, 0.5], [2, 0.6]], [[2, 0.7]]]


def test_a_single_validation_is_drawn_as_a_point() -> None:
    axes = draw_training({"one": [{"samples": 1, "accuracy": 0.5, "validation_accuracy": 0.6}]}, "accuracy")
    assert [line.get_marker() for line in axes.lines] == ["o", "o"]


def film() -> Film:
    def scene(move: int) -> Scene:
        stones, dead = np.where(move, STONES, 0).astype(np.int8), np.zeros((3, 3), np.bool_)
        return Scene(
            stones, (OWNERSHIP * move / 2).astype(np.float32), dead, None, move, 2.0 * move, -1, 9, f"after {move}"
        )

    return Film([scene(move) for move in range(3)], "$A – B")


def test_a_picture_of_a_film_does_not_depend_on_those_before() -> None:
    pictures = list(draw_film(film()))
    [alone] = draw_film(film(), [2])
    np.testing.assert_array_equal(pictures[2], alone)
    assert (pictures[1] != pictures[2]).any()


def test_a_gif_shows_every_scene_in_its_colours(tmp_path: Path) -> None:
    save_film(film(), tmp_path / "film.gif", 0.2)
    with Image.open(tmp_path / "film.gif") as found:
        assert (found.info["duration"], found.info["loop"]) == (200, 0)
        for number, picture in enumerate(draw_film(film())):
            found.seek(number)  # raises EOFError where there are fewer
            assert np.abs(np.asarray(found.convert("RGB"), float) - picture).mean() < 4
        assert found.info["duration"] == 3200


@pytest.mark.skipif(shutil.which("ffprobe") is None, reason="needs ffmpeg")
def test_an_mp4_shows_every_scene(tmp_path: Path) -> None:
    save_film(film(), tmp_path / "film.mp4", 0.5)
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=width,height,duration,pix_fmt", "-of", "csv=p=0"]
    answer = subprocess.run([*command, tmp_path / "film.mp4"], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "600,840,yuv420p,4.500000"
    with pytest.raises(OSError, match=r"ffmpeg cannot write it: .*No such file.*no/film\.mp4"):
        save_film(film(), tmp_path / "no" / "film.mp4", 0.5)


def test_without_ffmpeg_an_mp4_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"film\.mp4: MP4 needs ffmpeg, which is not installed"):
        save_film(film(), tmp_path / "film.mp4", 0.5)
