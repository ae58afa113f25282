"""What is settled in the pages of `ownership report`, looked at in a real browser."""

from dataclasses import replace

import numpy as np

from game_records.record_sources import read_game
from ownership.explaining.settled import settled_map, settled_share
from ownership.inference.evaluator import Evaluator
from ownership.inference.prediction import Prediction
from ownership.inference.settling_network import settling_chances
from ownership.report.game_page import game_page
from ownership.scoring.scored_game import ScoreOptions
from ownership.scoring.timeline import timeline
from tests.support.browser import HOME, RIGHT, Browser
from tests.support.paths import EXAMPLES

LAST = 45


def test_what_is_settled_is_written_and_drawn(bundled: Evaluator, browser: Browser) -> None:
    game = read_game(str(EXAMPLES / "finished-9x9.sgf"))
    scored = list(timeline(game, bundled, ScoreOptions(symmetries=1), range(LAST + 1)))
    goes_on = [each for each in scored if each.policy is not None]
    predictions = [Prediction(each.estimate.ownership, each.policy) for each in goes_on]
    found = settling_chances([each.position for each in goes_on], predictions)
    chances = {each.move: here for each, here in zip(goes_on, found, strict=True)}
    percent = {move: round(100 * settled_share(each)) for move, each in chances.items()}
    assert len(percent) > LAST - 4
    browser.open(game_page(scored))
    browser.press(HOME)
    for move in range(6):
        assert "% of the board is settled (dashed line)" in browser.text("#reason")
        assert move not in percent or f" {percent[move]}% of" in browser.text("#reason")
        browser.press(RIGHT)
    line = browser.find(".graph .settled").get_attribute("d")
    assert line is not None
    heights = [float(place.split()[1]) for place in line[1:].split("L")]
    assert len(heights) == LAST + 1
    assert np.corrcoef([heights[move] for move in percent], list(percent.values()))[0, 1] < -0.99
    browser.open(game_page(scored), move=24)
    browser.find("[value='settled']").click()
    letters = "".join(settled_map(chances[24], scored[24].estimate.ownership))
    assert browser.count("#board .values rect") == sum(letter in "XO" for letter in letters)
    assert browser.count("#board .values circle") == sum(letter in "123" for letter in letters) > 0
    assert "Squares: the owner is final" in browser.text("#reason")
    browser.open(game_page([replace(each, policy=None) for each in scored]), move=0)
    assert "settled" not in browser.text("#reason") and not browser.count(".graph .settled")
