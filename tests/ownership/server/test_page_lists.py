"""The page of `ownership serve` in a real browser: the lists of a review, by clicks."""

import re

from tests.support.page import Page

# What a search of the start of an empty board would find: six moves, of which the last was hardly looked at.
FOUND = """const visits = [60, 20, 9, 6, 5, 2];
    const candidates = visits.map((visits, index) => {
      const vertex = `${LETTERS[index]}4`;
      return { vertex, visits, score: -index, black_wins: 0.5, line: [vertex, "A1"] }; });
    const common = { low: -9, high: 9, black_wins: 0.5 };
    const keys = positionKeys(gameNow());
    keepFound(7, keys[0], { ...common, visits: 102, score: 0, candidates });
    keepFound(7, keys[1], { ...common, visits: 102, score: -9, lost: 9, candidates: [] });"""
SEEN = """const list = at('candidates').getBoundingClientRect();
    return [...document.querySelectorAll('#candidates li')].filter((each) => {
      const box = each.firstChild.getBoundingClientRect();
      const there = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      return box.bottom <= list.bottom + 1 && each.contains(there);
    }).map((each) => each.querySelector('b').textContent)"""


def test_mistakes_of_one_colour_are_listed_and_stepped_through(page: Page) -> None:
    page.open_reviewed()
    page.review()
    listed = "return [...document.querySelectorAll('#mistakes button')].map((each) => Number(each.dataset.move))"
    both = page.browser.run(listed)
    black, white = ([number for number in both if number % 2 == odd] for odd in (1, 0))
    assert len(black) > 1
    assert white
    choices = {value: page.browser.find(f"[name=mistakes-of][value='{value}']") for value in ("1", "-1", "0")}
    choices["1"].click()
    assert page.browser.run(listed) == black
    for number in (*black, black[0]):
        page.browser.find("#next-mistake").click()
        page.wait(lambda number=number: page.message.startswith(f"Move {number}, Black"))  # type: ignore[misc]
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.message.startswith(f"Move {black[1]}, Black"))
    page.browser.find("#previous-mistake").click()
    page.wait(lambda: page.message.startswith(f"Move {black[0]}, Black"))
    assert not page.browser.find("#previous-mistake").is_displayed()
    choices["-1"].click()
    assert page.browser.run(listed) == white
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.message.startswith(f"Move {white[0]}, White"))
    choices["0"].click()
    assert page.browser.run(listed) == both


def test_five_moves_are_shown_where_the_search_looked_at_them(page: Page) -> None:
    page.paste("(;SZ[7]KM[9]RU[Chinese];B[gg];W[aa])")
    page.wait(lambda: page.browser.text("#played").startswith("Move 2 of 2"))
    page.browser.run(f"{FOUND} wanted = 'candidates'; go(0)")
    page.wait(lambda: page.browser.count("#candidates li") == 6)
    page.settle()
    letters = "return [...document.querySelectorAll('.marks text')].map((each) => each.textContent)"
    assert [text for text in page.browser.run(letters) if text.isalpha()] == list("ABCDE")
    assert page.browser.run(SEEN) == [*"ABCDE", ""], "on a desktop"
    for width, height in ((390, 844), (360, 640), (844, 390), (667, 375)):
        page.browser.resize(width, height)
        page.browser.run("scrollTo(0, 0); tell('word '.repeat(24))")
        seen = page.browser.run(SEEN)
        assert (seen[:3], seen[-1]) == ([*"ABC"], ""), "the move of the game stays"
        assert "E" not in seen
        page.browser.run("at('candidates').scrollTo(0, 999)")
        assert page.browser.run(SEEN)[-2:] == ["E", ""]
        page.browser.find("#candidates li:nth-child(5) button").click()
        assert page.browser.run("return [shownLine.index, shownLine.plies]") == [4, 1]
        assert "E" in page.browser.run(SEEN), "the line opens where it was tapped"
        page.browser.run("shownLine = NO_LINE; showReview(); at('candidates').scrollTo(0, 0)")


def test_a_whole_review_is_searched_with_more_visits_and_says_how_long_it_takes(page: Page) -> None:
    choose = "at('visits').value = {}; at('visits').dispatchEvent(new Event('change'))"
    page.open_reviewed()
    page.review()
    assert not page.browser.find("#review-game").is_displayed()
    page.browser.run(choose.format(100))
    assert page.browser.text("#review-game") == "Find mistakes"
    page.browser.run(
        "window.said = new Set(); const look = () => { said.add(at('stop-review').textContent); };"
        "new MutationObserver(look).observe(at('stop-review'), { childList: true })"
    )
    page.browser.find("#review-game").click()
    page.wait(lambda: page.browser.run("return reviewing === null && accuracy.visits === 100"))
    said = page.browser.run("return [...said]")
    assert any(re.fullmatch(r"Stop \d+%, \d+ (s|min) left", text) for text in said), said
    page.wait(lambda: not page.browser.find("#review-game").is_displayed())
    assert page.browser.run("return reviewNow().found.slice(0, -1).map(({ visits }) => visits)") == [100] * 22
    page.reload()
    assert page.browser.run("return [at('visits').value, accuracy.visits]") == ["100", 100]
    assert not page.browser.find("#review-game").is_displayed()
    page.browser.run(choose.format(50))
    assert not page.browser.find("#review-game").is_displayed(), "it knows more already"


def test_the_time_that_a_review_takes_follows_its_pace(page: Page) -> None:
    left = (
        "const run = new ReviewRun('', 50); run.take({{ kind: 'game', passes: [1, 50], moves: 99 }});"
        "run.take({{ kind: 'pass' }}); let now = 0; performance.now = () => now;"
        "for (let move = 0; move < 50; move += 1) {{ now += 1000 * {}; run.take({{ kind: 'position', move }}); }}"
        "return run.text"
    )
    assert page.browser.run(left.format(0.5)) == "50%, 26 s left"
    assert page.browser.run(left.format("(move < 25 ? 0 : 3)")) == "50%, 3 min left", "only the last ones count"


def test_a_switch_keeps_searching_the_position_while_it_is_looked_at(page: Page) -> None:
    visits = "return foundNow()?.visits ?? 0"
    hide = (
        "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    page.open_reviewed()
    page.browser.run("go(4)")
    page.browser.find(".views label:last-of-type").click()
    page.wait(lambda: page.browser.find("#keep-searching").is_displayed())
    page.browser.find("#keep-searching").click()
    assert not page.browser.find("#deeper").is_displayed()
    page.wait(lambda: page.browser.text("#searched").startswith("1,000 visits: "))
    page.browser.find("[data-step='1']").click()
    page.wait(lambda: 50 < page.browser.run(visits) < 1000)
    page.browser.run(hide.format("true"))
    page.browser.find("[data-step='1']").click()
    page.wait(lambda: page.browser.run(visits) == 50)
    page.browser.driver.execute_async_script("searchOn(asking.signal).then(arguments[0])")
    assert page.browser.run(visits) == 50, "the tab is hidden"
    page.browser.run(hide.format("false"))
    page.wait(lambda: page.browser.run(visits) == 1000)
    page.browser.find("#keep-searching").click()
    page.browser.find("[data-step='1']").click()
    page.wait(lambda: page.browser.find("#deeper").is_displayed())
    assert page.browser.run(visits) == 50
    assert page.browser.complaints() == []
