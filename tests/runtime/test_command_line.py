"""A row declares an argument: argparse reads it, its range is checked, and the help shows range and default."""

import argparse
from pathlib import Path

import pytest

from goban.errors import InputError, parse_whole
from runtime.command_line import Argument, declare

ROWS = (
    Argument("files FILE", Path, "what to read", count="*"),
    Argument("-n --games N", int, "how many", 100, least=1),
    Argument("--share S", float, "100% of it", 0.5, 0, 1),
    Argument("--limit N", parse_whole, "the most", least=0, most=9, otherwise="all"),
    Argument("--weights W,...", lambda text: tuple(map(float, text.split(","))), "of each", least=0, otherwise="alike"),
    Argument("--kind", ("auto", "none"), "which", "auto"),
    Argument("--more DATASET", str, "several", repeated=True),
    Argument("--dry-run", bool, "do nothing"),
    Argument("--no-browser", bool, "open none", True),
)


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    declare(parser, *ROWS)
    return parser


def test_what_is_left_out_has_its_default(parser: argparse.ArgumentParser) -> None:
    found = vars(parser.parse_args([]))
    more, switches = {"more": [], "kind": "auto"}, {"dry_run": False, "browser": True}
    assert found == {"files": [], "games": 100, "share": 0.5, "limit": None, "weights": None, **more, **switches}


def test_values_are_converted(parser: argparse.ArgumentParser) -> None:
    line = "a b -n 3 --share 0.25 --limit 9 --weights 1,2 --kind none --more x --more y --dry-run --no-browser"
    found = vars(parser.parse_args(line.split()))
    more, switches = {"more": ["x", "y"], "kind": "none"}, {"dry_run": True, "browser": False}
    numbers = {"games": 3, "share": 0.25, "limit": 9, "weights": (1.0, 2.0)}
    assert found == {"files": [Path("a"), Path("b")], **numbers, **more, **switches}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-n 0", "--games: expected a whole number from 1 up. Received: 0"),
        ("--share nan", "--share: expected a number 0..1. Received: nan"),
        ("--limit 10", "--limit: expected a whole number 0..9. Received: 10"),
        ("--limit x", "--limit: expected a whole number. Received: 'x'"),
        ("--weights 1,-1", "--weights: expected a number from 0 up. Received: -1.0"),
    ],
)
def test_a_wrong_value_is_named(parser: argparse.ArgumentParser, line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parser.parse_args(line.split())
    assert str(caught.value) == message


def test_the_help_shows_ranges_and_defaults(parser: argparse.ArgumentParser) -> None:
    shown = " ".join(parser.format_help().split())
    for text in ("how many (from 1 up; default: 100)", "100% of it (0..1; default: 0.5)", "most (0..9; default: all)"):
        assert text in shown
    assert "which (default: auto)" in shown
    assert "what to read -n" not in shown and "do nothing" in shown
    assert shown.endswith("--dry-run do nothing --no-browser open none"), "options without a value show no default"
