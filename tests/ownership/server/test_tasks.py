"""The tasks of players on the page, counted in taps on the first screen."""

import pytest

from tests.support.browser import Browser
from tests.support.page import FINISHED, Page

SEEN = """const each = document.querySelector(arguments[0]);
const { x, y, width, height } = each.getBoundingClientRect();
const [left, top] = [x + width / 2, y + height / 2];
const hit = document.elementFromPoint(left, top);
const isHit = hit && (each.contains(hit) || hit.contains(each));
return [isHit && !each.disabled, left, top, Math.min(innerWidth, x + width) - Math.max(0, x), height];"""


class Finger:
    """Taps visible elements: covered or disabled ones, and those off the screen, cannot be tapped."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.taps = 0

    def tap(self, selector: str) -> None:
        is_seen, x, y, *_ = self.browser.driver.execute_script(SEEN, selector)
        assert is_seen, selector
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.taps += 1


@pytest.fixture(params=[pytest.param((1440, 900), marks=pytest.mark.long), (1366, 650), (390, 844)], ids=str)
def page(request: pytest.FixtureRequest, unopened: Page, address: str) -> Page:
    width, height = request.param
    return unopened.visit(address, width, height)


@pytest.fixture
def finger(page: Page) -> Finger:
    return Finger(page.browser)


def point(page: Page, vertex: str) -> str:
    return f"#grid [data-point='{page.point(vertex).get_attribute('data-point')}']"


def opened(page: Page, finger: Finger) -> None:
    page.browser.run(
        "at('file').addEventListener('click', (event) => { window.asked = true; event.preventDefault(); })"
    )
    finger.tap(".menu .button")
    page.wait(lambda: page.browser.run("return window.asked"))
    page.load(FINISHED)  # the browser's own dialog
    assert finger.taps == 1


def test_open_a_game_and_read_the_score_mark_a_dead_group_and_share(page: Page, finger: Finger) -> None:
    opened(page, finger)
    assert page.status == "Black wins by 4"
    finger.tap(point(page, "G9"))
    page.wait(lambda: page.message.startswith("G9 is dead now: +"))
    assert finger.taps == 1 + 1
    finger.tap(point(page, "G9"))
    page.wait_for("Black wins by 4")
    finger.taps = 0
    finger.tap("#share")
    page.browser.run("URL.createObjectURL = (blob) => { window.shared = blob; return '#'; }")
    finger.tap("#share-sgf")
    page.wait(lambda: page.browser.run("return window.shared?.size > 0"))
    assert finger.taps == 2


def test_find_the_largest_mistake_and_the_better_move(page: Page, finger: Finger) -> None:
    opened(page, finger)
    finger.taps = 0
    page.wait(lambda: page.browser.find("#review-game").is_displayed())
    finger.tap("#review-game")
    page.wait(lambda: page.browser.run("return accuracy !== null && reviewing === null"))
    page.wait(lambda: page.browser.find("#next-mistake").is_enabled())
    finger.tap("#next-mistake")
    page.wait(lambda: "; better: " in page.message)
    assert page.browser.driver.execute_script(SEEN, "#message")[0]
    assert page.browser.text(".marks text") == "A"
    assert finger.taps == 2


def test_set_up_an_ending(page: Page, finger: Finger) -> None:
    stones = 0
    finger.tap("[data-side='9']")
    page.wait(lambda: page.browser.run("return board.side") == 9)
    for tool, column in (("black", "D"), ("white", "E")):
        if tool == "white":
            finger.tap(f"label:has([value='{tool}'])")
        for row in range(1, 10):
            finger.tap(point(page, f"{column}{row}"))
            stones += 1
    page.wait(lambda: page.browser.run("return shown.stones.every((row) => row === '...XO....')"))
    page.settle()
    assert page.status.startswith("White ")
    assert finger.taps == stones + 2
