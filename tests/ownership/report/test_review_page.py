"""`ownership report --visits`, looked at in a real browser."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game_records.sgf import parse_game
from goban.coords import BLACK, colour_name, gtp_name
from goban.position import Position
from ownership.cli import main
from ownership.explaining.risks import Risk
from ownership.explaining.stakes import GroupStake
from ownership.inference.evaluator import Evaluator
from ownership.report.game_page import review_page
from ownership.report.index_page import IndexEntry, index_page
from ownership.review.move_losses import ReviewedMove, accuracy_of, largest_mistakes, reviewed_moves
from ownership.review.searched_positions import ReviewedPosition, review
from ownership.scoring.scored_game import ScoreOptions
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
        opened.open(page, width=width, move=largest_mistakes(moves, 1)[0].number)
        assert opened.run("return document.documentElement.scrollWidth <= innerWidth"), width
    assert opened.complaints() == []
    assert opened.text("h1 bdi") == NASTY, "text, not markup"


def test_it_opens_at_the_largest_mistake_with_the_better_move(
    opened: Browser, moves: Sequence[ReviewedMove], positions: Sequence[ReviewedPosition]
) -> None:
    costly = sorted(largest_mistakes(moves, 10), key=lambda move: (-round(move.lost, 1), move.number))
    first = costly[0]
    assert opened.text("#played").startswith(f"Move {first.number - 1} of {LAST}")
    assert opened.count(".stones circle") == np.count_nonzero(positions[first.number - 1].scored.position.stones)
    better, played = gtp_name(first.best.point, 9), gtp_name(first.point, 9)
    assert opened.text("#next-move").endswith(f"lost {first.lost:.1f} points; better: {better}.")
    rows = "[...document.querySelectorAll('#candidates .candidate')]"
    shown = opened.run(f"return {rows}.map((each) => each.textContent)")
    assert shown[0].startswith(f"A{better}")
    [row] = [each for each in shown if "played" in each]
    assert f"{played} played−{first.lost:.1f}" in row
    assert row.count("–") == 2, "no win rate and no visits, as the end is counted after it"
    side, search = "B" if first.colour == BLACK else "W", positions[first.number - 1].search
    assert search is not None
    assert (
        opened.run(f"return {rows}[0].children[4].textContent")
        == f"{side} {100 * search.moves[0].value.wins_for(first.colour):.0f}%"
    )
    assert opened.run("return [...document.querySelectorAll('.marks text')][0].textContent") == "A"
    listed = opened.run("return [...document.querySelectorAll('#mistakes button')].map((each) => each.textContent)")
    assert len(listed) == len(costly)
    for text, move in zip(listed, costly, strict=True):
        assert text.startswith(str(move.number))
        assert text.endswith(f"−{move.lost:.1f}better {gtp_name(move.best.point, 9)}")
    assert opened.count(".graph .dot") >= len(costly)
    opened.find("#next-mistake").click()
    assert opened.text("#played").startswith(f"Move {costly[1 % len(costly)].number - 1} of {LAST}")


@pytest.mark.parametrize("height", [640, 844])
def test_the_board_is_in_view_on_a_phone_when_a_mistake_is_tapped(
    height: int, browser: Browser, positions: Sequence[ReviewedPosition]
) -> None:
    browser.open(review_page(positions), width=390, height=height)
    browser.run("document.querySelector('#mistakes li:last-child button').scrollIntoView({ block: 'end' })")
    browser.run("document.querySelector('#mistakes li:last-child button').click()")
    top, bottom = browser.run("const box = at('board').getBoundingClientRect(); return [box.top, box.bottom]")
    assert top > -1
    assert bottom < height + 1


def test_a_probability_is_never_called_certain(opened: Browser) -> None:
    for chance, words in (
        (0.996, "Black's win rate > 99%."),
        (0.99, "Black's win rate 99%."),
        (0.46, "White's win rate 54%."),
    ):
        opened.run(f"data.found[1].black_wins = {chance}; go(1)")
        assert words in opened.text("#reason")


def test_the_end_that_is_counted_has_no_chance_to_win(opened: Browser) -> None:
    opened.run(f"go({LAST})")
    assert re.match(r"(Confirmed|Safe to count|Not safe to count): ", opened.text("#reason"))
    assert "%" not in opened.text("#reason")


def test_the_graph_shows_points_or_win_rates(opened: Browser, positions: Sequence[ReviewedPosition]) -> None:
    words = "return [...document.querySelectorAll('.graph text')].map((each) => each.textContent)"
    assert "50%" not in opened.run(words)
    opened.find("#graph-rate").click()
    assert "50%" in opened.run(words)
    *before, end = opened.run("return graph.values")
    np.testing.assert_allclose(before, [100 * each.wins_for(BLACK) - 50 for each in positions[:-1]], atol=0.01)
    assert end is None, "the end is counted"
    assert opened.find("#graph svg").get_attribute("aria-label") == "Black's win rate by move, upwards"
    opened.find("#graph-rate").click()
    assert opened.run("return graph.values.at(-1)") == positions[-1].score


def test_ownership_stays_under_the_letters_by_choice(opened: Browser) -> None:
    assert opened.count(".shades rect") > 0
    assert opened.run("return document.querySelector('.marks text').textContent") == "A"
    opened.find("#shades").click()
    assert opened.count(".shades rect") == 0
    assert opened.run("return document.querySelector('.marks text').textContent") == "A"


def test_what_a_mistake_risked_stands_beside_it(
    browser: Browser, positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    worst = largest_mistakes(moves, 1)[0]
    risk = Risk(GroupStake(9, worst.colour, (0, 1), 20.4, 0.6), 0.9)
    browser.open(review_page(positions, {worst.number: risk}), move=worst.number - 1)
    assert browser.text("#mistakes [aria-current]").endswith(", risks 20 points")
    said = f"It risks {colour_name(worst.colour)} A9, 20 points: 10% in danger before, 40% after."
    assert browser.text("#next-move").endswith(said)


def test_a_loss_within_the_noise_is_marked(opened: Browser, moves: Sequence[ReviewedMove]) -> None:
    assert opened.text("#noise").startswith("Losses below 0.7 points mean little")
    small = next(move.number for move in moves if 0.1 <= move.lost < 0.65 and not move.is_best)
    opened.run(f"go({small - 1})")
    assert "lost about 0." in opened.text("#next-move")


def test_the_better_line_is_clicked_through(
    opened: Browser, positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    worst = largest_mistakes(moves, 1)[0]
    board = positions[worst.number - 1].scored.position
    for ply, point in enumerate(worst.best.line[:3], 1):
        board = board.play(point)
        opened.find("#candidates .candidate" if ply == 1 else f".line button:nth-child({ply})").click()
        assert opened.find(f".line button:nth-child({ply})").get_attribute("aria-pressed") == "true"
        assert opened.count(".stones circle") == np.count_nonzero(board.stones)
        shown = opened.run("return [...document.querySelectorAll('.marks text')].map((each) => each.textContent)")
        assert sorted(shown) == [str(number) for number in range(1, ply + 1)]
    opened.find("#candidates .candidate").click()
    assert opened.count(".line") == 0, "a second click closes the line"
    opened.find("#candidates .candidate").click()
    opened.find("[data-step='1']").click()
    assert opened.text("#played").startswith(f"Move {worst.number} of ")
    assert opened.count("[aria-pressed='true']") == 0


def test_what_the_board_shows_besides_a_line_leaves_it(opened: Browser) -> None:
    opened.find("#candidates .candidate").click()
    opened.find("#coordinates").click()
    assert opened.count("[aria-pressed='true']") == 1
    opened.find("[value='change']").click()
    assert opened.count("[aria-pressed='true']") == 0


def test_captures_follow_the_rules(opened: Browser) -> None:
    random, side = np.random.default_rng(1), 5
    for _ in range(50):
        position, played = Position.empty(side), []
        for _ in range(40):
            point = int(random.choice(np.flatnonzero(position.legal_points())))
            played.append([position.to_move, point])
            position = position.play(point)
        found = opened.run(f"return afterMoves(Array({side * side}).fill(0), {side}, {played})")
        assert found == position.stones.ravel().tolist()


def test_the_change_by_a_move(opened: Browser, positions: Sequence[ReviewedPosition]) -> None:
    opened.run(f"go({LAST - 1})")
    opened.find("[value='change']").click()
    after, before = (np.round(100 * positions[ply].ownership) for ply in (LAST - 1, LAST - 2))
    assert opened.count(".shades rect") == np.count_nonzero(np.abs(after - before) > 10)


def test_accuracy_of_both_players_by_phase(opened: Browser) -> None:
    rows = opened.run("return [...document.querySelectorAll('#accuracy tbody tr')].map((row) => row.innerText)")
    named = {row.split()[0]: row.count("%") for row in rows}
    assert named == {"Accuracy": 2, "Opening": 2, "Middle": 2, "Endgame": 0, "Points": 0, "Best": 2}


def test_the_index_has_the_accuracy_of_players_over_games(
    browser: Browser, positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]
) -> None:
    end = positions[-1].scored
    other = replace(end, game=replace(end.game, black="Bo", white="Cy"))
    browser.open(index_page([IndexEntry("a.html", end, moves), IndexEntry("b.html", other, moves)]))
    rows = browser.run(
        "const texts = (row) => [...row.cells].slice(0, 3).map((each) => each.innerText);"
        "return [...document.querySelector('tbody').rows].map(texts)"
    )
    assert [row[:2] for row in rows] == [["Bo", "2"], [NASTY, "1"], ["Cy", "1"]]
    both = accuracy_of(moves)
    assert both is not None
    assert rows[0][2] == f"{both.accuracy_percent:.0f}%"


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


def test_the_command_finds_what_a_mistake_risked(tmp_path: Path) -> None:
    """White's corner lives by B9; White plays at the other end of the board, and Black takes the corner."""
    game, page = tmp_path / "game.sgf", tmp_path / "game.html"
    board = "(;SZ[9]KM[7]RU[Chinese]PL[W]AW[da][ab][bb][cb][db][fe][ge][he][ie][ae][be][ce][de][ee]"
    board += "AB[ea][eb][ac][bc][cc][dc][ec][fc][gc][hc]"
    game.write_text(f"{board};W[hh];B[ba];W[gh];B[ib])")
    assert main(["report", str(game), "-o", str(page), "--visits", "8"]) == 0
    found = re.search(r'"risks":\{"(\d+)":\{"group":(\[[^]]*\])', page.read_text())
    assert found, "no risk"
    assert (found[1], set(json.loads(found[2]))) == ("0", {"D9", "A8", "B8", "C8", "D8"})
