"""The page of `ownership serve` in a real browser: the review beside the game, variations, play against the model."""

import re

import pytest

from game_records.sgf import parse_game
from tests.support.browser import UP
from tests.support.page import FINISHED, REVIEWED, Page


def test_the_graph_is_there_at_once_and_the_mistakes_after_a_search(page: Page) -> None:
    page.open_reviewed()
    page.wait(lambda: page.browser.count(".graph .curve") == 1)
    assert page.browser.count(".graph .dot") == 0
    assert page.browser.run("return graph.values.length") == 23
    page.review()
    largest = page.browser.run("return reviewNow().mistakes()[0]")
    assert page.browser.count(".graph .dot") >= 1
    assert page.browser.text("#accuracy").startswith("BlackWhiteAccuracy")
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.message.startswith(f"Move {largest}, "))
    assert re.search(r"lost \d+\.\d points; better: ", page.message)
    assert page.browser.text("#played").startswith(f"Move {largest - 1} of 22")
    assert page.browser.run("return document.querySelector('[name=view]:checked').value") == "candidates"
    assert page.browser.count("#mistakes [aria-current]") == 1
    assert page.browser.count(".marks .loss") >= 1
    assert page.browser.complaints() == []


def test_a_review_goes_on_while_its_game_is_there(page: Page) -> None:
    page.open_reviewed()
    page.browser.run("wanted = 'change'")
    page.browser.find("#review-game").click()
    page.open_reviewed()
    page.wait(lambda: page.browser.run("return wanted === null"))  # the game is there again
    page.settle()
    page.wait(lambda: page.browser.run("return accuracy !== null && reviewing === null"))
    page.wait(lambda: page.browser.count("#accuracy tr") > 0)
    enter = "at('komi').value = {}; at('komi').dispatchEvent(new Event('change'))"
    page.browser.run(enter.format(5))
    page.wait(lambda: page.browser.run("return shown.komi === 5"))
    begin = "accuracy = null; reviewGame()"  # in one script with the change: the review may be short
    page.browser.run(f"{begin}; {enter.format(3)}")
    page.wait(lambda: page.browser.run("return shown.komi === 3 && reviewing === null"))
    assert page.browser.run("return accuracy") is None
    page.wait(lambda: page.browser.find("#review-game").is_displayed())
    page.browser.run("searched.clear(); reviewing = new ReviewRun(''); showReview()")
    assert page.browser.text("#next-mistake") == "Scoring the end …"
    page.browser.run("reviewing.take({ kind: 'game', passes: [1, 8], moves: 22 }); showReview()")
    assert page.browser.text("#next-mistake") == "Searching …"


def test_a_review_says_where_it_is_and_goes_on_after_a_stop(page: Page) -> None:
    percent = "return Number(/(\\d+)%/.exec(at('{}').textContent)[1])"
    page.open_reviewed()
    page.browser.run("at('visits').value = 200; at('visits').dispatchEvent(new Event('change'))")
    page.browser.find("#review-game").click()
    page.wait(lambda: page.browser.run("return reviewing.pass") == 2)  # the coarse one has found mistakes
    page.wait(lambda: page.browser.text("#next-mistake") == "Largest so far")
    assert page.browser.text("#mistakes-heading") == "Largest mistakes so far"
    page.wait(lambda: page.browser.run("return reviewing.move") > 3)
    mark = "return document.querySelector('.graph .searching').getAttribute('d')"
    begun = page.browser.run(mark)
    page.wait(lambda: page.browser.run(mark) != begun)
    page.browser.find("#stop-review").click()
    page.wait(lambda: page.browser.text("#review-game").startswith("Continue"))
    stopped = page.browser.run(percent.format("review-game"))
    assert 10 < stopped < 100
    assert page.browser.count(".graph .searching") == 0
    move = page.browser.run("return halted.move")
    page.browser.run("searched.clear()")
    page.browser.find("#review-game").click()
    page.wait(lambda: page.browser.run("return reviewing.pass === 2 && reviewing.move") > move)
    page.wait(lambda: page.browser.run(percent.format("stop-review")) >= stopped)
    assert page.browser.run("return reviewNow().lost(1)") is not None
    page.browser.run("endReview()")


def test_a_position_is_searched_deeper(page: Page) -> None:
    page.open_reviewed()
    page.review()
    page.browser.find("#mistakes button").click()
    page.settle()
    assert page.browser.text("#searched").startswith("50 visits: ")
    assert page.browser.text("#deeper") == "Look deeper: 200 visits"
    page.browser.find("#deeper").click()
    page.wait(lambda: page.browser.text("#searched").startswith("200 visits: "))
    page.wait(lambda: page.browser.text("#deeper") == "Look deeper: 800 visits")
    found = "const [before, after] = [0, 1].map((more) => foundNow(state.now + more));"
    visits, lost, scores = page.browser.run(
        f"{found} return [[before.visits, after.visits], reviewNow().lost(state.now + 1), [before.score, after.score]]"
    )
    assert visits == [200, 200]
    assert lost == pytest.approx(abs(scores[0] - scores[1]))


def test_moves_are_rows_with_points_win_rate_visits_and_line(page: Page) -> None:
    page.open_reviewed()
    page.review()
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.message != "")
    rows = page.browser.run("return [...document.querySelectorAll('#candidates button')].map((each) => each.ariaLabel)")
    shape = r"(A|B|C|played): [A-G][1-7], [\d.]+ points lost, win rate [BW] (< |> )?\d+%, \d+ visits"
    assert all(re.fullmatch(shape, row) for row in rows)
    assert [row.partition(":")[0] for row in rows] == ["A", "B", "C", "played"]
    assert re.search(r"(Black|White)'s win rate (> )?\d+%", page.browser.text("#reason"))
    page.browser.find("#candidates li:last-child button").click()
    assert page.browser.count(".marks text") == 1, "the move of the game, with its number"
    page.browser.run("go(22)")
    page.settle()
    assert "%" not in page.browser.text("#reason"), "the end is counted"


def test_before_a_search_no_numbers_stand_on_the_board(page: Page) -> None:
    page.open_reviewed()
    page.browser.run("go(4)")
    page.settle()
    marks = "return [...document.querySelectorAll('.marks .likely, .marks text')].map((each) => each.tagName)"
    assert set(page.browser.run(f"searched.clear(); wanted = 'candidates'; draw(); {marks}")) == {"circle"}


def test_a_click_on_a_dot_of_the_graph_shows_the_position_before_the_mistake(page: Page) -> None:
    def mouse(kind: str, x: float, y: float) -> None:
        asked = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        page.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", asked)

    page.open_reviewed()
    page.review()
    place = (
        "const dot = graph.dots.at(-1); const { left, top } = graph.box();"
        "return [dot.move, left + graph.x(dot.move), top + graph.y(graph.values[dot.move])]"
    )

    def click_it() -> bool:
        """Click the dot where it is now: answers may still change the scale of the graph."""
        number, x, y = page.browser.run(place)
        mouse("mousePressed", x + 2, y - 3)
        mouse("mouseMoved", x + 4, y)
        mouse("mouseReleased", x + 4, y)
        return page.message.startswith(f"Move {number}, ")

    page.wait(click_it)
    number, x, y = page.browser.run(place)
    assert page.browser.text("#played").startswith(f"Move {number - 1} of 22")
    mouse("mousePressed", x, y)
    mouse("mouseMoved", x - 60, y)
    mouse("mouseReleased", x - 60, y)
    page.wait(lambda: page.message == "")
    assert page.browser.run("return state.now") < number - 1


def test_what_a_candidate_loses_stands_within_its_mark(page: Page) -> None:
    shown, corners = page.browser.run(  # in one script: the page may draw the board once more
        "board.drawCandidates([3.26, 9.94, 16.6].map((lost, point) =>({ point, name: 'ABC'[point], lost, level: 0 })));"
        "const drawn = [...document.querySelectorAll('.marks text')];"
        "const corner = (each) => Math.hypot(each.getBBox().width / 2, each.y.baseVal[0].value);"
        "return [drawn.map((each) => each.textContent), drawn.map(corner)]"
    )
    assert shown == ["A", "−3.3", "B", "−9.9", "C", "−17"]
    assert max(corners) < 0.48  # the radius of a mark


def test_both_pass_in_the_middle_of_a_record_is_a_variation(page: Page) -> None:
    page.open_reviewed()
    page.browser.run("go(6)")
    page.settle()
    page.browser.find("#both-pass").click()
    page.wait(lambda: page.browser.text("#played") == "Move 8 of 8: White passes")
    page.settle()
    assert page.browser.run("return [state.lines.length, state.lines[0].moves.length]") == [2, 22]
    page.browser.find("#undo").click()
    page.wait(lambda: page.browser.text("#played").startswith("Move 6 of 22"))


def test_a_tap_on_one_of_the_best_moves_plays_it(page: Page) -> None:
    page.load(FINISHED)
    page.browser.run("go(6)")
    page.settle()
    page.browser.find(".views label:last-of-type").click()
    page.wait(lambda: page.browser.count("#candidates li") > 0)
    best = page.browser.text("#candidates .vertex")
    page.mark(best)
    assert page.browser.text("#played") == f"Move 7 of 7: Black {best}"


def test_the_line_of_a_candidate_is_shown_below_the_mouse(page: Page) -> None:
    page.open_reviewed()
    page.browser.run("go(4)")
    page.settle()
    page.browser.find(".views label:last-of-type").click()
    page.wait(lambda: page.browser.count("#candidates li") > 0)
    marks = "return [...document.querySelectorAll('.marks text')].map((each) => each.textContent)"
    line = page.browser.run("return Math.min(10, reviewNow().candidates(4, mover(gameNow(), 4))[0].line.length)")
    page.browser.hover(page.point(page.browser.text("#candidates .vertex")))
    assert sorted(map(int, page.browser.run(marks))) == list(range(1, line + 1))
    page.browser.hover(page.browser.find("#status"))
    assert page.browser.run(marks)[0] == "A"


def test_mistakes_can_be_searched_after_a_look_at_the_best_moves(page: Page) -> None:
    page.open_reviewed()
    page.browser.run("go(4)")
    page.browser.find(".views label:last-of-type").click()
    page.wait(lambda: page.browser.count("#candidates li") > 0)
    for each in ("#next-mistake", "#mistakes-heading", "#noise", "#stop-review"):
        assert not page.browser.find(each).is_displayed()
    page.review()
    assert page.browser.find("#noise").is_displayed()
    assert page.browser.find("#next-mistake").is_displayed()
    assert not page.browser.find("#review-game").is_displayed()


def test_the_better_line_is_clicked_through(page: Page) -> None:
    page.open_reviewed()
    page.review()
    page.browser.find("#mistakes button").click()
    page.settle()
    stones = page.browser.count(".stones circle")
    names = page.browser.run("return [...document.querySelectorAll('#candidates b')].map((each) => each.textContent)")
    assert names == ["A", "B", "C", ""]
    page.browser.run("document.querySelector('#candidates button').click()")
    pressed = "return document.querySelector('.line button').getAttribute('aria-pressed')"
    assert page.browser.run(pressed) == "true"
    assert page.browser.count(".stones circle") == stones + 1
    assert page.browser.run("return [...document.querySelectorAll('.marks text')].map((each) => each.textContent)") == [
        "1"
    ]
    page.browser.run("document.querySelector('.line button').click()")
    assert page.browser.count(".stones circle") == stones


def test_variations_are_kept(page: Page) -> None:
    page.open_reviewed()
    page.choose("play")
    page.browser.run("go(2)")
    for vertex in ("E3", "C5"):
        page.mark(vertex)
    assert page.browser.text("#played") == "Move 4 of 4: White C5"
    assert page.selected == "Variation 1 from move 3, 4: White C5"
    page.browser.run("at('tree').focus()")
    page.browser.press(UP)
    page.settle()
    assert page.browser.text("#played") == "Move 4 of 22: White E4"
    page.browser.run("go(2)")
    page.mark("A7")  # as in the game
    assert page.selected == "Game, 3: Black A7"
    sgf = page.saved("#share-sgf")
    assert sgf.count(b"(") == 3
    assert parse_game(sgf).move_points.tolist() == parse_game(REVIEWED.encode()).move_points.tolist()
    page.browser.run("undo()")
    page.browser.run("undo()")
    page.settle()
    assert not page.browser.find("#tree").is_displayed()


def test_the_model_answers(page: Page) -> None:
    page.browser.run("newBoard(7)")
    page.wait(lambda: page.browser.run("return board.side") == 7)
    page.browser.find("#play-out").click()
    page.mark("D4")
    page.wait(lambda: re.match("Move 2 of 2: White ", page.browser.text("#played")))
    page.browser.find("#play-out").click()
    page.settle()
    page.browser.find("#pass").click()
    page.wait(lambda: page.browser.text("#played") == "Move 3 of 3: Black passes")


def test_the_model_passes_in_a_counted_position_and_says_why(page: Page) -> None:
    page.load(FINISHED)
    page.browser.run("go(43)")
    page.settle()
    page.browser.find("#play-out").click()
    assert page.message == "Play a move: the model answers it."
    page.mark("A9")
    page.wait(lambda: page.message == "The game looks finished, so the model passes.")
    assert page.browser.text("#played") == "Move 45 of 45: Black passes"
    page.browser.find("#pass").click()
    page.wait(lambda: page.message == "Both sides have passed: the game is over, and the model plays no further.")
    assert page.browser.text("#played") == "Move 46 of 46: White passes"
    assert page.browser.find("#play-out").get_attribute("aria-pressed") == "false"


def test_the_headline_is_of_the_search_where_there_is_one(page: Page) -> None:
    page.open_reviewed()
    page.browser.run("go(4)")
    page.settle()
    assert "By a search" not in page.browser.text("#reason")
    page.browser.find(".views label:last-of-type").click()
    page.wait(lambda: "By a search of 50 visits." in page.browser.text("#reason"))
    score, wins = page.browser.run("const { score, black_wins } = foundNow(); return [score, black_wins]")
    leader, by = ("Black", wins) if score > 0 else ("White", 1 - wins)
    assert page.status == f"{leader} leads by {abs(round(score, 1)):g}"
    assert page.browser.text("#reason").startswith(f"{leader}'s win rate {round(100 * by)}%. 90% interval ")
    black, white = map(float, re.findall(r"(?:Black|White) ([-\d.]+)", page.browser.text("#points")))
    assert black - white == pytest.approx(score, abs=0.11)
    page.choose("judge")
    page.mark("D4")
    assert "search" not in page.browser.text("#reason"), "it knows nothing of marked groups"


def test_the_side_to_move_follows_the_stones_and_prisoners_are_entered(page: Page) -> None:
    page.browser.run("newBoard(5)")
    page.wait(lambda: page.browser.run("return board.side") == 5)
    page.mark("B2")
    assert page.browser.run("return at('to-move').value") == "-1"
    page.choose("white")
    page.mark("D4")
    assert page.browser.run("return at('to-move').value") == "1"
    page.browser.find("#terms").click()
    assert not page.browser.find("#prisoners-black").is_displayed()
    page.browser.run("at('rules').value = 'japanese'; at('rules').dispatchEvent(new Event('change'))")
    page.settle()
    assert page.browser.find("#prisoners-black").is_displayed()
    before = page.browser.run("return shown.score")
    page.browser.run("at('prisoners-black').value = 4; at('prisoners-black').dispatchEvent(new Event('change'))")
    page.wait(lambda: page.browser.run("return shown.score") - before > 3.9)
