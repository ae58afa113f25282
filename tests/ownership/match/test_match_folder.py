"""The folder of a match, and folders that are refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from goban.errors import InputError
from ownership.match.match_conditions import Conditions
from ownership.match.match_folder import GameResult, MatchFolder
from tests.support.matches import result
from tests.support.paths import ROOT


def test_a_folder_keeps_the_played_games(tmp_path: Path) -> None:
    folder = MatchFolder(tmp_path / "m", ["a", "b"], Conditions(), "gnugo")
    folder.add(result(0), b"(;)")
    with (tmp_path / "m" / "results.jsonl").open("a") as file:
        file.write('{"first": 0, "sec')
    again = MatchFolder(tmp_path / "m", ["a", "b"], Conditions(), "gnugo")
    assert again.results() == [result(0)]
    again.add(result(1), b"(;)")
    assert again.results() == [result(0), result(1)]
    with pytest.raises(InputError, match=r"holds another match: expected komi 7\.5, found 6\.5; choose another folder"):
        MatchFolder(tmp_path / "m", ["a", "b"], Conditions(komi=7.5), "gnugo")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The folder of a match with two games."""
    folder = MatchFolder(tmp_path / "m", ["a", "b"], Conditions(), "gnugo")
    for number in range(2):
        folder.add(result(number), b"(;)")
    return tmp_path / "m"


def reopened(path: Path) -> list[GameResult]:
    return MatchFolder(path, ["a", "b"], Conditions(), "gnugo").results()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "expected a JSON object. Received: Expecting value.*"),
        (b"null", "expected a JSON object. Received: nothing"),
        (b"[1, 2]", r"expected a JSON object. Received: \[1, 2\]"),
        (b"{'komi': 6.5}", "expected a JSON object. Received: .*"),
        (b"\xff{}", "expected a JSON object. Received: .*"),
        (b"[" * 100_000, "expected a JSON object. Received: one that is nested too deeply"),
        (b"{}", r"holds another match: expected players \['a', 'b'\], found nothing"),
        (
            b'{"players": ["a", "b"], "referee": "gnugo", "side": 9, "komi": NaN}',
            "Received: NaN, which .*",
        ),
    ],
)
def test_a_broken_description_is_refused_by_name(text: bytes, message: str, kept: Path) -> None:
    (kept / "match.json").write_bytes(text)
    with pytest.raises(InputError, match=rf"match\.json: .*{message}; choose another folder"):
        reopened(kept)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (b"", "expected a JSON object. Received: Expecting value.*"),
        (b"null", "expected a JSON object. Received: nothing"),
        (b"{]", "expected a JSON object. Received: Expecting property name"),
        (b"[" * 100_000, "expected a JSON object. Received: one that is nested too deeply"),
        ({"winner": None}, "winner: expected a whole number. Received: nothing"),
        ({"winner": True}, "winner: expected one of -1, 0, 1. Received: True"),
        ({"ending": "boredom"}, "ending: expected one of passes, .* Received: 'boredom'"),
        ({"seconds": [0.5, float("nan")]}, "expected a JSON object. Received: NaN, which is no number of JSON"),
        ({"seconds": [0.5, -1]}, "seconds: expected a number from 0 up. Received: -1"),
        ({"longest": 1.5}, "longest: expected a list of 2. Received: 1.5"),
        ({"thought": [1, 2, 3]}, "thought: expected a list of 2"),
        ({"moves": -1}, "moves: expected a whole number from 0 up. Received: -1"),
        ({"detail": "x" * 1000, "id": 5}, "id: expected a text. Received: 5"),
        ({"first": 1}, "expected first and second as two of the 2 players, counted from 0. Received: 1 and 1"),
        ({"second": 2}, "expected first and second as two of the 2 players, counted from 0. Received: 0 and 2"),
    ],
)
def test_a_broken_result_is_refused_by_line_and_field(
    change: bytes | dict[str, object], message: str, kept: Path
) -> None:
    first, second = (kept / "results.jsonl").read_bytes().splitlines()
    broken = change if isinstance(change, bytes) else json.dumps(json.loads(second) | change).encode()
    (kept / "results.jsonl").write_bytes(first + b"\n" + broken + b"\n")
    with pytest.raises(
        InputError, match=rf"results\.jsonl: line 2: {message}.*; delete the line to play the game again"
    ):
        reopened(kept)


def test_a_result_without_a_field_is_refused_by_its_name(kept: Path) -> None:
    lines = [json.loads(line) for line in (kept / "results.jsonl").read_text().splitlines()]
    del lines[0]["ending"]
    (kept / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match=r"results\.jsonl: line 1: ending: expected a value. Received: nothing"):
        reopened(kept)


def test_nesting_at_the_edge_of_what_can_be_read_is_refused_too(kept: Path) -> None:
    for depth in range(800, 1000):
        for name in ("results.jsonl", "match.json"):
            (kept / name).write_text("[" * depth + "]" * depth + "\n")
            with pytest.raises(InputError, match="expected a JSON object"):
                reopened(kept)


FILL_THE_DISK = """
import resource, sys
from pathlib import Path
from ownership.match.match_conditions import Conditions
from ownership.match.match_folder import MatchFolder
folder = MatchFolder(Path(sys.argv[1]), ["a", "b"], Conditions(), "gnugo")
result = folder.results()[0]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    folder.add(result, b"x" * int(sys.argv[3]))
except OSError as error:
    print(error.filename)
"""


@pytest.mark.parametrize(("moves", "named"), [(10, "results.jsonl"), (2000, "games/AB-0000.sgf")])
def test_a_full_disk_leaves_whole_games_and_lines(moves: int, named: str, kept: Path) -> None:
    before = (kept / "results.jsonl").read_bytes()
    arguments = [str(kept), str(len(before) + 20), str(moves)]
    answer = subprocess.run([sys.executable, "-c", FILL_THE_DISK, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert answer.stdout == f"{kept}/{named}\n", answer.stderr
    assert (kept / "results.jsonl").read_bytes() == before
    assert sorted(path.name for path in (kept / "games").iterdir()) == ["AB-0000.sgf", "AB-0001.sgf"]
    assert len(reopened(kept)) == 2


def test_a_folder_that_cannot_be_written_to_is_refused_before_any_game(kept: Path) -> None:
    (kept / "results.jsonl").unlink()
    (kept / "results.jsonl").mkdir()
    with pytest.raises(IsADirectoryError, match=r"results\.jsonl"):
        reopened(kept)
