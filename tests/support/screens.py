"""python -m tests.support.screens [FOLDER]

Draws pages in Chromium: without a folder the pictures of `ownership serve` and `ownership report` in the guide, with
one the page of `ownership serve` on all SCREENS, light and dark, with a finished game and with its largest mistake.
"""

import base64
import io
import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image

from game_records.sgf import parse_game
from ownership.inference.evaluator import Evaluator
from ownership.report.game_page import game_page, review_page
from ownership.review.searched_positions import review
from ownership.scoring.scored_game import ScoreOptions
from ownership.scoring.timeline import timeline
from ownership.server.app import create_app
from tests.support.browser import SCHEME, Browser
from tests.support.page import Page, served
from tests.support.paths import EXAMPLES, ROOT

SCREENS: Final = {"desktop": (1440, 900), "laptop": (1366, 650), "phone": (390, 844)}
GUIDE: Final = (1366, 768)
PICTURES: Final = ROOT / "docs" / "pictures"
GAME: Final = EXAMPLES / "finished-19x19.sgf"
VISITS: Final = 100


def main() -> None:
    """Draw the pictures of the guide, or pictures of all screens into a folder."""
    evaluator = Evaluator.load()
    with tempfile.TemporaryDirectory() as own:
        browser = Browser(Path(own))
        with served(create_app(evaluator)) as address:
            if len(sys.argv) > 1:
                draw_screens(browser, address, Path(sys.argv[1]))
            else:
                draw_page(browser, address)
                draw_why(browser, address)
                draw_reports(browser, evaluator)
        browser.driver.quit()


def draw_screens(browser: Browser, address: str, folder: Path) -> None:
    """Draw the page on all screens."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, screen in SCREENS.items():
        for scheme in ("light", "dark"):
            page = opened(browser, address, screen, scheme)
            shoot(browser, folder / f"{name}-{scheme}.png")
            show_mistake(page)
            shoot(browser, folder / f"{name}-{scheme}-mistake.png")


def draw_page(browser: Browser, address: str) -> None:
    """Draw the pictures of docs/serve.md."""
    opened(browser, address, GUIDE, "light")
    shoot(browser, PICTURES / "serve.png")
    show_mistake(opened(browser, address, SCREENS["phone"], "dark"))
    shoot(browser, PICTURES / "serve-phone.png")


def draw_why(browser: Browser, address: str) -> None:
    """Draw the pictures of docs/explaining.md: a dead group with a line, and what is at stake."""
    page = opened(browser, address, GUIDE, "light", EXAMPLES / "finished-9x9.sgf")
    page.choose("why")
    page.mark("C7")
    page.wait(lambda: browser.run("return why !== null"))
    browser.run("document.querySelector('#why-rows button').click()")
    browser.run("document.querySelectorAll('#why-rows .line button')[4].click()")
    browser.run("at('why').scrollIntoView({ block: 'end' })")
    shoot(browser, PICTURES / "serve-why.png")
    page = opened(browser, address, GUIDE, "light", EXAMPLES / "middlegame-19x19.sgf")
    page.choose("why")
    page.wait(lambda: browser.count("#why-rows button"))
    browser.run("at('why').scrollIntoView({ block: 'end' })")
    shoot(browser, PICTURES / "serve-stakes.png")


def draw_reports(browser: Browser, evaluator: Evaluator) -> None:
    """Draw the pictures of docs/review.md: a game at a move, and its review."""
    width, height = GUIDE
    game = parse_game(GAME.read_bytes())
    choose_scheme(browser, "light")
    scored = list(timeline(game, evaluator, ScoreOptions(), range(len(game.move_points) + 1)))
    browser.open(game_page(scored), width=width, height=height, move=120)
    shoot(browser, PICTURES / "page.png")
    browser.open(review_page(list(review(game, evaluator, ScoreOptions(), VISITS))), width=width, height=height)
    shoot(browser, PICTURES / "review.png")


def opened(browser: Browser, address: str, screen: tuple[int, int], scheme: str, game: Path = GAME) -> Page:
    """Return the page of `ownership serve` with a game, its graph drawn."""
    choose_scheme(browser, scheme)
    width, height = screen
    browser.forget(address)
    browser.visit(f"{address}?language=en", width=width, height=height)
    page = Page(browser)
    page.settle()
    page.load(game)
    page.wait(lambda: browser.run("return graph.values.every((value) => value !== null)"))
    return page


def choose_scheme(browser: Browser, scheme: str) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [SCHEME | {"value": scheme}]})


def show_mistake(page: Page) -> None:
    """Search the game, and show its largest mistake."""
    page.browser.find("#review-game").click()
    page.wait(lambda: page.browser.run("return accuracy !== null && reviewing === null"))
    page.browser.find("#next-mistake").click()
    page.wait(lambda: page.message != "")
    page.settle()


def shoot(browser: Browser, path: Path) -> None:
    """Write a picture of what the window shows, in 256 colours, which makes its file a third as large."""
    shown = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    picture = Image.open(io.BytesIO(base64.b64decode(shown["data"]))).convert("RGB")
    reduced = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)


if __name__ == "__main__":
    main()
