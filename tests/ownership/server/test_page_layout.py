"""The page of `ownership serve` in a real browser: it fits on all screens, in all languages, light and dark."""

import re
from itertools import product
from pathlib import Path

import pytest

from goban.counting.languages import LANGUAGES
from ownership.report.page_texts import texts
from tests.support.browser import HOME, SCHEME
from tests.support.page import FINISHED, REVIEWED, Page
from tests.support.paths import EXAMPLES

SCORE = "document.querySelector('.score')"
CUT = (
    "return [...document.querySelectorAll('button, .button, .choice label')]"
    ".filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"
)
SCREENS = (1440, 900), (1366, 650), (390, 844)
ALL_SCREENS = (360, 640), (390, 844), (844, 390), (768, 1024), (1024, 768), (1440, 900), (1920, 1080)
VIEWS = "ownership", "territory", "settled", "change", "candidates", "why"
NEEDED_FIRST = "#status", "#board", "#graph", ".views", ".steps", "#next-mistake"
ROWS = tuple(f"#candidates li:{place}-child" for place in ("first", "last"))
# The elements that a reader does not see without scrolling, or that another one covers.
AWAY = """return arguments[0].filter((selector) => {
    const each = document.querySelector(selector), box = each.getBoundingClientRect();
    const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    const seen = [(box.top + box.bottom) / 2, box.bottom - 3].every((y) => {
      const there = document.elementFromPoint((box.left + box.right) / 2, y);
      return each.contains(there) || there?.contains(each); });
    return !inside || box.height < 16 || !seen; })"""
# The groups of buttons that do not stand in one row.
IN_ROWS = """return ['.steps', '.views', '.menu', '#tools'].filter((group) => {
    const buttons = [...document.querySelectorAll(`${group} :is(button, label)`)];
    const tops = buttons.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().top);
    return Math.max(...tops) - Math.min(...tops) > 8; })"""

# All these in one call, and the width of what is shown.
ALL_OF_THEM = f"""scrollTo(0, 0); const shown = document.documentElement;
    return [(function () {{ {AWAY} }})(...arguments), (() => {{ {CUT} }})(), (() => {{ {IN_ROWS} }})(),
      Math.max(shown.scrollWidth, innerWidth)]"""
# The words of tools and views that stand in two lines.
BROKEN = """const lines = (node, from, to) => { const range = document.createRange(); range.setStart(node, from);
      range.setEnd(node, to); const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      return new Set(tops).size; };
    return [...document.querySelectorAll('#tools label, .views label')].flatMap((label) => {
      const node = label.lastChild; return node.nodeType !== Node.TEXT_NODE ? [] :
        [...node.data.matchAll(/[\\p{L}?]+/gu)].filter((word) =>
          lines(node, word.index, word.index + word[0].length) > 1).map(([word]) => word); })"""


def test_what_is_first_needed_is_on_the_first_screen(page: Page) -> None:
    page.load(EXAMPLES / "finished-19x19.sgf")
    needed = (
        "#status",
        "#reason",
        "#board",
        "#graph",
        "#tools",
        "#undo",
        "[for=file], .menu .button",
        "#terms",
        "#share",
        ".views",
    )
    for width, height in SCREENS:
        page.browser.resize(width, height)
        for selector in needed:
            seen = page.browser.run(
                f"const box = document.querySelector({selector!r}).getBoundingClientRect();"
                "return [box.top >= 0, box.bottom <= innerHeight, box.left >= 0,"
                "  box.right <= innerWidth, box.width > 0]"
            )
            assert all(seen), (width, selector)
        board = page.browser.find("#board").rect
        assert board["width"] == pytest.approx(board["height"], abs=1)
        assert board["width"] >= (width if width < 500 else height - 130)


def test_nothing_moves_when_a_message_comes(page: Page) -> None:
    page.load(FINISHED)
    places = (
        "return ['#board', '#tools', '.views'].map((each) => document.querySelector(each).getBoundingClientRect().top)"
    )
    for width, height in SCREENS:
        page.browser.resize(width, height)
        before = page.browser.run(places)
        page.mark("G9")
        assert page.message != ""
        assert page.browser.run(places) == before
        page.browser.find("#undo").click()
        page.settle()


def test_the_page_fits_every_screen(page: Page) -> None:
    page.load(FINISHED)
    page.paste(f"(;SZ[19]PB[{'long' * 25}]GN[{'long' * 25}]C[{'long' * 99}];B[dd])")
    page.wait(lambda: page.browser.text("#comment") == "" and page.browser.run("return state.now") == 1)
    page.wait(lambda: page.browser.count("dialog[open]") == 0)
    page.browser.press(HOME)
    for width in (320, 375, 768, 1280, 1920):
        page.browser.resize(width, 740)
        assert page.browser.run("return document.documentElement.scrollWidth") <= width
        for dialog in ("new", "terms", "share", "games", "help"):
            edge, low = page.browser.run(
                f"closeDialogs(); at('{dialog}-dialog').showModal();"
                "return [document.querySelector('dialog[open]').getBoundingClientRect().right, [..."
                "document.querySelectorAll('dialog[open] :is(a, button, select, input), .bar :is(button, label)')]"
                ".filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44).length]"
            )
            assert edge <= width, (width, dialog)
            assert low == 0, f"pixels that a finger needs, {dialog} at {width}"
            page.browser.find(f"#{dialog}-dialog .close").click()
            assert page.browser.count("dialog[open]") == 0


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_page_fits_its_screens_in_every_language(name: str, unopened: Page, address: str) -> None:
    page = unopened.visit(f"{address}?language={name}", width=1440, height=900)
    left = "return document.querySelector('{}').getBoundingClientRect().left"
    assert page.browser.run(left.format("#begin span")) == page.browser.run(left.format(".menu")), "in its column"
    steps = "return [...document.querySelectorAll('.steps button')].map((each) => each.getBoundingClientRect().top)"
    assert len(set(page.browser.run(steps))) == 1, "in one row"
    for width, height in ((360, 640), (390, 844)):
        page.browser.resize(width, height)
        assert page.browser.run(BROKEN) == []
    for example in ("finished-19x19.sgf", "middlegame-19x19.sgf"):
        page.load(EXAMPLES / example)
        assert page.browser.run(f"return {SCORE}.scrollHeight <= {SCORE}.clientHeight"), example
    page.load(FINISHED)
    for width, height in ((320, 568), (390, 664)):
        page.browser.resize(width, height)
        boxes = "return ['#board', '.bar'].map((each) => document.querySelector(each).getBoundingClientRect().toJSON())"
        board, bar = page.browser.run(boxes)
        assert board["top"] >= 0
        assert board["bottom"] <= bar["top"]
        assert board["width"] >= 288
        assert page.browser.run("return document.documentElement.scrollWidth") == width
        assert page.browser.run(CUT) == []
    page.browser.run("document.querySelectorAll('dialog').forEach((each) => each.show())")
    assert page.browser.run("return document.documentElement.scrollWidth") == 390
    assert page.browser.run(CUT) == []
    if name in ("zh", "ja", "ko"):
        named = set(re.findall("[A-Za-z]{4,}", "".join(texts(name).values())))
        assert page.browser.words() <= named | {"English", "Deutsch", "default", "fast"}


def test_a_long_dialog_opens_at_its_beginning_and_its_close_button_stays(unopened: Page, address: str) -> None:
    page = unopened.visit(f"{address}?language=de", width=390, height=640)
    page.browser.find("[data-dialog='help-dialog']").click()
    assert page.browser.run("return at('help-dialog').scrollTop") == 0
    page.browser.run("at('help-dialog').scrollTo(0, 9999)")
    assert page.browser.run("return at('help-dialog').scrollTop") > 0
    page.browser.find("#help-dialog .close").click()
    assert page.browser.count("dialog[open]") == 0


def test_light_and_dark(page: Page, address: str) -> None:
    for scheme, bright in (("dark", False), ("light", True)):
        features = {"features": [SCHEME | {"value": scheme}]}
        page.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
        for element in ("document.body", "at('terms')"):
            colour = page.browser.run(f"return getComputedStyle({element}).backgroundColor")
            assert (sum(map(int, re.findall(r"\d+", colour)[:3])) > 600) == bright


@pytest.mark.parametrize("name", ["en", "de"])
def test_in_every_view_what_is_needed_first_is_on_one_screen(name: str, unopened: Page, address: str) -> None:
    page = unopened.visit(f"{address}?language={name}")
    page.paste(REVIEWED)
    page.wait(lambda: page.browser.run("return state.now === 22 && state === accepted"))
    page.review()
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.browser.count("#candidates li") >= 4 and page.message != "")
    for (width, height), view in product(ALL_SCREENS, VIEWS):
        page.browser.resize(width, height)
        page.choose("why" if view == "why" else "play")
        page.browser.run(f"document.querySelector('[name=view][value={view}]')?.click()")
        page.wait(lambda view=view: view != "why" or page.browser.count("#why-rows button"))  # type: ignore[misc]
        needed = (*NEEDED_FIRST, *({"candidates": ROWS, "why": ("#why-rows",)}.get(view, ())))
        assert page.browser.driver.execute_script(ALL_OF_THEM, needed) == [[], [], [], width], view


def test_the_graph_is_large_on_wide_screens(page: Page) -> None:
    page.open_reviewed()
    page.review()
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.browser.count("#candidates li") == 4)
    for width, height, graph in ((1440, 900, (400, 140)), (1920, 1080, (550, 280))):
        page.browser.resize(width, height)
        box = page.browser.find("#graph").rect
        assert box["width"] >= graph[0]
        assert box["height"] >= graph[1]
        assert page.browser.find("#board").rect["width"] >= 0.94 * height
        last = page.browser.find("#candidates li:last-child").rect
        assert last["y"] + last["height"] <= height


def test_in_a_low_window_or_a_large_zoom_bars_scroll_away(page: Page) -> None:
    page.open_reviewed()
    for (width, height), view in product(((720, 450), (683, 384), (320, 480)), ("ownership", "candidates")):
        page.browser.resize(width, height)
        page.browser.run(f"wanted = '{view}'; draw(); scrollTo(0, 9999)")
        covering = page.browser.run(
            "const covers = (box, other) => box.left < other.right && other.left < box.right"
            "  && box.top < other.bottom && other.top < box.bottom;"
            "const box = (each) => each.getBoundingClientRect();"
            "return [...document.querySelectorAll('body *')].filter((each) =>"
            "['fixed', 'sticky'].includes(getComputedStyle(each).position) && each.checkVisibility()"
            "&& [...document.querySelectorAll('main :is(button, label, p, li, td)')].some((other) =>"
            "  !each.contains(other) && other.checkVisibility() && covers(box(each), box(other))))"
            ".map((each) => each.className || each.id)"
        )
        assert covering == [], (width, view)
        assert page.browser.run("return document.documentElement.scrollWidth") <= width, view
        page.browser.run("document.querySelector('#board').scrollIntoView()")
        assert page.browser.find("#board").rect["height"] <= height


def test_the_list_of_games_shows_each_count_without_scrolling_to_the_side(
    unopened: Page, address: str, tmp_path: Path
) -> None:
    page = unopened.visit(f"{address}?language=de", width=390, height=844)
    path = tmp_path / "club.sgf"
    path.write_text(FINISHED.read_text() * 9)
    page.load(path)
    page.wait(lambda: page.browser.run("return counted.size") == 1)
    page.browser.run("at('list-games').click()")
    inside = (
        "const list = document.querySelector('.wide:has(#games-table)'); list.scrollTo(0, 999);"
        "const box = list.getBoundingClientRect(); const last = [...at('game-rows').rows].at(-1);"
        "const shownCells = [...last.cells, ...at('games-table').tHead.rows[0].cells];"
        "const cells = shownCells.filter((each) => each.checkVisibility());"
        "return [list.scrollWidth <= list.clientWidth, cells.every((each) => {"
        "  const { left, right, top, bottom } = each.getBoundingClientRect();"
        "  return left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom; }), cells.length]"
    )
    for width, height in ((390, 844), (360, 640), (844, 390), (768, 1024)):
        page.browser.resize(width, height)
        assert page.browser.run(inside) == [True, True, 14 if width < 640 else 16], width
        assert page.browser.find("#games-dialog .close").is_displayed()
        assert page.browser.find("#search-games").is_displayed()
