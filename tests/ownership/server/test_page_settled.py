"""The page of `ownership serve` in a real browser: the view Settled."""

from tests.support.page import FINISHED, Page

MAP = "return settledMaps.get(keyNow())?.map?.join('')"


def test_the_view_shows_what_is_settled_in_each_position(page: Page) -> None:
    page.load(FINISHED)
    page.browser.run("go(24)")
    page.settle()
    page.browser.find("[value='settled']").click()
    page.wait(lambda: page.browser.run(MAP) is not None)
    found = page.browser.run(MAP)
    assert "X" in found and "O" in found and set(found) & set("123")
    assert page.browser.count("#board .values rect") == sum(letter in "XO" for letter in found)
    assert page.browser.count("#board .values circle") == sum(letter in "123" for letter in found)
    share = round(100 * page.browser.run("return settledMaps.get(keyNow()).settled"))
    assert page.message.startswith(f"{share}% of the board is settled. Squares: the owner is final.")
    page.browser.run("go(0)")
    page.settle()
    page.wait(lambda: page.browser.run(MAP) is not None)
    assert page.browser.count("#board .values circle") > 70, "nearly all points are open at the beginning"
    page.browser.find("[value='ownership']").click()
    assert page.browser.count("#board .values circle") == 0
    assert page.browser.run("return settledMaps.size") == 2
    assert page.browser.complaints() == []
