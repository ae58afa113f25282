"""The page of `ownership serve` in a real browser: scores, and the lines about them."""

import json
import re
from concurrent.futures import Future

import pytest

from game_records.sgf import parse_game
from goban.rulesets import MAX_KOMI
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.server.app import create_app
from tests.support.browser import END, ENTER, HOME, RIGHT, Browser
from tests.support.page import CONFIRMED, FINISHED, Page, served
from tests.support.paths import EXAMPLES

READY = "Getting ready: compiling once for this machine, about a minute …"


def test_the_page_says_what_it_waits_for(bundled: Evaluator, browser: Browser) -> None:
    prepared: Future[None] = Future()
    with served(create_app(bundled, prepared=prepared)) as address:
        browser.visit(address)
        page = Page(browser)
        assert page.status in ("Evaluating the position …", READY)
        page.wait_for(READY)
        assert browser.count("#share:disabled") == browser.count("#sheet[hidden]") == 1
        prepared.set_result(None)
        page.wait_for("Start")
        assert browser.count("#share:disabled") == 0


def test_a_finished_game_is_counted(page: Page) -> None:
    page.load(FINISHED)
    assert page.status == "Black wins by 4"
    assert page.browser.text("#reason") == CONFIRMED
    assert page.browser.text("#points") == "Black 46, White 42 with komi 7, Chinese rules"
    sheet = page.browser.run(
        "return [...at('sheet').rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    assert sheet == [
        ["", "Black", "White"], ["Stones", "21", "19"], ["Territory", "25", "16"], ["Komi", "0", "7"],
        ["Total", "46", "42"],
    ]  # fmt: skip
    assert page.browser.text("#recorded") == "Recorded result: B+4.0, the same"
    stones = parse_game(FINISHED.read_bytes()).position().stones
    assert page.browser.count(".stones circle") == (stones != 0).sum()
    assert page.browser.run("return shown.rules") == "chinese"
    assert page.browser.complaints() == []


def test_terms_that_the_reader_chose_are_compared_by_those_of_the_record(page: Page) -> None:
    page.load(FINISHED)
    page.wait_for("Black wins by 4")
    page.browser.run("at('komi').value = '5.5'; at('komi').dispatchEvent(new Event('change'))")
    page.wait_for("Black wins by 5.5")
    same = "Recorded result: B+4.0, the same by the record's terms (Chinese, komi 7)"
    assert page.browser.text("#recorded") == same
    assert page.browser.text("#reason").startswith("Confirmed")
    page.browser.run("at('rules').value = 'japanese'; at('rules').dispatchEvent(new Event('change'))")
    page.wait_for("Black wins by 4.5")
    assert page.browser.text("#recorded") == same


def test_stepping_shows_the_score_of_every_position(page: Page, bundled: Evaluator) -> None:
    page.load(FINISHED)
    page.browser.press(HOME)
    [first] = score_games([parse_game(FINISHED.read_bytes())], bundled, ScoreOptions(move=0))
    assert isinstance(first, ScoredGame)
    page.wait_for(first.estimate.verdict)
    assert page.browser.count(".stones circle") == 0
    page.browser.press(RIGHT, RIGHT)
    page.wait(lambda: page.browser.text("#played") == "Move 2 of 45: White C6")
    page.settle()
    assert page.browser.count(".stones circle") == 2
    assert re.fullmatch(
        r"(Black|White)'s win rate \d\d%\. 90% interval \S+ to \S+\. "
        r"Not finished: \d+ of 81 points are uncertain; this is the expected score\.",
        page.browser.text("#reason"),
    )
    page.browser.find("[data-step='Infinity']").click()
    page.wait_for("Black wins by 4")


def test_figures_are_rounded_as_in_the_terminal(page: Page, bundled: Evaluator) -> None:
    record = parse_game(FINISHED.read_bytes())
    page.load(FINISHED)
    for move in (4, 5):  # Black's 42.647 points are 42.6, and the interval W+37.325 to B+25.847 ends at B+25.8
        [scored] = score_games([record], bundled, ScoreOptions(move=move))
        assert isinstance(scored, ScoredGame)
        said = as_text(scored)
        page.browser.run(f"go({move})")
        [interval] = re.findall(r"90% interval (\S+ to [^;]+)", said)
        page.wait(lambda interval=interval: f"90% interval {interval}." in page.browser.text("#reason"))  # type: ignore[misc]
        [points] = re.findall(r"Black \S+, White \S+ with komi", said)
        assert points in page.browser.text("#points")
    page.browser.run("at('komi').value = '3.75'; at('komi').dispatchEvent(new Event('change'))")
    page.browser.press(END)
    page.wait_for("Black wins by 7.25")
    assert page.browser.text("#points") == "Black 46, White 38.75 with komi 3.75, Chinese rules"
    assert page.browser.text("#sheet").endswith("Komi03.75Total4638.75")


def test_expected_points_by_territory_are_less_the_stones_still_played(page: Page) -> None:
    for rules, points in (
        ("Japanese", r"Black \S+, White \S+ with komi 6\.5, Japanese rules, less the stones that each still plays"),
        ("Chinese", r"Black \S+, White \S+ with komi 6\.5, Chinese rules"),
    ):
        page.paste(f"(;SZ[9]KM[6.5]RU[{rules}];B[ee];W[cc])")
        page.wait(lambda rules=rules: f"{rules} rules" in page.browser.text("#points"))  # type: ignore[misc]
        assert re.fullmatch(points, page.browser.text("#points"))


def test_the_page_names_twelve_gaps_and_counts_the_others(page: Page) -> None:
    page.load(FINISHED)
    page.browser.run("shown.gaps = Array.from({ length: 15 }, (_, point) => board.vertex(point)); describe()")
    assert re.search(r"seal at (\w\d, ){11}\w\d and 3 more; neither", page.browser.text("#reason"))


@pytest.mark.parametrize(
    ("state", "heading"), [("unsafe", "In doubt: "), ("confirmed", "The board alone leaves open: ")]
)
def test_the_page_names_five_reasons_and_counts_the_others(state: str, heading: str, page: Page) -> None:
    page.load(EXAMPLES / "finished-19x19.sgf")
    texts = [f"White's D{row} (3 stones, 8 points) may live" for row in range(1, 9)]
    trust = f"Not safe to count: {texts[0]}; 7 more reasons." if state == "unsafe" else CONFIRMED
    given = {"state": state, "trust": trust, "reasons": [{"text": text} for text in texts]}
    page.browser.run(f"Object.assign(shown, {json.dumps(given)}); describe()")
    named, left = (texts[1:6], 2) if state == "unsafe" else (texts[:5], 3)
    assert page.browser.text("#reason") == f"{trust} {heading}{', '.join(named)} and {left} more."


def test_a_count_that_is_not_safe_says_what_the_first_reason_is_worth(page: Page) -> None:
    black = "AB[ea][eb][ec][ed][fd][gd][he][ef][ff][gf][eg][eh][ei]"
    white = "AW[da][db][dc][cd][ce][ee][fe][ge][df][dg][dh][di]"
    page.paste(f"(;SZ[9]RU[chinese]KM[0]{black}{white};B[];W[])")
    page.wait_for("Black wins by 5")
    reason = "White's E5 (3 stones, 8 points) depends on the next move or a ko"
    assert page.browser.text("#reason") == f"Not safe to count: {reason}."


def test_rules_and_komi_are_chosen_on_the_page(page: Page) -> None:
    page.load(FINISHED)
    page.browser.run("at('rules').value = 'japanese'; at('rules').dispatchEvent(new Event('change'))")
    page.wait(lambda: "Japanese rules" in page.browser.text("#points"))
    page.browser.find("#terms").click()
    page.browser.find("#komi").send_keys("0,5", ENTER)
    page.wait(lambda: "komi 0.5, Japanese" in page.browser.text("#points"))
    page.browser.run("undo()")
    page.browser.run("undo()")
    page.wait_for("Black wins by 4")
    for word in ("1000", "seven", "0x10"):
        page.browser.find("#komi").clear()
        page.browser.find("#komi").send_keys(word, ENTER)
        refused = f"Expected a komi from -{MAX_KOMI} to {MAX_KOMI}. Received: {word}."
        page.wait(lambda refused=refused: page.message == refused)  # type: ignore[misc]
        assert page.browser.find("#terms-dialog .message").text == refused
    assert page.status == "Black wins by 4"
    page.browser.find("#komi").send_keys(str(-MAX_KOMI), ENTER)
    page.wait_for("Black wins by 411")


def test_what_the_server_refuses_is_said_in_the_language_of_the_page(unopened: Page, address: str) -> None:
    page = unopened.visit(f"{address}?language=de")
    page.browser.run("at('komi').value = '1000'; at('komi').dispatchEvent(new Event('change'))")
    assert page.message == "Erwartet: ein Komi von -400 bis 400. Erhalten: 1000."
    page.browser.run("change({ ...state, komi: '1000' })")
    page.wait(lambda: page.message == "Nicht möglich: komi: expected a number -400..400. Received: 1000")
    page.browser.run("fetch = async () => new Response('', { status: 503 }); change({ ...state, komi: '1' })")
    page.wait(lambda: page.message == "Der Server antwortet nicht. Läuft er noch?")


def test_an_unknown_result_is_not_shown(page: Page) -> None:
    page.paste("(;SZ[9]PB[An]DT[2026-01-02]RE[?];B[ee])")
    page.wait(lambda: page.browser.text("header .soft") == "2026-01-02")
