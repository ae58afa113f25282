"""`ownership report`, looked at in a real browser."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game_records.record_sources import read_game
from game_records.sgf import parse_game
from goban.coords import parse_gtp, sgf_name
from goban.counting.languages import LANGUAGES
from goban.position import Position
from ownership.cli import main
from ownership.evaluation.measure import measure
from ownership.evaluation.worst_positions import worst_positions
from ownership.inference.evaluator import Evaluator
from ownership.report.game_page import GAME_SCRIPTS, game_page
from ownership.report.index_page import IndexEntry, index_page
from ownership.report.page_texts import texts
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.timeline import changes, timeline
from tests.support.browser import END, HOME, LEFT, RIGHT, SCHEME, UP, Browser
from tests.support.datasets import RECORD, write_dataset
from tests.support.waiting import wait_until

RUN = "document.title='run'"
NASTY = f"</title></script><script>{RUN}</script><img src=x onerror={RUN}>'\"&amp;`${{0}}🙂\x07"
KEPT = {"Home", "Shift"}  # names of keys, which no language translates
MOVES = """B[ee];W[ec];B[fc];W[eb];B[fb];W[dd];B[fd];W[ed];B[fe];W[de];B[df];W[cf];B[dg];W[cg];B[ch];W[bh]
;B[dh];W[ce];B[ea];W[da];B[fa];W[ci];B[di];W[bi];B[];W[]"""
LAST = 26


def sgf(black: str = "An", result: str = "B+6.5") -> bytes:
    escaped = black.replace("\\", "\\\\").replace("]", "\\]")
    header = f"GM[1]SZ[9]KM[6.5]RU[Japanese]PB[{escaped}]BR[3d]PW[Bo]DT[2020-02-02]RE[{result}]"
    return f"(;{header}C[{escaped}\n{escaped}];{MOVES}C[{escaped}])".encode()


@pytest.fixture(scope="module")
def scored(bundled: Evaluator, tmp_path_factory: pytest.TempPathFactory) -> list[ScoredGame]:
    path = tmp_path_factory.mktemp("game") / "game.sgf"
    path.write_bytes(sgf())
    return list(timeline(read_game(path), bundled, ScoreOptions(symmetries=1), range(LAST + 1)))


def move_shown(browser: Browser) -> int:
    found = re.match(r"Move (\d+) of", browser.text("#played"))
    return int(found[1]) if found else 0


@pytest.fixture
def opened(browser: Browser, scored: list[ScoredGame]) -> Browser:
    """The browser, at the end of the game."""
    browser.open(game_page(scored))
    return browser


@pytest.mark.parametrize(("width", "height"), [(320, 640), (360, 740), (820, 1180), (1600, 900), (1920, 1080)])
def test_the_page_fits_every_screen(width: int, height: int, browser: Browser, scored: list[ScoredGame]) -> None:
    browser.open(game_page(scored), width=width, height=height)
    assert browser.complaints() == []
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    board = browser.find("#board svg").rect
    assert board["width"] == board["height"] > 0.6 * min(width, height)
    for button in ("[data-step='1']", "#slider", "fieldset label"):
        assert browser.find(button).rect["height"] >= 44  # pixels that a finger needs


def test_it_opens_at_the_end_or_at_the_move_of_the_link(browser: Browser, scored: list[ScoredGame]) -> None:
    browser.open(game_page(scored))
    assert browser.text("#status") == "Black wins by 6.5"
    assert browser.text("#played") == f"Move {LAST} of {LAST}: White passes"
    assert not browser.find("#candidates-head").is_displayed()
    browser.open(game_page(scored), move=3)
    assert browser.text("#played") == f"Move 3 of {LAST}: Black F7"
    browser.open(game_page(scored), move=999)
    assert move_shown(browser) == LAST


def test_every_move_shows_its_stones_and_ownership(opened: Browser, scored: list[ScoredGame]) -> None:
    opened.find("[value='ownership']").click()
    opened.press(HOME)
    for each in scored:
        answer, stones = each.estimate, each.position.stones
        assert opened.count(".stones circle") == np.count_nonzero(stones)
        percent = np.round(100 * answer.ownership)
        assert opened.count(".shades rect") == np.count_nonzero(np.abs(percent) > 10)
        weak = (stones != 0) & (np.abs(percent) > 10) & (percent * stones < 33)
        assert opened.count(".values rect") == np.count_nonzero(weak)
        assert opened.text("#status") == answer.verdict
        opened.press(RIGHT)
    assert opened.complaints() == []


def test_keys(opened: Browser) -> None:
    places = []
    for key in (HOME, RIGHT, RIGHT, LEFT, END, RIGHT, LEFT):
        opened.press(key)
        places.append(move_shown(opened))
    assert places == [0, 1, 2, 1, LAST, LAST, LAST - 1]
    opened.press_shifted(LEFT)
    assert move_shown(opened) == LAST - 11


def test_buttons_and_slider(opened: Browser) -> None:
    places = []
    for step in ("-Infinity", "1", "10", "-1", "Infinity", "-10"):
        opened.find(f"[data-step='{step}']").click()
        places.append(move_shown(opened))
    assert places == [0, 1, 11, 10, LAST, LAST - 10]
    opened.run("at('slider').focus()")
    opened.press(UP)
    assert move_shown(opened) == LAST - 9
    told = f"{opened.text('#played')}. {opened.text('#status')}"
    assert opened.find("#slider").get_attribute("aria-valuetext") == told


def test_the_wheel_scrolls_the_page_over_the_board(opened: Browser) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    opened.run("document.querySelector('details').open = true")
    origin = ScrollOrigin.from_element(opened.find("#board"))
    ActionChains(opened.driver).scroll_from_origin(origin, 0, 100).perform()
    wait_until(lambda: opened.run("return scrollY") > 0)
    assert move_shown(opened) == LAST


def test_a_click_on_the_graph_jumps_there(opened: Browser) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    graph = opened.find("#graph")
    middle = 40 + (graph.rect["width"] - 40 - 10) / 2 - graph.rect["width"] / 2
    ActionChains(opened.driver).move_to_element_with_offset(graph, round(middle), 0).click().perform()
    assert move_shown(opened) == LAST / 2


def test_the_moves_that_changed_most_are_linked(opened: Browser, scored: list[ScoredGame]) -> None:
    most = max(changes(scored), key=lambda change: change.points)
    assert opened.find("#mistakes-heading").text == "The largest lasting changes of ownership"
    assert opened.text("#noise") == "These are no mistakes: only a search finds those."
    link = opened.find("#mistakes button")
    assert f"{most.points:.1f} points change owner" in link.text
    link.click()
    assert move_shown(opened) == most.move
    assert opened.find("#mistakes button").get_attribute("aria-current") == "true"
    assert opened.run("return location.hash") == f"#{most.move}"


def test_one_view_at_a_time(opened: Browser, scored: list[ScoredGame]) -> None:
    end = scored[-1]
    empty = end.estimate.owner[end.position.stones == 0]
    squares = int((empty != 0).sum() + end.estimate.dead.sum())
    assert opened.find("[value='territory']").is_selected()
    assert (opened.count(".values rect"), opened.count(".values path")) == (squares, int((empty == 0).sum()))
    assert opened.count(".stones [opacity]") == end.estimate.dead.sum()
    opened.find("[value='change']").click()
    assert opened.count(".values path") == opened.count(".stones [opacity]") == 0
    opened.find("#numbers").click()
    numbers = opened.run("return [...document.querySelectorAll('.marks text')].map((each) => each.textContent)")
    assert sorted(map(int, numbers)) == list(range(1, 25))
    assert opened.find(".coordinates").is_displayed()
    opened.find("#coordinates").click()
    assert not opened.find(".coordinates").is_displayed()


def test_likely_moves_are_there_where_the_model_predicts_them(browser: Browser, scored: list[ScoredGame]) -> None:
    policy = np.full(82, 0.001, np.float32)
    policy[[parse_gtp("C3", 9), parse_gtp("G7", 9), parse_gtp("pass", 9)]] = 0.5, 0.25, 0.1
    unknown = [replace(each, policy=None) for each in scored]
    browser.open(game_page([replace(scored[0], policy=policy), *unknown[1:]]), move=0)
    browser.find("[value='candidates']").click()
    radii = browser.run("return [...document.querySelectorAll('.marks .likely')].map((each) => each.r.baseVal.value)")
    assert radii == sorted(radii, reverse=True)
    assert len(set(radii)) == 2
    assert browser.count(".marks text") == 0, "probabilities of moves are no win rates"
    browser.press(RIGHT)
    assert browser.count(".marks .likely") == 0


def test_light_and_dark(opened: Browser) -> None:
    def paper() -> str:
        return str(opened.run("return getComputedStyle(document.body).backgroundColor"))

    opened.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [SCHEME | {"value": "dark"}]})
    dark = paper()
    opened.find("#theme").click()
    light = paper()
    assert sum(map(int, re.findall(r"\d+", light))) > 600 > 150 > sum(map(int, re.findall(r"\d+", dark)))
    opened.find("#theme").click()
    assert paper() == dark
    opened.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [SCHEME | {"value": "light"}]})


def test_a_screen_reader_gets_everything(opened: Browser, scored: list[ScoredGame]) -> None:
    opened.press(HOME, RIGHT)
    assert opened.find("#status").get_attribute("role") == "status"
    told = f"Go board. {opened.text('#played')}. {opened.text('#status')}"
    assert opened.find("#grid").get_attribute("aria-label") == told
    assert opened.text("#diagram").splitlines()[5] == " 5 . . . . X . . . . 5"
    nameless = opened.run(
        "return [...document.querySelectorAll('button, input, a')]"
        ".filter((each) => !(each.ariaLabel || each.labels?.length || each.textContent.trim())).length"
    )
    assert nameless == 0


def contrast(one: str, other: str) -> float:
    """Return the contrast of two CSS colours as WCAG defines it."""

    def luminance(colour: str) -> float:
        channels = np.array([int(value) for value in re.findall(r"\d+", colour)[:3]]) / 255
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_can_be_read(theme: str, opened: Browser) -> None:
    opened.run(f"document.documentElement.dataset.theme = '{theme}'")
    card = opened.run("return getComputedStyle(document.body).backgroundColor")
    for selector in ("#status", "#reason", "dt", "dd", ".mistake", ".mistake .soft", "h2"):
        ink = opened.run(f"return getComputedStyle(document.querySelector('{selector}')).color")
        assert contrast(ink, card) >= 4.5, selector


def test_hostile_names_and_comments_are_text(browser: Browser, bundled: Evaluator, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_bytes(sgf(NASTY))
    record = read_game(tmp_path / "game.sgf")
    nasty = list(timeline(record, bundled, ScoreOptions(symmetries=1), range(LAST + 1)))
    assert "<script>" in record.black
    browser.open(game_page(nasty))
    assert browser.complaints() == []
    assert browser.driver.title.startswith("</title></script><script>")
    assert browser.text("h1 bdi") == record.black
    assert browser.text("#comment") == record.comments[LAST] == NASTY.replace("\x07", "\ufffd")
    assert browser.count("img") == 0
    assert browser.count("script") == len(GAME_SCRIPTS) + 4  # the words, the data, the theme, the game
    browser.open(index_page([IndexEntry('"><script>document.title="run"</script>.html', nasty[-1], [])]))
    assert (browser.driver.title, browser.count("script"), browser.complaints()) == ("Games", 1, [])
    assert browser.text("td bdi").startswith(record.black)


def test_what_is_not_ours_is_not_run(browser: Browser, scored: list[ScoredGame]) -> None:
    """Even if markup passed through a hole, the browser would neither run it nor load anything."""
    hole = "<script>document.title='run'</script><img src='http://127.0.0.1:9/'>"
    browser.open(game_page(scored).replace("<main", f"{hole}<main"))
    assert browser.driver.title == "An 3d – Bo"
    blocked = [entry["message"] for entry in browser.complaints()]
    assert len(blocked) == 2
    assert all("Content Security Policy" in message for message in blocked)


def test_a_page_needs_nothing_else(scored: list[ScoredGame]) -> None:
    page = game_page(scored)
    assert re.findall(r"""(?:src|href)=["']?(?!data:|#)[^"'> ]+""", page) == []
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}


def test_300_moves_fit_in_a_megabyte(bundled: Evaluator, tmp_path: Path) -> None:
    """Of a random game, so that nothing is certain, with likely moves and a comment at every move."""
    random, position, record = np.random.default_rng(1), Position.empty(19), "(;SZ[19]"
    for _ in range(300):
        point = int(random.choice(np.flatnonzero(position.legal_points()[:-1])))
        record += f";{'B' if position.to_move > 0 else 'W'}[{sgf_name(point, 19)}]C[{'x' * 500}]"
        position = position.play(point)
    (tmp_path / "long.sgf").write_text(record + ")")
    scored = timeline(read_game(tmp_path / "long.sgf"), bundled, ScoreOptions(symmetries=1), range(301))
    policies = random.dirichlet(np.full(362, 0.05), 301).astype(np.float32)
    likely = [replace(each, policy=policy) for each, policy in zip(scored, policies, strict=True)]
    assert len(game_page(likely).encode()) < 1_000_000


def test_a_model_has_a_page_with_curves_and_mistakes(
    browser: Browser, small_chain_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    dataset, model = write_dataset(tmp_path / "data"), tmp_path / "</title><script>"
    shutil.copytree(small_chain_model, model)
    records = [{"samples": 100 * n, "accuracy": 0.5, "validation_accuracy": 0.6} for n in range(3)]
    (model / "history.json").write_text(json.dumps(records))
    (model / "model.json").write_text((model / "model.json").read_text().replace("small-chains", NASTY[:40]))
    arguments = ["evaluate", str(model), str(dataset), "--split", "train", "--every", "7"]
    assert main([*arguments, "--report", str(tmp_path / "page.html")]) == 0
    assert capsys.readouterr().err.endswith(f"Wrote {tmp_path / 'page.html'}\n")
    browser.open((tmp_path / "page.html").read_text())
    assert browser.complaints() == []
    assert browser.driver.title == NASTY[:40]
    assert str(model) in browser.run("return document.body.innerText")
    assert browser.run("return [...document.images].map((image) => image.alt)") == [
        "Accuracy by move number", "Calibration", "Training: accuracy",
    ]  # fmt: skip
    assert browser.run("return [...document.images].every((image) => image.naturalWidth > 0)")
    assert browser.count("tbody tr") == 2
    # The page's only board is of the dataset's only game.
    [board] = browser.run("return [...document.querySelectorAll('figure svg')].map((each) => each.ariaLabel)")
    assert re.search(r"record, after (6|13) of 14 moves: \d+% right, .* B\+3.5 in the end$", board)
    assert main([*arguments, "--report", "page.txt"]) == 2
    assert capsys.readouterr().err == "ownership: error: page.txt: expected a page ending in .html\n"


def test_mistakes_are_where_the_model_is_worse_than_usual_then(small_model: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from game_datasets.evaluation_positions import evaluation_positions, table_planes
    from game_datasets.load_table import load_games

    table, evaluator = load_games([write_dataset(tmp_path / "data")]), Evaluator.load(small_model)
    games, plies = evaluation_positions(table, 1)
    batches = table_planes(table, games, plies, evaluator.feature_set, chains=True)
    measured = measure(evaluator, table, batches)
    [found] = worst_positions(evaluator, table, measured, 5)
    assert measured.owners is not None
    brier = measured.owners.brier
    usual = np.array([brier[measured.tenth == tenth].mean() for tenth in measured.tenth])
    assert found.ply == np.argmax(brier - usual)
    assert found.position == parse_game(RECORD).position(found.ply)
    right = (found.target != 0) & ~found.wrong
    assert right.sum() / (found.target != 0).sum() == pytest.approx(found.accuracy)


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run `ownership report` in a folder of its own that holds some games; return the exit status."""
    monkeypatch.chdir(tmp_path)
    Path("one.sgf").write_bytes(sgf())
    for name in ("two.sgf", "50% of?.sgf"):
        Path(name).write_bytes(sgf("Cy") + sgf("Di", "?"))
    Path("index.sgf").write_bytes(sgf("Ed"))
    Path("bad.sgf").write_bytes(b"(;SZ[9];B[jk])")
    return lambda *arguments: main(["report", *arguments, "--symmetries", "1"])


def test_one_game_gives_one_page(report: Callable[..., int], browser: Browser) -> None:
    assert report("one.sgf", "-o", "one.html") == 0
    browser.open(Path("one.html").read_text())
    assert (browser.driver.title, move_shown(browser)) == ("An 3d – Bo", LAST)


def test_several_games_give_an_index(
    report: Callable[..., int], browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report("one.sgf", "bad.sgf", "50% of?.sgf", "index.sgf", "-o", "pages") == 2
    error, written = capsys.readouterr().err.splitlines()
    assert error.startswith("ownership: error: bad.sgf: bad move")
    assert written == "Wrote pages/index.html"
    assert sorted(path.name for path in Path("pages").iterdir()) == [
        "50% of?-1.html", "50% of?-2.html", "index-2.html", "index.html", "one.html",
    ]  # fmt: skip
    browser.driver.get(Path("pages/index.html").absolute().as_uri())
    assert browser.complaints() == []
    names = browser.run("return [...document.querySelectorAll('tbody tr')].map((row) => row.cells[1].textContent)")
    assert names == ["An 3d", "Cy 3d", "Di 3d", "Ed 3d"]
    browser.find("tr:nth-child(3) a").click()
    assert (browser.driver.title, browser.complaints()) == ("Di 3d – Bo", [])


@pytest.mark.parametrize("name", LANGUAGES)
def test_pages_are_in_a_language(name: str, report: Callable[..., int], browser: Browser) -> None:
    assert report("one.sgf", "two.sgf", "-o", "pages", "--language", name) == 0
    for page in ("index.html", "one.html"):
        browser.visit(Path("pages", page).absolute().as_uri(), width=390, height=844)
        shown = browser.run("return [document.documentElement.lang, document.documentElement.scrollWidth]")
        assert shown == [name, 390]
        browser.run("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        if name in ("zh", "ja", "ko"):
            assert browser.words() <= KEPT | {"default"}
    assert browser.text("dl").startswith(texts(name)["fact_black"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one.sgf", "two.sgf", "-o", "out.html"], "out.html: one page shows one game. Received: 2"),
        (["two.sgf", "-o", "out.html"], "two.sgf: expected one game. Received: several"),
        (["bad.sgf", "-o", "out.html"], "bad.sgf: bad move"),
        (["one.sgf", "-o", "no/out.html"], "no/out.html: No such file or directory"),
        (
            ["one.sgf", "-o", "two.sgf"],
            "two.sgf: expected a file ending in .html, or a folder. Received: a file ending in .sgf",
        ),
        (["one.sgf", "-o", "out.txt"], "out.txt: expected a file ending in .html, or a folder. Received: a file"),
        (["one.sgf", "-o", "out.html", "--rules", "chess"], "--rules must be one of area"),
    ],
)
def test_mistakes_cost_one_line_and_status_2(
    arguments: list[str], message: str, report: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(*arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"ownership: error: {message}")
