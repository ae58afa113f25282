"""The page of `ownership serve` in a real browser: the lists of a review, by clicks."""

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
    assert black
    assert white, "both colours made mistakes"
    choices = {value: page.browser.find(f"[name=mistakes-of][value='{value}']") for value in ("1", "-1", "0")}
    choices["1"].click()
    assert page.browser.run(listed) == black
    for number in (*black, black[0]):
        page.browser.find("#next-mistake").click()
        page.wait(lambda number=number: page.message.startswith(f"Move {number}, Black"))  # type: ignore[misc]
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
    for width, height in ((390, 844), (360, 640)):
        page.browser.resize(width, height)
        page.browser.run("scrollTo(0, 0)")
        assert page.browser.run(SEEN) == [*"ABC", ""], "the move of the game stays"
        page.browser.run("at('candidates').scrollTo(0, 999)")
        assert page.browser.run(SEEN)[-2:] == ["E", ""]
        page.browser.find("#candidates li:nth-child(5) button").click()
        assert page.browser.run("return [shownLine.index, shownLine.plies]") == [4, 1]
        assert "E" in page.browser.run(SEEN), "the line opens where it was tapped"
        page.browser.run("shownLine = NO_LINE; showReview(); at('candidates').scrollTo(0, 0)")
