"""`ownership inspect`, from the command line."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from game_datasets.rows import Label, Row, accepted_row, rejected_row, soft_ownership, unreadable_row
from game_datasets.shards import write_shard
from game_records.sgf import parse_game
from ownership.cli import main
from runtime.folders import Folder
from tests.support.soft import soft_row, write_soft_dataset

SPLIT_IN_TWO = np.repeat([[1, 1, 0, -1, -1]], 5, axis=0).astype(np.int8)
DIAGRAM = "5 X X . O O 5"


def labelled(header: str = "RE[B+3.5]", moves: str = ";B[bb]", scorer: str = "GNU Go 3.8", off: float = 0) -> Row:
    """Return the row of a game on 5x5; its score was counted `off` points higher than it is recorded."""
    game = parse_game(f"(;SZ[5]{header}{moves})".encode(), f"{scorer} {header} {moves}")
    return accepted_row(game, Label(SPLIT_IN_TWO, (game.result.score or 0) + off, scorer))


def rejected(source: str, reason: str, detail: str) -> Row:
    return rejected_row(parse_game(b"(;SZ[5];B[aa])", source), reason, detail)


def inspect(tmp_path: Path, capsys: pytest.CaptureFixture[str], *shards: Sequence[Row], examples: int = 0) -> list[str]:
    """Write a dataset and return the lines that the command prints about it, with single blanks."""
    for number, rows in enumerate(shards):
        write_shard(Folder(tmp_path / "dataset"), number, rows)
    assert main(["inspect", str(tmp_path / "dataset"), "--examples", str(examples)]) == 0
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def row(lines: Sequence[str], title: str) -> dict[str, tuple[str, str]]:
    """Return the number and the share of each value in the row with this title."""
    first = next(number for number, line in enumerate(lines) if line.startswith(f"{title} "))
    values, numbers, shares = (
        line.split() for line in (lines[first].removeprefix(title), *lines[first + 1 : first + 3])
    )
    return {value: (number, share) for value, number, share in zip(values, numbers, shares, strict=True)}


def shown(lines: Sequence[str], title: str) -> list[str]:
    """Return the values, each with its number, in the row with this title."""
    return [f"{value} {number}" for value, (number, _) in row(lines, title).items()]


def test_what_was_accepted_and_why_the_rest_was_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = [rejected("a.sgf", "too short", "1 move on 25 points"), labelled(moves=";B[aa];W[bb];B[cc]"), labelled()]
    second = [
        unreadable_row("b.sgf", "illegal move", "move 2, White A5"),
        unreadable_row("c.sgf", "illegal move", "move 9, Black E1"),
    ]
    lines = inspect(tmp_path, capsys, first, second)
    assert lines[0] == f"{tmp_path}/dataset: 5 records, 2 accepted (40.0%)"
    size = sum(path.stat().st_size for path in (tmp_path / "dataset").glob("shard-*"))
    assert lines[1] == f"4 moves in the accepted games, 2 a game; {size / 2:.0f} bytes a game on disk"
    assert lines[3:6] == [
        "rejected records by reason",
        "2 illegal move such as b.sgf: move 2, White A5",
        "1 too short such as a.sgf: 1 move on 25 points",
    ]


@pytest.mark.parametrize(
    ("title", "headers", "expected"),
    [
        ("year", ["DT[2016-06-01]", "DT[2006]", "DT[2016/7/2,3]", "DT[long ago]"], ["2006 1", "2016 2", "unknown 1"]),
        (
            "rank of the weaker player",
            ["BR[9段]WR[P1段]", "BR[1k]WR[9d]", "BR[9d]WR[9p]", "BR[9d]"],
            ["1k 1", "9d 2", "unknown 1"],
        ),
        ("rank of the weaker player", ["BR[1p]WR[3p]", "BR[18级]WR[18k]", "BR[1d]WR[1d]"], ["18k 1", "1d 1", "1p 1"]),
        ("recorded margin in points", ["RE[0]", "RE[B+0.5]", "RE[W+4.5]", "RE[W+5]"], ["0 1", "0.5-4.5 2", "5-9.5 1"]),
        (
            "recorded margin in points",
            ["RE[W+19.5]", "RE[B+20]", "RE[W+39.5]", "RE[W+40]", "RE[B+99]"],
            ["10-19.5 1", "20-39.5 2", "40+ 2"],
        ),
        ("recorded margin in points", ["RE[W+R]", "RE[W+R]", "RE[B+3.5]"], ["0.5-4.5 1", "unknown 2"]),
        ("recorded ending", ["RE[W+R]", "RE[B+3.5]", "RE[W+5]"], ["counted 2", "resign 1"]),
        ("rules", ["RU[my own]", "RU[Chinese]", "RU[cn]"], ["chinese 2", "unknown 1"]),
    ],
)
def test_how_many_there_are_of_each_kind(
    title: str, headers: list[str], expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = inspect(tmp_path, capsys, [labelled(header) for header in headers[:2]], [*map(labelled, headers[2:])])
    assert shown(lines, title) == expected


def test_the_length_of_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = inspect(tmp_path, capsys, [labelled(moves=";B[]" * length) for length in (1, 49, 50, 260)])
    assert row(lines, "moves") == {"0-49": ("2", "50.0%"), "50-99": ("1", "25.0%"), "250-299": ("1", "25.0%")}


def test_how_far_the_count_is_from_the_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [labelled("RE[W+9]", off=off) for off in (0, 1, -1)] + [labelled("RE[B+R]")]
    assert shown(inspect(tmp_path, capsys, rows), "points between area count and record") == ["0 1", "1 2", "unknown 1"]


def test_rejected_games_are_not_counted_among_the_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = inspect(tmp_path, capsys, [labelled(), rejected("x", "too short", "1 moves"), unreadable_row("y", "z", "")])
    assert shown(lines, "board side") == ["5 1"]
    assert shown(lines, "recorded ending") == ["counted 1"]


def test_of_many_values_the_most_frequent_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    years = [year for year in range(2001, 2012) for _ in range(1 + (year != 2004))]
    lines = inspect(tmp_path, capsys, [labelled(f"DT[{year}]") for year in years])
    assert sum(int(number) for number, _ in row(lines, "year").values()) == len(years)
    *values, last = row(lines, "year")
    assert last == "others" and len(values) == 8 and values == sorted(values) and "2004" not in values


def test_near_duplicates_are_found_in_a_mirror(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [labelled(moves=moves) for moves in (";B[aa];W[bc]", ";B[aa];W[cb]", ";B[ea];W[db]", ";B[ea];W[dc]")]
    lines = inspect(tmp_path, capsys, rows, [rejected("x", "duplicate", "")])
    start = next(number for number, line in enumerate(lines) if line.startswith("near-duplicates"))
    assert lines[start].startswith("near-duplicates: 3 accepted games (75.0%) begin with the same stones")
    assert lines[start + 1 : start + 4] == [f"{'3 ' * (not row)}{rows[row]['source']}" for row in (0, 1, 3)]


POINTS = [column + row for column in "acegi" for row in "acegi"]  # no two are neighbours
MIRRORED = [point[::-1] for point in POINTS]


def played(points: Sequence[str], first: str = "B", *, set_up: int = 0) -> Row:
    """Return the row of a game on 9x9 in which both play at these points in turn, the first ones as set-up stones."""
    colours = [first, "BW".replace(first, "")]
    stones = [(colours[ply % 2], point) for ply, point in enumerate(points)]
    before = "".join(f"A{colour}[{point}]" for colour, point in stones[:set_up])
    moves = "".join(f";{colour}[{point}]" for colour, point in stones[set_up:])
    game = parse_game(f"(;SZ[9]{before}{moves};B[];W[])".encode(), f"{first}{set_up}")
    return accepted_row(game, Label(np.zeros((9, 9), np.int8), 0, "fast"))


@pytest.mark.parametrize(
    ("copy", "found"),
    [
        (played(POINTS, set_up=12), True),
        (played(MIRRORED, set_up=14), True),
        (played(POINTS, "W"), True),
        (played(MIRRORED, "W", set_up=12), True),
        (played(POINTS, set_up=15), False),  # too few moves
        (played([*POINTS[:-1], "hh"], set_up=12), False),
    ],
)
def test_copies_that_are_set_up_late_or_exchange_the_colours(
    copy: Row, found: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = inspect(tmp_path, capsys, [played(POINTS), copy, labelled()])
    text = "end with the same moves, perhaps of exchanged colours, as another one, perhaps turned or mirrored"
    expected = f"near-duplicates: 2 accepted games (66.7%) {text}; the largest groups:"
    assert [line for line in lines if line.startswith("near-duplicates")] == [expected] * found


def test_the_largest_groups_of_near_duplicates_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = [point for number, point in enumerate(["aa", "ab", "ac", "bb", "cc"]) for _ in range(number + 1)]
    lines = inspect(tmp_path, capsys, [labelled(moves=f";B[{point}]") for point in points])
    groups = [line for line in lines if line[:2] in ("5 ", "4 ", "3 ", "2 ")]
    assert "near-duplicates: 14 accepted" in "\n".join(lines)
    assert [line[0] + line[-5:] for line in groups] == ["5B[cc]", "4B[bb]", "3B[ac]"]


def test_there_is_nothing_to_say_of_games_that_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = inspect(tmp_path, capsys, [labelled(moves=";B[aa]"), labelled(moves=";B[bb]")])
    assert not any(line.startswith(("near-duplicates", "seconds", "rejected")) for line in lines)


def test_how_long_each_scorer_took(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gnugo = [labelled() | {"seconds": seconds} for seconds in (1.0, 2.0, 6.0)]
    lines = inspect(tmp_path, capsys, gnugo[:2], [gnugo[2], labelled(scorer="default") | {"seconds": 0.25}])
    start = lines.index("seconds to label a game, by scorer")
    assert lines[start + 1 : start + 4] == [
        "games mean median 99th percentile most",
        "GNU Go 3.8 3 3.00 2.00 5.92 6.00",
        "default 1 0.25 0.25 0.25 0.25",
    ]


def test_games_are_shown_with_the_owner_of_each_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [[rejected("x", "too short", "")], [labelled(), labelled("RE[W+2]KM[6.5]RU[Korean]", off=-1), labelled()]]
    lines = inspect(tmp_path, capsys, *rows, examples=2)
    assert lines.count(DIAGRAM) == 2
    second = next(number for number, line in enumerate(lines) if "recorded W+2 by korean rules" in line)
    assert lines[second + 1 : second + 3] == [
        "1 move; by area Black minus White with komi is -3",
        "Owner of each point: X Black, O White, . neither",
    ]


def test_nothing_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = inspect(tmp_path, capsys, [rejected("a.sgf", "side", "3x3")], examples=1)
    assert lines == [
        f"{tmp_path}/dataset: 1 record, 0 accepted (0.0%)",
        "",
        "rejected records by reason",
        "1 side such as a.sgf: 3x3",
    ]


@pytest.mark.parametrize("kept", [4, -50])
def test_a_damaged_shard_costs_one_line(kept: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inspect(tmp_path, capsys, [labelled()], [labelled()])
    shard = tmp_path / "dataset" / "shard-00001.parquet"
    shard.write_bytes(shard.read_bytes()[:kept])
    assert main(["inspect", str(tmp_path / "dataset")]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    assert f"{shard}: expected " in captured.err and "`ownership prepare` writes it" in captured.err


def test_a_soft_dataset_in_the_place_of_games_is_called_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "soft-00000.parquet").write_bytes(b"")
    assert main(["compare", str(tmp_path), str(tmp_path)]) == 2
    assert "found a soft dataset, which is for `ownership train --soft`" in capsys.readouterr().err


def test_a_soft_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [soft_row(5, 1), soft_row(9, 2, known=False), soft_row(5, 3) | {"lead": -12.0, "komi": 7.5}]
    even = np.zeros((5, 5))
    even[0, :3] = 0.3, 0.4, -0.4
    rows[2]["ownership"] = soft_ownership(even)
    soft = write_soft_dataset(tmp_path / "soft", rows)
    assert main(["inspect", str(soft)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    size = sum(path.stat().st_size for path in soft.iterdir())
    assert lines[0] == f"{soft}: 3 labelled positions, {size / 3:.0f} bytes each on disk"
    assert shown(lines, "teacher") == ["hand 3"]
    assert shown(lines, "board side") == ["5 2", "9 1"]
    assert shown(lines, "komi") == ["6.5 2", "7.5 1"]
    assert {"10-19.5 1", "unknown 1"} <= {*shown(lines, "expected margin in points")}
    assert shown(lines, "policy") == ["known 2", "unknown 1"]
    assert "hand expects no score by area rules, komi 6.5" in lines
    assert lines[lines.index("hand expects W+12 by area rules, komi 7.5") + 4] == "5 . X O . . 5"
    assert main(["inspect", str(soft / "soft-00000.parquet"), "--examples", "0"]) == 0
    assert "1 labelled position," in capsys.readouterr().out
