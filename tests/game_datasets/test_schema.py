"""Rows are read as they were written, and invalid values of any column give one line before a kernel reads them."""

from pathlib import Path
from re import findall
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_datasets.columns import GAMES, SOFT
from game_datasets.file_schema import FileSchema
from game_datasets.load_table import load_games, load_soft
from game_datasets.rows import DatasetError, Label, Row, accepted_row, rejected_row, unreadable_row
from game_datasets.sampler import Sampler
from game_datasets.shards import read_rows, read_shard, write_shard
from game_datasets.target_comparison import compare_targets
from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban.errors import InputError
from ownership.cli import main
from planes.feature_sets import parse_feature_set
from runtime.folders import Folder
from tests.support.damage import flip_bits
from tests.support.paths import ROOT
from tests.support.soft import soft_row

RECORDS = [
    parse_game(b"(;SZ[5]KM[0.5]RU[Japanese]RE[B+3.5]HA[2]AB[aa][ee]AW[bb];W[cc];B[])", "setup.sgf"),
    parse_game(b"(;SZ[5]RE[W+R];B[cc];W[dd])", "resigned.sgf"),
    parse_game(b"(;SZ[9]KM[6.5]RE[W+0.5]DT[2015-05-01];B[aa];W[ii];B[ia])", "nine.sgf"),
]


def rows() -> list[Row]:
    """Return the rows of a dataset: accepted, turned from its record, without a target, unreadable."""
    labelled = [accepted_row(game, Label(owners(game), 4.5, "GNU Go 3.8")) for game in RECORDS]
    other = parse_game(b"(;SZ[9]RE[B+R];B[ee];W[cc])", "other.sgf")
    rest = [rejected_row(other, "not counted", "result B+R"), unreadable_row("x.sgf", "empty", "nothing")]
    return [labelled[0], labelled[1] | {"branch": 1}, labelled[2], *rest]


def soft_rows() -> list[Row]:
    """Return the rows of a soft dataset, the second with only the required values."""
    return [soft_row(5, 1), soft_row(9, 2, known=False), soft_row(5, 3)]


def owners(game: GameRecord) -> np.ndarray:
    return np.ones((game.side, game.side), np.int8)


def write(folder: Path, changed: list[Row], schema: FileSchema = GAMES) -> Path:
    write_shard(Folder(folder), 0, changed, schema)
    return folder


BAD_GAMES: list[tuple[str, int, Any, str]] = [
    ("side", 0, 1, "side: expected a board side 2..25. Received: 1"),
    ("side", 0, 127, "side: expected a board side 2..25. Received: 127"),
    ("side", 2, -9, "side: expected a board side 2..25. Received: -9"),
    ("side", 0, 9, "moves: expected the moves that the id of the row is a hash of. Received: ["),
    ("id", 0, "0123456789abcdef", "moves: expected the moves that the id of the row is a hash of. Received: ["),
    ("moves", 0, [24, 51], "moves: expected the moves that the id of the row is a hash of. Received: [24, 51]"),
    ("setup", 0, [0, 48], "moves: expected the moves that the id of the row is a hash of. Received: ["),
    ("side", 2, 5, "moves: expected codes of points on the board"),
    ("side", 3, None, "side: expected a board side with setup. Received: None"),
    ("moves", 0, [52], "moves: expected codes of points on the board. Received: [52]"),
    ("moves", 2, [-1], "moves: expected codes of points on the board. Received: [-1]"),
    ("moves", 2, [0, None], "moves: expected codes of points on the board. Received: [0, None]"),
    ("moves", 2, None, "moves: expected a value with a target. Received: None"),
    ("moves", 2, [162] * 40_000, "moves: expected at most 32765 moves. Received: [162, 162, "),
    ("setup", 0, [50], "setup: expected codes of points on the board. Received: [50]"),
    ("setup", 0, [-2], "setup: expected codes of points on the board. Received: [-2]"),
    ("setup", 0, [0, 1], "setup: expected one stone a point, and a liberty for every chain. Received: [0, 1]"),
    ("setup", 0, [0, 3, 11], "setup: expected one stone a point, and a liberty for every chain"),
    ("setup", 2, None, "setup: expected set-up stones with moves. Received: None"),
    ("branch", 0, 3, "branch: expected a number of moves of the game. Received: 3"),
    ("branch", 0, -1, "branch: expected a number of moves of the game. Received: -1"),
    ("target", 0, bytes(24), "target: expected a byte for each point of the board. Received: b'"),
    ("target", 2, bytes(82), "target: expected a byte for each point of the board. Received: b'"),
    ("target", 0, bytes([2] * 25), "target: expected owners 1, 0 and -1. Received: b'"),
    ("target", 0, bytes([128] * 25), "target: expected owners 1, 0 and -1"),
    ("target", 0, None, "target: expected a target without a reason. Received: None"),
    ("counted_score", 0, float("nan"), "counted_score: expected a number of points. Received: nan"),
    ("counted_score", 0, float("inf"), "counted_score: expected a number of points. Received: inf"),
    ("counted_score", 0, None, "counted_score: expected a value with a target. Received: None"),
    ("recorded_score", 0, float("nan"), "recorded_score: expected a number of points. Received: nan"),
    ("komi", 2, float("nan"), "komi: expected a number of points. Received: nan"),
    ("komi", 2, 1e30, "komi: expected a number of points. Received: 1.0000000150474662e+30"),
    ("komi", 3, None, "komi: expected a value. Received: None"),
    ("handicap", 0, -1, "handicap: expected 0 or more. Received: -1"),
    ("rules", 0, "chess", "rules: expected one of area, territory, "),
    ("ending", 0, "checkmate", "ending: expected one of counted, resign, "),
    ("split", 0, "exam", "split: expected one of train, validation, test. Received: 'exam'"),
    ("id", 0, "zz", "id: expected 16 hexadecimal digits. Received: 'zz'"),
    ("opening", 0, "", "opening: expected 16 hexadecimal digits. Received: ''"),
    ("reason", 0, "because", "reason: expected no reason with a target. Received: 'because'"),
    ("reason", 4, None, "reason: expected a text. Received: None"),
    ("source", 4, None, "source: expected a text. Received: None"),
]


BAD_POSITIONS: list[tuple[str, int, Any, str]] = [
    ("side", 0, 1, "side: expected a board side 2..25. Received: 1"),
    ("side", 1, None, "side: expected a board side 2..25. Received: None"),
    ("side", 1, 5, "setup: expected codes of points on the board. Received: ["),
    ("to_move", 0, 0, "to_move: expected 1 or -1. Received: 0"),
    ("to_move", 2, None, "to_move: expected 1 or -1. Received: None"),
    ("source", 0, None, "source: expected a value. Received: None"),
    ("teacher", 0, None, "teacher: expected a value. Received: None"),
    ("moves", 1, None, "moves: expected a value. Received: None"),
    ("moves", 0, [52], "moves: expected codes of points on the board. Received: [52]"),
    ("moves", 0, [-1], "moves: expected codes of points on the board. Received: [-1]"),
    ("moves", 0, [3, None], "moves: expected codes of points on the board. Received: [3, None]"),
    ("moves", 2, [24, 24], "moves: expected legal moves (simple ko, suicide allowed). Received: [24, 24]"),
    ("moves", 0, [50] * 32_765, "moves: expected fewer than 32765 moves. Received: [50, 50"),
    ("setup", 0, [50], "setup: expected codes of points on the board. Received: [50]"),
    ("setup", 0, [0, 1], "setup: expected one stone a point, and a liberty for every chain. Received: [0, 1]"),
    ("rules", 0, "chess", "rules: expected one of area, territory, "),
    ("komi", 0, float("nan"), "komi: expected a number of points. Received: nan"),
    ("lead", 2, float("inf"), "lead: expected a number of points. Received: inf"),
    ("deviation", 2, -1.0, "deviation: expected a number of points, 0 or more. Received: -1.0"),
    ("win_rate", 0, 1.5, "win_rate: expected a probability. Received: 1.5"),
    ("ownership", 0, None, "ownership: expected a value. Received: None"),
    ("ownership", 0, bytes(24), "ownership: expected a byte for each point of the board. Received: b'"),
    ("ownership", 2, bytes([128] * 25), "ownership: expected values -127..127. Received: b'"),
    ("policy", 0, None, "policy: expected a probability for each move. Received: None"),
    ("policy", 0, [0.5], "policy: expected a probability for each move. Received: [0.5]"),
    ("policy_moves", 0, [25], "policy: expected a probability for each move"),
]
BAD_POLICY = [
    ([26], [1.0], "policy_moves: expected codes of points on the board. Received: [26]"),
    ([-1], [1.0], "policy_moves: expected codes of points on the board. Received: [-1]"),
    ([3, 3], [0.5, 0.5], "policy_moves: expected each move once. Received: [3, 3]"),
    ([3, 4], [0.5, -0.1], "policy: expected probabilities. Received: [0.5, -0.1"),
    ([3, 4], [0.5, None], "policy: expected probabilities. Received: [0.5, None]"),
    ([3, 4], [0.5, float("nan")], "policy: expected probabilities. Received: [0.5, nan]"),
    ([3, 4], [0.6, 0.6], "policy: expected probabilities that sum to 1 at most. Received: [0.6"),
    ([3], [0.0], "policy: expected probabilities that sum to 1 at most. Received: [0.0]"),
    ([], [], "policy: expected probabilities that sum to 1 at most. Received: []"),
]
CASES = [
    *((GAMES, row, {field: value}, message) for field, row, value, message in BAD_GAMES),
    *((SOFT, row, {field: value}, message) for field, row, value, message in BAD_POSITIONS),
    *((SOFT, 2, {"policy_moves": moves, "policy": chances}, message) for moves, chances, message in BAD_POLICY),
]


@pytest.mark.parametrize(("schema", "row", "changes", "message"), CASES)
def test_a_bad_value_is_named(schema: FileSchema, row: int, changes: Row, message: str, tmp_path: Path) -> None:
    changed = rows() if schema is GAMES else soft_rows()
    changed[row] |= changes
    write(tmp_path, changed, schema)
    with pytest.raises(DatasetError) as raised:
        use(tmp_path) if schema is GAMES else load_soft(tmp_path)
    assert str(raised.value).startswith(f"{tmp_path}/{schema.file_name(0)}: row {row}: {message}")
    assert len(str(raised.value)) < 300


def test_labelled_positions_are_read_as_they_were_written(tmp_path: Path) -> None:
    write(tmp_path, soft_rows(), SOFT)
    read = read_shard(Folder(tmp_path), SOFT.file_name(0), schema=SOFT).to_pylist()
    for row, wanted in zip(read, soft_rows(), strict=True):
        for name in SOFT.columns:
            value = wanted.get(name)
            if name in ("policy", "lead") and value is not None:
                np.testing.assert_allclose(row[name], value, rtol=1e-6)
            else:
                assert row[name] == (value.tolist() if isinstance(value, np.ndarray) else value)


@pytest.mark.parametrize("schema", [GAMES, SOFT], ids=["games", "soft"])
def test_a_changed_bit_is_an_error_or_changes_nothing(schema: FileSchema, tmp_path: Path) -> None:
    write(tmp_path, rows() if schema is GAMES else soft_rows(), schema)
    name = schema.file_name(0)
    flip_bits(tmp_path / name, lambda: read_shard(Folder(tmp_path), name, schema=schema))


@pytest.mark.parametrize("schema", [GAMES, SOFT], ids=["games", "soft"])
def test_the_guide_names_every_column(schema: FileSchema) -> None:
    guide = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")
    heading = "## Files" if schema is GAMES else "## Soft datasets"
    table = guide.partition(heading)[2].partition("\n## ")[0]
    named = [
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in findall("`([a-z_]+)`", line.split("|")[1])
    ]
    assert named == list(schema.columns)


def test_what_is_whole_is_read(tmp_path: Path) -> None:
    use(write(tmp_path, rows()))


def use(dataset: Path) -> None:
    """Read a dataset in every way, and make planes of its positions."""
    read_rows(Folder(dataset), GAMES.file_name(0))
    table = load_games(dataset, unlabelled=True)
    for step in range(3):
        Sampler(table, parse_feature_set("standard"), 8, seed=0, chains=True).batch(step)
    for game in range(len(table)):
        for ply in range(int(np.diff(table.move_offset)[game]) + 1):
            table.position(game, ply)
    for disagreement in compare_targets(Folder(dataset), Folder(dataset)).disagreements:
        disagreement.game.position()


@pytest.mark.parametrize("command", ["inspect", "compare", "evaluate", "train"])
def test_commands_say_it_in_one_line(
    command: str, tmp_path: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = rows()
    changed[2] |= {"moves": [9999]}
    dataset = str(write(tmp_path / "dataset", changed))
    arguments = {
        "compare": [dataset, dataset],
        "evaluate": [str(small_model), dataset],
        "train": [dataset, "--output", str(tmp_path / "model"), "--samples", "1"],
    }
    assert main([command, *arguments.get(command, [dataset])]) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    place = f"{dataset}/{GAMES.file_name(0)}: row 2: moves"
    assert error == f"ownership: error: {place}: expected codes of points on the board. Received: [9999]"


def test_a_column_of_another_type(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(rows(), schema=GAMES.arrow())
    place = table.column_names.index("side")
    write(tmp_path, [])
    pq.write_table(table.set_column(place, "side", table["side"].cast(pa.int64())), tmp_path / GAMES.file_name(0))
    use(tmp_path)
    pq.write_table(table.set_column(place, "side", pa.array([500] * len(table))), tmp_path / GAMES.file_name(0))
    with pytest.raises(DatasetError, match=r"side: expected int8\. Received: Integer value 500 not in range"):
        use(tmp_path)


INTEGERS = st.integers(-130, 1300)
VALUES = {
    "side": st.integers(-128, 127),
    "komi": st.floats(width=32),
    "handicap": st.integers(-128, 1000),
    "recorded_score": st.floats(width=32),
    "counted_score": st.floats(width=32),
    "setup": st.lists(INTEGERS | st.none(), max_size=30),
    "moves": st.lists(INTEGERS | st.none(), max_size=400),
    "branch": st.integers(-5, 10),
    "target": st.binary(max_size=100) | st.lists(st.sampled_from([0, 1, 255]), min_size=25, max_size=25).map(bytes),
}
TEXTS = st.text(max_size=20) | st.sampled_from(["", "train", "counted", "0123456789abcdef"])


@st.composite
def changes(draw: st.DrawFn) -> list[tuple[int, str, Any]]:
    """Return values to put into some rows."""
    fields = draw(st.lists(st.sampled_from(list(GAMES.columns)), min_size=1, max_size=3))
    return [(draw(st.integers(0, 4)), name, draw(st.none() | VALUES.get(name, TEXTS))) for name in fields]


@settings(max_examples=40)
@given(changes())
def test_any_values_are_read_or_refused(tmp_path: Path, values: list[tuple[int, str, Any]]) -> None:
    changed = rows()
    for row, field, value in values:
        changed[row] |= {field: value}
    try:
        use(write(tmp_path, changed))
    except InputError:
        assert main(["inspect", str(tmp_path)]) in (0, 2)  # it does not look at all columns
    else:
        assert main(["inspect", str(tmp_path)]) == 0
