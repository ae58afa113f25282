"""The page of `ownership serve` in a real browser: what a reload keeps, and storage that fails."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.page import FINISHED, Page

GAME = "(;SZ[5]KM[0]RU[Chinese]PB[An];B[cc];W[bb];B[cb];W[bc];B[cd];W[bd];B[ca];W[ba];B[ce];W[be];B[];W[])"
FORBIDDEN = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } })"
FULL = "IDBObjectStore.prototype.put = () => { throw new DOMException('no', 'QuotaExceededError'); }"
OTHER = """const done = arguments[0]; indexedDB.deleteDatabase('ownership').onsuccess = () => {
    const opening = indexedDB.open('ownership', 999);
    opening.onsuccess = () => { opening.result.close(); done(); }; }"""


def test_a_reload_keeps_game_place_marks_variations_and_review(page: Page, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "club.zip", "w") as archive:
        archive.writestr("a.sgf", "(;SZ[9])")
        archive.writestr("b.sgf", GAME)
    page.browser.find("#file").send_keys(str(tmp_path / "club.zip"))
    page.wait(lambda: "club.zip" in page.message)
    page.browser.run("at('games').value = 2; at('games').dispatchEvent(new Event('change'))")
    page.wait(lambda: page.browser.text("h1") == "An – White")
    page.settle()
    page.mark("C3")
    marked = page.status
    page.browser.find("#review-game").click()
    page.wait(lambda: page.browser.run("return accuracy !== null && reviewing === null"))
    page.choose("play")
    page.browser.run("go(3)")
    page.settle()
    page.mark("E5")
    page.browser.run("wanted = 'change'; keepState()")
    review = page.browser.text("#accuracy")
    page.reload()
    assert page.browser.text("#played") == "Move 4 of 4: White E5"
    assert page.browser.text("h1") == "An – White"
    assert page.browser.run("return [wanted, state.lines.length, reviewNow().found[2].visits]") == ["change", 2, 50]
    page.browser.run("turnTo({ ...state, line: 0, now: 12 })")
    page.wait_for(marked)
    assert page.browser.text("#accuracy") == review != ""
    page.browser.run("at('games').value = 1; at('games').dispatchEvent(new Event('change'))")
    page.wait(lambda: page.browser.run("return board.side") == 9)
    assert [each for each in page.browser.complaints() if each["level"] == "SEVERE"] == []


def test_a_button_clears_what_is_kept(page: Page) -> None:
    page.load(FINISHED)
    page.kept()
    page.browser.find("[data-dialog='new-dialog']").click()
    page.browser.run("window.before = true")
    page.browser.find("#forget").click()
    page.wait(lambda: page.browser.run("return !window.before && shown !== null"))
    page.settle()
    assert page.browser.text("#played") == "Start of the game"
    assert page.browser.run("return state.file") is None


@pytest.mark.parametrize("broken", [FORBIDDEN, FULL, None])
def test_storage_that_fails_never_breaks_the_page(page: Page, address: str, broken: str | None) -> None:
    driver = page.browser.driver
    if broken is None:
        driver.execute_async_script(OTHER)
        page.browser.visit(address)
    else:
        script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": broken})
        page.browser.visit(address)
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    page.settle()
    page.load(FINISHED)
    page.wait_for("Black wins by 4")
    page.kept()
    page.mark("C7")
    assert page.status.startswith("White wins by ")
    assert [each for each in page.browser.complaints() if each["level"] == "SEVERE"] == []
    page.browser.visit(address)
    page.settle()
    assert page.browser.text("#played") == "Start of the game"
