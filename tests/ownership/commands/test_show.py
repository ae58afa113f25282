"""`ownership show`: pictures, contact sheets and animations of a game."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.axes import Axes
from numpy.typing import NDArray
from PIL import Image

from game_records.record_sources import read_game
from game_records.sgf import parse_game
from goban.coords import parse_gtp
from goban.errors import InputError
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.timeline import changes, move_numbers, seki_at_end, smooth_scores, timeline, unnumbered_moves
from tests.support.paths import ROOT
from viz.film import Film
from viz.legend import add_sheet_text

GAME = rb"""(;GM[1]SZ[9]KM[6.5]RU[Japanese]PB[$\\frac{ <b>\u2764]PW[Bo]RE[B+6.5]
;B[ee];W[ec];B[fc];W[eb];B[fb];W[dd];B[fd];W[ed];B[fe];W[de];B[df];W[cf];B[dg];W[cg];B[ch];W[bh]
;B[dh];W[ce];B[ea];W[da];B[fa];W[ci];B[di];W[bi];B[];W[])"""
MOVES = 26
DOCS = ROOT / "docs"
FINISHED = str(ROOT / "examples" / "finished-19x19.sgf")
Show = Callable[..., int]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_bytes(GAME)
    return path


@pytest.fixture
def show(game: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Run `ownership show` on the game, in its folder, with the bundled model; return the exit status."""
    monkeypatch.chdir(game.parent)
    return lambda *arguments: main(["show", "game.sgf", "--symmetries", "1", *map(str, arguments)])


@pytest.mark.parametrize(
    ("view", "width"), [("squares", 300), ("heat", 300), ("territory", 300), ("board", 300), ("squares", 3000)]
)
def test_a_position_of_the_given_width(view: str, width: int, show: Show) -> None:
    assert show("--move", 12, "--view", view, "--numbers", 5, "--width", width, "-o", "out.png") == 0
    with Image.open("out.png") as picture:
        assert picture.width == width
        assert picture.width < picture.height < 1.2 * picture.width


def test_other_moves_and_other_views_are_other_pictures(show: Show) -> None:
    written = []
    for arguments in ([], ["--move", "3"], ["--view", "heat"], ["--numbers", "3"], ["--no-coordinates"]):
        assert show(*arguments, "-o", "out.svg") == 0
        written.append(Path("out.svg").read_bytes())
    assert len(set(written)) == len(written)


def test_a_contact_sheet_has_a_row_for_every_four_boards(show: Show) -> None:
    sizes = []
    for every in (9, 6):
        assert show("--every", every, "-o", "out.png", "--width", 800) == 0
        with Image.open("out.png") as picture:
            sizes.append(picture.size)
    four_boards, six_boards = sizes  # after moves 0, 9, 18 and 26; after 0, 6, 12, 18, 24 and 26
    assert four_boards[0] == six_boards[0] == 800
    assert six_boards[1] > 1.7 * four_boards[1]


@pytest.mark.parametrize("view", ["auto", "territory"])
def test_marks_on_a_sheet_are_of_one_kind_without_seki_before_the_end(
    view: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The count after 220 moves of this game has stones in seki, that of the end has none."""
    found: list[str] = []

    def explained(boards: Sequence[Axes], names: str) -> None:
        found.extend(axes.get_xlabel() for axes in boards)
        add_sheet_text(boards, names)

    monkeypatch.setattr("ownership.commands.show.add_sheet_text", explained)
    output = str(tmp_path / "out.png")
    assert main(["show", FINISHED, "--every", "110", "--view", view, "-o", output, "--model", "fast"]) == 0
    assert len(found) == 4
    legend = " ".join(found)
    assert "seki" not in legend and ("larger: " in legend) != ("square: territory" in legend)
    assert ("dame" in legend) + ("open" in legend) <= 1


def test_seki_is_shown_at_the_end_alone() -> None:
    before, end = timeline(read_game(FINISHED), Evaluator.load("fast"), ScoreOptions(), [220, 262])
    assert before.estimate.finished and before.estimate.seki.any() and not seki_at_end(before).any()
    played = end.game
    shorter = replace(played, move_points=played.move_points[:220], move_colours=played.move_colours[:220])
    assert seki_at_end(replace(before, game=shorter)).any()


@pytest.mark.parametrize(("arguments", "scenes"), [([], MOVES + 1), (["--every", "10"], 4)])
def test_an_animation_has_a_picture_for_each_position(arguments: list[str], scenes: int, show: Show) -> None:
    assert show(*arguments, "-o", "out.gif", "--seconds", "0.1") == 0
    with Image.open("out.gif") as film:
        film.seek(scenes - 1)
        with pytest.raises(EOFError):
            film.seek(scenes)


def test_the_graph_of_an_animation_does_not_alternate_with_the_side_to_move(
    show: Show, scored: list[ScoredGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    films: list[Film] = []

    def keep(film: Film, path: Path, *_: object) -> None:
        films.append(film)
        path.touch()

    monkeypatch.setattr("ownership.commands.show.save_film", keep)
    for every in (1, 5):
        assert show("--every", every, "-o", "out.gif") == 0
    every_fifth = [scored[move].estimate.score for move in (0, 5, 10, 15, 20, 25, 26)]
    for film, scores in zip(films, (smooth_scores(scored), np.array(every_fifth)), strict=True):
        np.testing.assert_allclose([scene.score for scene in film.scenes], scores, atol=1e-3)
        assert all(scene.low <= scene.score <= scene.high for scene in film.scenes)
        assert film.scenes[0].low < film.scenes[0].score < film.scenes[0].high


def test_moves_are_shown_by_models_that_predict_them(show: Show, small_model: Path, owner_model: Path) -> None:
    asked = ["--view", "policy", "--move", "4", "-o", "out.png", "--model"]
    assert show(*asked, small_model) == 0
    assert show(*asked, owner_model) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "out.bmp"], "out.bmp: expected a file ending in .png, .svg, .pdf, .gif, .mp4"),
        (["-o", "out.png", "--move", "27"], "game.sgf: move: expected a move number 0..26. Received: 27"),
        (["-o", "out.png", "--every", "0"], "--every: expected a whole number 1..10000. Received: 0"),
        (["-o", "out.png", "--width", "9"], "--width: expected a whole number 100..10000. Received: 9"),
        (["-o", "out.gif", "--seconds", "0"], "--seconds: expected a number 0.02..60. Received: 0"),
        (["-o", "out.gif", "--seconds", "nan"], "--seconds: expected a number 0.02..60. Received: nan"),
        (["-o", "out.gif", "--move", "3"], "out.gif: expected a picture, which --move needs. Received: an animation"),
        (["-o", "out.gif", "--numbers", "3"], "out.gif: expected a picture, which --numbers needs"),
        (
            ["-o", "out.gif", "--view", "policy"],
            "out.gif: --view of an animation: expected squares, all-squares, heat. Received: policy",
        ),
        (["-o", "no/out.png"], "no/out.png: No such file or directory"),
        (["-o", "out.png", "--rules", "chess"], "--rules must be one of area, territory, chinese"),
        (["-o", "out.png", "--komi", "nan"], "--komi: expected a number -400..400. Received: nan"),
    ],
)
def test_mistakes_cost_one_line_and_status_2(
    arguments: list[str], message: str, show: Show, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show(*arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"ownership: error: {message}")


def test_one_game_is_expected(tmp_path: Path) -> None:
    (tmp_path / "two.sgf").write_bytes(GAME + GAME)
    (tmp_path / "bad.sgf").write_bytes(b"(;SZ[9];B[jk])")
    for name, message in (("two", "expected one game. Received: several"), ("bad", "bad move: move 1")):
        with pytest.raises(InputError, match=message):
            read_game(tmp_path / f"{name}.sgf")


def test_a_timeline_equals_the_score_of_each_position(game: Path, bundled: Evaluator) -> None:
    record = read_game(game)
    for scored in timeline(record, bundled, ScoreOptions(symmetries=1), [0, 13, MOVES]):
        [alone] = score_games([record], bundled, ScoreOptions(move=scored.move, symmetries=1))
        assert scored.game is record
        assert scored.position == alone.position  # type: ignore[union-attr]
        assert scored.estimate.score == alone.estimate.score  # type: ignore[union-attr]
        assert scored.estimate.finished == alone.estimate.finished  # type: ignore[union-attr]


def test_jupyter_shows_an_estimate_as_svg(game: Path, bundled: Evaluator) -> None:
    [scored] = timeline(read_game(game), bundled, ScoreOptions(symmetries=1), [MOVES])
    root = ElementTree.fromstring(scored.estimate._repr_svg_())
    assert root.get("aria-label") == "B+6.5"
    stones, shades = (root.find(f".//*[@class='{name}']") for name in ("stones", "shades"))
    assert stones is not None
    assert shades is not None
    assert len(stones) == 24
    assert len(shades) > 70


def test_the_gallery_shows_the_pictures_of_its_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gallery = (DOCS / "pictures.md").read_text()
    drawn = set(re.findall(r"-o docs/(pictures/\S+)", gallery))
    shown = set(re.findall(r"!\[.*?\]\((\S+)\)", gallery))
    assert drawn == shown
    assert all((DOCS / picture).is_file() for picture in shown)
    [example] = re.findall(r"```python\n(.*?)```", gallery, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    assert Path("opening.svg").read_bytes().startswith(b"<?xml")


@pytest.fixture
def scored(game: Path, bundled: Evaluator) -> list[ScoredGame]:
    return list(timeline(read_game(game), bundled, ScoreOptions(symmetries=1), range(MOVES + 1)))


def with_ownership(scored: ScoredGame, values: list[float]) -> ScoredGame:
    """Return the position with the ownership of its first points; 0 elsewhere."""
    ownership = np.zeros((9, 9), np.float32)
    ownership.flat[: len(values)] = values
    return replace(scored, estimate=replace(scored.estimate, ownership=ownership))


def test_a_change_that_the_answer_undoes_does_not_count(scored: list[ScoredGame]) -> None:
    after_moves = [[0.0, 0.0], [1.0, 0.5], [0.0, 1.0], [0.0, 0.5]]
    positions = [with_ownership(each, values) for each, values in zip(scored[:4], after_moves, strict=True)]
    assert [(each.points, each.gain) for each in changes(positions)] == [(0.25, 0.5), (0.5, -1.0), (0.25, -0.5)]


def test_changes_of_a_game(scored: list[ScoredGame]) -> None:
    found = changes(scored)
    assert [change.move for change in found] == list(range(1, MOVES + 1))
    assert all(0 <= change.points <= 81 and abs(change.gain) <= 2 * change.points + 1e-6 for change in found)


def test_smooth_scores_do_not_alternate(scored: list[ScoredGame]) -> None:
    def alternation(scores: NDArray[np.float64]) -> float:
        apart = (scores[1:-1] - (scores[:-2] + scores[2:]) / 2)[open_[1:-1]]
        return abs(float(np.mean(apart * (-1) ** np.arange(len(apart)))))

    open_ = np.array([not each.estimate.finished for each in scored])
    scores = np.array([each.estimate.score for each in scored])
    smooth = smooth_scores(scored)
    assert alternation(smooth) < 0.05 < alternation(scores)
    np.testing.assert_array_equal(smooth[~open_], scores[~open_])
    np.testing.assert_array_equal(smooth_scores(scored[:1]), scores[:1])


def test_moves_have_numbers(game: Path, bundled: Evaluator) -> None:
    record = read_game(game)
    [end] = timeline(record, bundled, ScoreOptions(symmetries=1), [MOVES])
    assert move_numbers(end, 4) == {parse_gtp("D1", 9): 23, parse_gtp("B1", 9): 24}
    assert len(move_numbers(end, MOVES)) == int((end.position.stones != 0).sum())


def test_moves_whose_number_no_stone_shows_are_listed(bundled: Evaluator) -> None:
    captured = parse_game(b"(;SZ[5];B[aa];W[ba];B[cc];W[ab];B[];W[ee])")
    [end] = timeline(captured, bundled, ScoreOptions(symmetries=1), [6])
    assert unnumbered_moves(end, 6) == ["1 at A5", "5 pass"]
    assert unnumbered_moves(end, 5) == ["5 pass"]
