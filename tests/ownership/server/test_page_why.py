"""The page of `ownership serve` in a real browser: the tool Why?, what is at stake, and phones on their side."""

import re

from tests.support.page import FINISHED, Page

# White's corner lives by B9 alone; White plays at the other end of the board.
RISKED = """(;SZ[9]KM[7]RU[Chinese]PL[W]AW[da][ab][bb][cb][db][fe][ge][he][ie][ae][be][ce][de][ee]
AB[ea][eb][ac][bc][cc][dc][ec][fc][gc][hc];W[hh])"""
ROWS = "return [...document.querySelectorAll('#why-rows > li > button')].map((each) => each.textContent)"


def ask(page: Page, vertex: str) -> None:
    page.choose("why")
    page.mark(vertex)
    page.wait(lambda: page.browser.run("return why !== null"))


def test_a_group_is_explained_and_its_line_is_played_on(page: Page) -> None:
    page.load(FINISHED)
    ask(page, "C7")
    assert page.message == "White C7 is dead, with either side first."
    assert page.browser.run(ROWS) == ["White firstcaptured", "Black firstcaptured"]
    stones = page.browser.count(".stones circle")
    page.browser.find("#why-rows button").click()
    assert page.browser.count(".stones circle") == stones + 1
    moves = len(page.browser.run("return why.lines[0].moves"))
    assert page.browser.text("#why-rows p") == f"Tried out on the board: move 1 of {moves}"
    assert page.browser.run("return [...document.querySelectorAll('.marks text')].map((each) => each.textContent)") == [
        "1"
    ]
    line = page.browser.run("return whyLine(0).map(([colour, point]) => [colour, board.vertex(point)])")
    page.choose("play")
    page.mark(line[0][1])
    assert page.message == f"Move 47, Black {line[0][1]}, is illegal: the point is occupied."
    page.mark("J1")
    assert page.browser.text("#played") == "Move 47 of 47: Black J1"
    own = page.browser.run("return gameNow().moves.slice(45).map(([colour, point]) => [colour, board.vertex(point)])")
    assert own == [line[0], [1, "J1"]]
    assert page.selected == "Variation 1 from move 46, 47: Black J1"
    assert not page.browser.find("#why").is_displayed()
    page.browser.run("undo()")
    ask(page, "C6")
    assert page.browser.run("return explained.size") == 1, "the answer about the same group is known"
    page.mark("A1")
    assert page.message == "A1 is empty: tap a stone of a group."
    assert page.browser.complaints() == []


def test_points_stand_on_the_groups_with_most_at_stake_and_the_model_answers_after_a_line(page: Page) -> None:
    page.paste(RISKED)
    page.wait(lambda: page.browser.text("#played").startswith("Move 1 of 1"))
    page.settle()
    page.browser.run("go(0)")
    page.settle()
    page.choose("why")
    page.wait(lambda: len(page.browser.run(ROWS)) > 0)
    first, *_ = page.browser.run("return stakesNow().groups")
    assert first["group"][0] == "D9" and first["colour"] == "White"
    points = page.browser.run("return document.querySelector('.marks .stake + .stake, .marks text.stake').textContent")
    assert points == str(round(first["points"]))
    assert page.browser.count(".marks .at-stake") == sum(
        len(each) for each in page.browser.run("return atStake().map(({ group }) => group)")
    )
    assert page.browser.run(ROWS)[0] == f"White D9{points} points if it lives ({round(100 * first['chance'])}% likely)"
    page.settle()
    page.browser.run("document.querySelector('#why-rows button').click()")
    page.wait(lambda: page.browser.run("return why !== null"))
    assert page.message == "White D9 is unsettled: the side that moves first decides."
    page.browser.find("#why-rows button").click()
    page.browser.find("#play-out").click()
    assert page.browser.count(".stake") == 0, "the line is shown"
    page.mark("J1")
    page.wait(lambda: page.browser.text("#played").startswith("Move 3 of 3: "))
    page.browser.find("#play-out").click()


def test_what_a_mistake_risked_stands_beside_it(page: Page) -> None:
    page.open_reviewed()
    page.review()
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.browser.run("return stakesNow() !== undefined"))
    risk = page.browser.run("return stakesNow().risk")
    assert risk is not None
    row = page.browser.run("return document.querySelector('#mistakes [aria-current]').textContent")
    assert row.endswith(f", risks {round(risk['points'])} points")
    assert f"It risks {risk['colour']} {risk['group'][0]}, " in page.browser.text("#next-move")


def test_what_a_mistake_risked_is_in_the_message_on_a_phone(page: Page) -> None:
    page.browser.resize(390, 844)
    page.open_reviewed()
    page.review()
    page.browser.find("#next-mistake").click()
    page.wait(lambda: re.search(r"; better: [A-Z]\d+\. It risks (Black|White) [A-Z]\d+, \d+ points: ", page.message))


def test_rows_are_beside_the_board_on_a_phone_on_its_side(page: Page) -> None:
    page.browser.resize(844, 390)
    page.open_reviewed()
    page.review()
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.browser.count("#candidates li") == 4 and page.message != "")
    box = "return document.querySelector('{}').getBoundingClientRect().toJSON()"
    for width, height in ((844, 390), (667, 375)):
        page.browser.resize(width, height)
        page.browser.run("scrollTo(0, 0)")
        for selector in ("#board", "#next-mistake", "#candidates li:first-child", "#candidates li:last-child"):
            seen = page.browser.run(box.format(selector))
            assert seen["top"] >= 0 and seen["bottom"] <= height, selector
            assert seen["left"] >= 0 and seen["right"] <= width, selector
        page.browser.run("at('accuracy').scrollIntoView()")
        seen = page.browser.run(box.format("#board"))
        assert seen["top"] >= 0 and seen["bottom"] <= height
        assert page.browser.run("return document.documentElement.scrollWidth") <= width
