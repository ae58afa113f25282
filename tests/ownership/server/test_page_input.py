"""The page of `ownership serve` in a real browser: keyboard, finger, and names for screen readers."""

import pytest

from tests.support.browser import DOWN, ENTER, HOME, LEFT, RIGHT
from tests.support.page import Page
from tests.support.paths import EXAMPLES


def test_the_keyboard_reaches_every_point(page: Page) -> None:
    page.browser.run("grid.buttons[180].focus()")
    page.browser.press(RIGHT, DOWN, ENTER)
    page.settle()
    assert page.browser.text("#played") == "Move 1 of 1: Black L9"
    page.browser.press(HOME)
    assert page.browser.run("return document.activeElement.ariaLabel").startswith("A9, ")
    page.browser.press(LEFT)
    assert page.browser.run("return document.activeElement.ariaLabel").startswith("A9, ")
    assert page.browser.run("return document.querySelectorAll('#grid [tabindex=\"0\"]').length") == 1


def test_a_row_has_a_short_name(page: Page) -> None:
    names = [row.accessible_name for row in page.browser.driver.find_elements("css selector", "#grid [role='row']")]
    assert names == [f"Row {number}" for number in range(19, 0, -1)]


def touch(page: Page, element: str, kind: str, down: float | None = None) -> None:
    """Touch the middle of an element, or some pixels below it; None lifts the finger."""
    box = page.browser.run(
        f"const box = at('{element}').getBoundingClientRect(); return [box.x, box.y, box.width, box.height]"
    )
    points = [] if down is None else [{"x": box[0] + box[2] / 2, "y": box[1] + box[3] / 2 + down}]
    page.browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("element", ["grid", "graph"])
def test_a_swipe_over_board_and_graph_scrolls(element: str, unopened: Page, address: str) -> None:
    page = unopened.visit(address, width=390, height=640)
    page.load(EXAMPLES / "middlegame-19x19.sgf")
    before = page.browser.text("#played")
    top = page.browser.run("return scrollY")
    touch(page, element, "touchStart", 0)
    for step in range(1, 11):
        touch(page, element, "touchMove", -15 * step)
    touch(page, element, "touchEnd")
    page.wait(lambda: page.browser.run("return scrollY") > top + 20)
    assert page.browser.text("#played") == before


def test_a_tap_plays_or_goes_to_a_move(unopened: Page, address: str) -> None:
    page = unopened.visit(address, width=390, height=640)
    page.load(EXAMPLES / "middlegame-19x19.sgf")
    for kind, down in (("touchStart", 0), ("touchEnd", None)):
        touch(page, "graph", kind, down)
    page.wait(lambda: 35 < page.browser.run("return state.now") < 65)
    page.browser.run("newBoard(9); choose('play')")
    page.wait(lambda: page.browser.run("return board.side") == 9)
    for kind, down in (("touchStart", 0), ("touchEnd", None)):
        touch(page, "grid", kind, down)
    page.wait(lambda: page.browser.text("#played") == "Move 1 of 1: Black E5")


def test_everything_has_a_name(page: Page) -> None:
    nameless = page.browser.run(
        "return [...document.querySelectorAll('button, input, select, textarea, a')]"
        ".filter((each) => !(each.ariaLabel || each.labels?.length || each.textContent.trim())).length"
    )
    assert nameless == 0
    assert page.browser.find("#status").get_attribute("role") == "status"
    assert page.browser.find("#message").get_attribute("role") == "alert"
