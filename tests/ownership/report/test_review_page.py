"""`ownership report --visits`, looked at in a real browser."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from goban.coords import gtp_name
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.report.game_page import review_page
from ownership.review.moves import ReviewedMove, mistakes, reviewed_moves
from ownership.review.positions import ReviewedPosition, review
from ownership.scoring.games import ScoreOptions
from preprocessing.records.sgf import parse_game
from tests.support.browser import Browser

NASTY = "<script>document.title='run'</script>"
GAME = f"""(;GM[1]SZ[9]KM[6.5]RU[Chinese]PB[{NASTY}]PW[Bo];B[ee];W[ec];B[fc];W[eb];B[fb];W[dd];B[fd];W[ed];B[fe];W[de]
;B[df];W[cf];B[dg];W[cg];B[ch];W[bh];B[dh];W[ce];B[ea];W[da];B[fa];W[ci];B[di];W[bi];B[];W[hh];B[];W[])"""
LAST = 28
SCREENS = (320, 360, 480, 600, 768, 896, 1024, 1280, 1600, 1920)


@pytest.fixture(scope="module")
def positions(bundled: Evaluator) -> list[ReviewedPosition]:
    return list(review(parse_game(GAME.encode(), "home/me/game.sgf"), bundled, ScoreOptions(symmetries=1), 16))


@pytest.fixture(scope="module")
def moves(positions: Sequence[ReviewedPosition]) -> list[ReviewedMove]:
    return reviewed_moves(positions)


@pytest.fixture
def opened(browser: Browser, positions: Sequence[ReviewedPosition]) -> Browser:
    """The browser, at the end of the game."""
    browser.open(review_page(positions))
    return browser


def test_it_fits_every_screen_and_complains_of_nothing(opened: Browser, moves: Sequence[ReviewedMove]) -> None:
    page = (opened.folder / "page.html").read_text()
    for width in SCREENS:
        opened.open(page, width=width, move=mistakes(moves, 1)[0].number)
        assert opened.run("return document.documentElement.scrollWidth <= innerWidth"), width
    assert opened.complaints() == []
    assert opened.text("h1 bdi") == NASTY, "text, not markup"


def test_the_largest_mistakes_with_the_better_move(opened: Browser, moves: Sequence[ReviewedMove]) -> None:
    costly = mistakes(moves, 10)
    links = opened.run("return [...document.querySelectorAll('#changes a')].map((each) => each.textContent)")
    assert len(links) == len(costly) > 0
    for link, move in zip(links, costly, strict=True):
        assert link.startswith(str(move.number))
        assert link.endswith(f"{move.lost:.1f} points lost, better {gtp_name(move.best.point, 9)}")
    opened.find("#changes a").click()
    told = opened.text("#detail")
    first = costly[0]
    assert f"the move lost {first.lost:.1f} points; on the board it gained {first.gained:.1f} and gave away" in told


def test_a_probability_is_never_called_certain(opened: Browser) -> None:
    for chance, words in ((100, "Black wins (over 99%)"), (99, "Black wins (99%)"), (0, "White wins (over 99%)")):
        opened.run(f"game.chance[{LAST}] = {chance}; show({LAST})")
        assert words in opened.text("#detail")
    opened.run("game.chance[1] = 46; show(1)")
    assert "White's win rate 54%" in opened.text("#detail")


def test_a_loss_within_the_noise_is_marked(opened: Browser, moves: Sequence[ReviewedMove]) -> None:
    assert opened.text("#note").startswith("Losses below 0.7 points mean little")
    small = next(move.number for move in moves if 0.1 <= move.lost < 0.6)
    opened.run(f"show({small})")
    assert "the move lost about 0." in opened.text("#detail")


def test_the_better_line_is_clicked_through(
    opened: Browser, positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    worst = mistakes(moves, 1)[0]
    opened.find("#changes a").click()
    board = positions[worst.number - 1].scored.position
    for ply, point in enumerate(worst.best.line[:3], 1):
        board = board.play(point)
        button = opened.find(f"[data-line='{worst.number}'][data-ply='{ply}']")
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        assert opened.count(".stones circle") == np.count_nonzero(board.stones)
        shown = opened.run("return [...document.querySelectorAll('.marks text')].map((each) => each.textContent)")
        assert sorted(shown) == [str(number) for number in range(1, ply + 1)]
        assert opened.text("#status").split()[-1] == gtp_name(point, 9)
    opened.find("[data-step='1']").click()
    assert opened.text("#status").startswith(f"Move {worst.number}: ")
    assert opened.count("[aria-pressed='true']") == 0


def test_what_the_board_shows_besides_a_line_leaves_it(opened: Browser, moves: Sequence[ReviewedMove]) -> None:
    worst = mistakes(moves, 1)[0].number
    opened.find("#changes a").click()
    opened.find(f"[data-line='{worst}'][data-ply='1']").click()
    opened.find("#coordinates").click()
    assert opened.text("#status").startswith("Better: ")
    opened.find("#change").click()
    assert opened.text("#status").startswith(f"Move {worst - 1}: ")
    assert opened.count("[aria-pressed='true']") == 0


def test_both_graphs_have_a_band_and_a_cursor(opened: Browser) -> None:
    assert opened.count(".graph .band") == opened.count(".graph .curve") == opened.count(".graph .cursor") == 2
    opened.find("[data-step='-Infinity']").click()
    first = opened.run("return [...document.querySelectorAll('.now')].map((each) => each.getAttribute('cx'))")
    assert first == ["44", "44"]


def test_the_change_by_a_move(opened: Browser, positions: Sequence[ReviewedPosition]) -> None:
    opened.find("[data-step='-1']").click()
    opened.find("#change").click()
    after, before = (np.round(100 * positions[ply].ownership) for ply in (LAST - 1, LAST - 2))
    assert opened.count(".values rect") == np.count_nonzero(np.abs(after - before) > 6)
    opened.run("view.clear(); view.drawOwnership([{ stone: 1 }, { stone: 0 }], [100, 100], true)")
    widths = "return [...document.querySelectorAll('.values rect')].map((each) => each.width.baseVal.value)"
    on_stone, free = opened.run(widths)
    assert np.hypot(on_stone, on_stone) < 0.76 < np.hypot(free, free), "the ring of the last move is 0.76 wide"


def test_accuracy_of_both_players_by_phase(opened: Browser) -> None:
    rows = opened.run("return [...document.querySelectorAll('#accuracy tbody tr')].map((row) => row.innerText)")
    named = {row.split()[0]: row.count("%") for row in rows}
    assert named == {"Accuracy": 2, "Opening": 2, "Middle": 2, "End": 0, "Points": 0, "Best": 2}


def test_no_folder_of_this_machine_is_in_the_page(positions: Sequence[ReviewedPosition]) -> None:
    page = review_page(positions)
    assert "game.sgf" in page
    assert "home/me" not in page


def test_the_command(tmp_path: Path, owner_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, page = tmp_path / "game.sgf", tmp_path / "game.html"
    game.write_text("(;SZ[9]KM[6.5];B[ee];W[gg])")
    assert main(["report", str(game), "-o", str(page), "--visits", "4", "--model", "fast"]) == 0
    assert "<dt>Visits</dt><dd><bdi>4</bdi></dd>" in page.read_text()
    assert main(["report", str(game), "-o", str(page), "--visits", "4", "--model", str(owner_model)]) == 2
    assert main(["report", str(game), "-o", str(page), "--visits", "0"]) == 2
    *_, first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("ownership: error: --model: --visits needs a model with the head policy")
    assert second == "ownership: error: --visits: expected a whole number 2..1000000. Received: 0"
