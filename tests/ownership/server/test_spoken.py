"""The page and a report for screen readers: Chromium's tree of accessible elements."""

from collections.abc import Sequence
from typing import Any

from game_records.sgf import parse_game
from ownership.inference.evaluator import Evaluator
from ownership.report.game_page import review_page
from ownership.review.searched_positions import review
from ownership.scoring.scored_game import ScoreOptions
from tests.support.browser import LEFT, RIGHT, TAB, Browser
from tests.support.page import FINISHED, Page

CONTROLS = {
    "button", "link", "textbox", "slider", "combobox", "radio", "checkbox", "spinbutton", "gridcell", "grid", "listbox",
    "DisclosureTriangle", "dialog", "image", "table", "region",
}  # fmt: skip
Nodes = Sequence[dict[str, Any]]


def spoken(browser: Browser) -> Nodes:
    """Return the tree of screen readers."""
    browser.driver.execute_cdp_cmd("Accessibility.enable", {})
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [node for node in nodes if not node["ignored"]]


def named(nodes: Nodes, *roles: str) -> list[str]:
    """Return the names of all elements with one of some roles."""
    return [node.get("name", {}).get("value", "") for node in nodes if node["role"]["value"] in roles]


def nameless(nodes: Nodes) -> list[str]:
    """Return the roles of all elements that have no name."""
    roles = (node["role"]["value"] for node in nodes if not node.get("name", {}).get("value"))
    return [role for role in roles if role in CONTROLS]


def live(nodes: Nodes) -> dict[str, str]:
    """Return how soon changes of elements with a role of their own are spoken."""
    return {
        node["role"]["value"]: each["value"]["value"]
        for node in nodes
        for each in node.get("properties", ())
        if each["name"] == "live"
    }


def focusable(nodes: Nodes, role: str) -> int:
    properties = [node.get("properties", ()) for node in nodes if node["role"]["value"] == role]
    return sum(
        {"name": "focusable", "value": {"type": "booleanOrUndefined", "value": True}} in each for each in properties
    )


def check(browser: Browser, points: int) -> Nodes:
    """Check that everything has a name, and that the score and what changes are spoken."""
    nodes = spoken(browser)
    found = {node["role"]["value"] for node in nodes}
    assert found >= {"button", "slider", "radio", "checkbox", "grid", "gridcell", "row", "status", "alert"}
    assert nameless(nodes) == []
    assert live(nodes) | {"status": "polite", "alert": "assertive"} == live(nodes)
    assert len(named(nodes, "gridcell")) == focusable(nodes, "gridcell") == points
    return nodes


def test_the_page(page: Page) -> None:
    page.load(FINISHED)
    page.wait(lambda: page.browser.count(".graph .curve") == 1)
    nodes = check(page.browser, 81)
    assert named(nodes, "grid") == ["Go board. Move 45 of 45: Black passes. Black wins by 4"]
    assert "C7, dead White stone, Black's point" in named(nodes, "gridcell")
    for dialog in ("new", "terms", "share", "help"):
        page.browser.run(f"closeDialogs(); at('{dialog}-dialog').showModal()")
        nodes = spoken(page.browser)
        assert len(named(nodes, "dialog")) == 1
        nameless = [
            node for node in nodes if node["role"]["value"] in CONTROLS and not node.get("name", {}).get("value")
        ]
        assert nameless == []
    page.browser.run("closeDialogs(); grid.buttons[0].focus()")
    page.browser.press(RIGHT)
    assert page.browser.run("return document.activeElement.ariaLabel").startswith("B9, empty")


def test_tab_reaches_everything_in_the_order_of_the_page(page: Page) -> None:
    page.load(FINISHED)
    page.wait(lambda: page.browser.count(".graph .curve") == 1)
    page.browser.run("document.activeElement.blur(); scrollTo(0, 0)")
    name = "const each = document.activeElement; return each.id || each.name || each.closest('[id]')?.id"
    reached: list[str] = []
    while not reached or reached[-1] != "numbers":
        page.browser.press(TAB)
        reached.append(page.browser.run(name))
        assert len(reached) < 60
    order = [
        "theme",
        "grid",
        "slider",
        "review-game",
        "file",
        "terms",
        "share",
        "tool",
        "undo",
        "pass",
        "view",
        "play-out",
    ]
    assert [each for each in reached if each in order] == order


def test_a_report(browser: Browser, bundled: Evaluator) -> None:
    positions = list(review(parse_game(FINISHED.read_bytes()), bundled, ScoreOptions(symmetries=1), 8))
    browser.open(review_page(positions))
    nodes = check(browser, 81)
    assert named(nodes, "grid")[0].startswith("Go board. Move ")
    browser.run("document.querySelector('#mistakes button').click()")
    assert "; better: " in browser.text("#message")
    browser.run("document.querySelector('[value=territory]').click(); go(45)")
    assert browser.text("#message") == ""
    browser.find("#grid [data-point='20']").click()
    assert browser.text("#message") == "C7, dead White stone, Black's point"
    browser.press(LEFT)
    assert browser.text("#played").startswith("Move 44 of 45"), "after a click keys go through the moves"
