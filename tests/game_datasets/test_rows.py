"""The dataset: rows are read as they were written, and damage is one line."""

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_datasets.columns import GAMES, SOFT
from game_datasets.game_filter import GameFilter
from game_datasets.load_table import check_soft, load_games, load_soft
from game_datasets.rows import (
    SPLITS,
    DatasetError,
    Label,
    accepted_row,
    decode_points,
    encode_points,
    excluded_row,
    record_of,
    rejected_row,
    soft_ownership,
    soft_policy,
    split_of,
    unreadable_row,
)
from game_datasets.shards import fitted, read_rows, read_shard, read_timing, write_shard
from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE
from runtime.folders import Folder
from tests.support.datasets import rows_of, with_passes, write_dataset
from tests.support.soft import soft_row, write_soft_dataset

SMALL = parse_game(b"(;SZ[5]KM[0.5]RU[Japanese]RE[B+3.5]HA[2]AB[aa][ee]AW[bb];W[cc];B[])", "small.sgf")
RESIGNED = parse_game(b"(;SZ[5]RE[W+R];B[cc];W[dd];B[bb];W[dc])", "resigned.sgf")
LARGE = parse_game(b"(;SZ[19]KM[6.5]RE[W+0.5]BR[9d]DT[2015-05-01];B[aa];W[ss];B[sa])", "large.sgf#2")


def label(game: GameRecord, owner: int) -> Label:
    return Label(np.full((game.side, game.side), owner, np.int8), 4.5, "GNU Go 3.8")


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = Folder(tmp_path)
    timed = accepted_row(SMALL, label(SMALL, 1)) | {"seconds": 0.25}
    write_shard(folder, 0, [timed, unreadable_row("x.sgf", "empty", "")])
    write_shard(folder, 1, [excluded_row(LARGE, "duplicate", ""), accepted_row(LARGE, label(LARGE, -1))])
    return tmp_path


def test_rejected_games_are_there_for_their_moves(dataset: Path) -> None:
    broken_off = parse_game(b"(;SZ[5]RE[W+R];B[cc];W[dd];B[bb])")
    rejected = [rejected_row(game, "not counted", "") for game in (RESIGNED, SMALL, RESIGNED, broken_off)]
    write_shard(Folder(dataset), 2, [*rejected, excluded_row(LARGE, "duplicate", "")])
    everything, accepted = load_games(dataset, unlabelled=True), load_games(dataset)
    assert len(accepted) == 2
    assert [*everything.ids] == [*accepted.ids, RESIGNED.id]
    assert everything.labelled.tolist() == [True, True, False]
    assert np.array_equal(everything.move_codes[-4:], encode_points(RESIGNED.move_points, RESIGNED.move_colours))


def test_only_targets_of_games_that_left_their_records_are_used(dataset: Path) -> None:
    turned = accepted_row(RESIGNED, label(RESIGNED, 1)) | {"branch": 1}
    other = parse_game(b"(;SZ[5];B[ee];W[dd])", "other.sgf")
    write_shard(Folder(dataset), 2, [turned, rejected_row(other, "in doubt", "") | {"branch": 0}])
    table = load_games(dataset, unlabelled=True)
    assert [*table.ids] == [SMALL.id, LARGE.id, RESIGNED.id]
    assert table.branch.tolist() == [-1, -1, 1]
    assert table.first.tolist() == [0, 0, 1]


def test_the_player_who_resigned_is_the_records(tmp_path: Path) -> None:
    written = {
        **dict.fromkeys(("B+R", "White resigns", "黑中盘胜", "흑 불계승", "白番投了", "257手完, 黒中押し勝ち"), WHITE),
        **dict.fromkeys(("W+Resign", "Black resigns", "白中盘胜", "백 불계승"), BLACK),
        **dict.fromkeys(("B+T", "W+3.5", "Void", "?", ""), 0),
    }
    games = [
        parse_game(f"(;SZ[9]RE[{text}];B[aa];W[b{'abcdefghi'[n % 9]}];B[d{'abcdefghi'[n // 9]}])".encode())
        for n, text in enumerate(written)
    ]
    write_shard(Folder(tmp_path), 0, [accepted_row(game, label(game, 1)) for game in games])
    assert load_games(tmp_path).resigned.tolist() == list(written.values())


def test_one_row_a_game(dataset: Path) -> None:
    row = read_rows(Folder(dataset), GAMES.file_name(0))[0]
    assert row | {"target": None} == {
        **{
            "id": SMALL.id,
            "opening": SMALL.opening,
            "source": "small.sgf",
            "side": 5,
            "komi": 0.5,
            "rules": "japanese",
            "handicap": 2,
        },
        **{
            "result": "B+3.5",
            "ending": "counted",
            "black_rank": "",
            "white_rank": "",
            "date": "",
            "recorded_score": 3.5,
        },
        **{"counted_score": 4.5, "setup": [0, 13, 48], "moves": [25, 50], "branch": None, "target": None},
        **{"scorer": "GNU Go 3.8", "split": split_of(SMALL.opening), "reason": "", "detail": ""},
    }
    assert row["target"] == bytes([1] * 25)


def test_a_row_gives_its_game_back(dataset: Path) -> None:
    game = record_of(read_rows(Folder(dataset), GAMES.file_name(0))[0])
    assert (game.id, game.source, game.komi, game.handicap) == (SMALL.id, SMALL.source, 0.5, 2)
    assert (game.rules, game.result, game.to_move) == ("japanese", SMALL.result, WHITE)
    assert game.position() == SMALL.position()


def test_positions_of_a_table(dataset: Path) -> None:
    table = load_games(dataset)
    for number, game in enumerate((SMALL, LARGE)):
        for ply in range(len(game.move_points) + 1):
            assert table.position(number, ply) == game.position(ply)
    assert table.target_of(0).tolist() == [[1] * 5] * 5
    with pytest.raises(IndexError):
        table.position(0, 4)


def test_timings_stand_beside_the_shards(dataset: Path) -> None:
    rows = read_timing(Folder(dataset), "timing-00000.parquet", ["source", "scorer", "seconds"]).to_pylist()
    assert rows == [{"source": "small.sgf", "scorer": "GNU Go 3.8", "seconds": 0.25}]
    assert not (dataset / "timing-00001.parquet").exists()


def test_a_shard_that_cannot_be_written_leaves_no_timings(tmp_path: Path) -> None:
    (tmp_path / GAMES.file_name(0)).mkdir()
    with pytest.raises(IsADirectoryError):
        write_shard(Folder(tmp_path), 0, [accepted_row(SMALL, label(SMALL, 1)) | {"seconds": 0.25}])
    assert Folder(tmp_path).names() == []


def test_a_choice_of_games(dataset: Path) -> None:
    assert [*load_games(dataset, wanted=GameFilter(sides=(19,))).ids] == [LARGE.id]
    assert [*load_games(dataset, wanted=GameFilter(max_moves=2)).ids] == [SMALL.id]
    with pytest.raises(DatasetError, match=r"games that pass --sides 13, found none"):
        load_games(dataset, wanted=GameFilter(sides=(13,)))


def test_a_shard_without_a_game_of_the_split_can_be_filtered(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "dataset")
    for number, split in ((1, "validation"), (2, "train")):
        rows = [with_passes(row, number) | {"split": split} for row in rows_of(dataset)[:1]]
        write_shard(Folder(dataset), number, rows)
    assert len(load_games(dataset, "train", GameFilter(sides=(5,)))) == 2


def test_several_datasets_are_one(dataset: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    moves_only = [rejected_row(game, "not counted", "") for game in (SMALL, LARGE, RESIGNED)]
    write_shard(Folder(other), 0, [*moves_only, accepted_row(SMALL, label(SMALL, 1))])
    for datasets in ([dataset, other], [other, dataset]):
        table = load_games(datasets, unlabelled=True)
        labelled = dict(zip(table.ids, table.labelled, strict=True))
        assert labelled == {SMALL.id: True, LARGE.id: True, RESIGNED.id: False}
        assert len(table) == 3
    with pytest.raises(DatasetError, match=r"other, .*: expected accepted games that pass --sides 13"):
        load_games([other, dataset], wanted=GameFilter(sides=(13,)))


def test_table_of_accepted_games(dataset: Path) -> None:
    table = load_games(dataset)
    assert [*table.ids] == [SMALL.id, LARGE.id]
    assert table.side.tolist() == [5, 19]
    assert table.komi.tolist() == [0.5, 6.5]
    assert table.move_codes.tolist() == [25, 50, 51, 0, 721, 36, 723, 722]
    assert table.move_offset.tolist() == [0, 3, 8]
    assert table.setup.tolist() == [0, 13, 48]
    assert table.setup_offset.tolist() == [0, 3, 3]
    assert table.target_offset.tolist() == [0, 25, 25 + 361]
    assert table.target[:25].tolist() == [1] * 25
    assert set(table.target[25:].tolist()) == {-1}


def test_splits_part_the_games(dataset: Path) -> None:
    found: list[str] = []
    for split in SPLITS:
        try:
            found += load_games(dataset, split).ids[:]
        except DatasetError as error:
            assert f"games of split {split}, found none" in str(error)
    assert sorted(found) == sorted([SMALL.id, LARGE.id])


def test_split_sizes() -> None:
    splits = [split_of(f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}") for number in range(10_000)]
    shares = {split: splits.count(split) / len(splits) for split in SPLITS}
    assert shares == pytest.approx({"train": 0.92, "validation": 0.04, "test": 0.04}, abs=0.01)


@given(st.lists(st.tuples(st.integers(0, 625), st.sampled_from([1, -1]))))
def test_codes_round_trip(stones: list[tuple[int, int]]) -> None:
    points, colours = np.array(stones, np.int64).reshape(-1, 2).T
    decoded_points, decoded_colours = decode_points(encode_points(points, colours))
    assert decoded_points.tolist() == points.tolist()
    assert decoded_colours.tolist() == colours.tolist()


def test_a_missing_dataset(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"expected a dataset folder with shard-\*.parquet files, found none"):
        load_games(tmp_path)


def test_a_damaged_shard(dataset: Path) -> None:
    path = dataset / GAMES.file_name(1)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DatasetError, match=r"shard-00001\.parquet: expected a Parquet file of games"):
        load_games(dataset)


def test_text_that_is_no_utf8_is_an_error(dataset: Path) -> None:
    table = read_shard(Folder(dataset), GAMES.file_name(1))
    place = table.column_names.index("date")
    pq.write_table(
        table.set_column(place, "date", pa.array([b"\xff", b""]).view(pa.string())), dataset / GAMES.file_name(1)
    )
    with pytest.raises(DatasetError, match=r"shard-00001\.parquet: expected a Parquet file of games.*UTF8"):
        load_games(dataset)


def test_a_shard_without_a_column(dataset: Path) -> None:
    with pytest.raises(DatasetError, match=r"of games, .* with the columns beauty\. Received: id, opening, "):
        read_shard(Folder(dataset), GAMES.file_name(0), ["id", "beauty"])


def test_an_unknown_split(dataset: Path) -> None:
    with pytest.raises(DatasetError, match=r"split must be one of train, validation, test\. Received: exam"):
        load_games(dataset, "exam")


@pytest.mark.parametrize(
    ("column", "value"), [("handicap", 40_000), ("komi", "six"), ("date", "\udc80"), ("moves", [1 << 70])]
)
def test_a_row_that_no_column_holds_is_that_of_a_bad_record(column: str, value: object, tmp_path: Path) -> None:
    row = accepted_row(SMALL, label(SMALL, 1))
    assert fitted(row) is row
    bad = fitted(row | {column: value})
    assert (bad["source"], bad["reason"]) == ("small.sgf", "unreadable")
    assert re.fullmatch(rf"{column}: expected [a-z0-9<>: ]+\. Received: .+", bad["detail"])
    write_shard(Folder(tmp_path), 0, [row, bad])
    assert [each["reason"] for each in rows_of(tmp_path)] == ["", "unreadable"]


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="nineteen"):
        write_shard(Folder(tmp_path), 0, [unreadable_row("x.sgf", "empty", "") | {"side": "nineteen"}])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("played", "counted"),
    [("", ";B[];W[]"), (";B[aa]", ";B[aa];W[];B[]"), (";B[aa];W[]", ";B[aa];W[];B[]"), (";B[];W[]", ";B[];W[]")],
)
def test_a_counted_game_ends_with_two_passes(tmp_path: Path, played: str, counted: str) -> None:
    for result, moves in (("B+3", counted), ("B+R", played)):
        game, ending = (parse_game(f"(;SZ[5]RE[{result}]{text})".encode(), "x.sgf") for text in (played, moves))
        write_shard(Folder(tmp_path), 0, [accepted_row(game, label(game, 1))])
        assert np.array_equal(load_games(tmp_path).move_codes, encode_points(ending.move_points, ending.move_colours))


def test_a_label_takes_a_byte_a_point() -> None:
    ownership = np.array([[1, -1], [0.5, -2]])
    assert np.frombuffer(soft_ownership(ownership), np.int8).tolist() == [127, -127, 64, -127]


def test_the_likeliest_moves_are_kept_and_at_least_one() -> None:
    kept = soft_policy(np.array([0.2, 0.0004, 0.0, 0.7996, 0.0]))
    assert kept["policy_moves"].tolist() == [3, 0]
    assert soft_policy(np.full(10_000, 0.0001))["policy_moves"].tolist() == [0]
    assert soft_policy(None) == {"policy_moves": None, "policy": None}


def test_a_dataset_is_a_folder_or_one_of_its_files(tmp_path: Path) -> None:
    rows = [soft_row(5, 1), soft_row(9, 2, known=False), soft_row(5, 3)]
    place = write_soft_dataset(tmp_path / "soft", rows)
    assert load_soft(place).side.tolist() == [5, 9, 5]
    assert load_soft(place / SOFT.file_name(1)).side.tolist() == [9, 5]
    assert load_soft([place / SOFT.file_name(1), place]).side.tolist() == [5, 9, 5]  # each position once
    assert load_soft(place, side=9).side.tolist() == [9]
    for read in (load_soft, check_soft):
        with pytest.raises(
            DatasetError, match="soft: expected labelled positions on 19x19, the only side of this network"
        ):
            read(place, 19)
    check_soft(place, 9)


def test_what_is_no_soft_dataset_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"soft-\*\.parquet files, found none"):
        load_soft(tmp_path / "missing")
    (tmp_path / SOFT.file_name(0)).write_bytes(b"PAR1")
    with pytest.raises(DatasetError, match=SOFT.file_name(0)):
        load_soft(tmp_path)
    pq.write_table(pa.table({"side": [5], "ply": [3]}), tmp_path / SOFT.file_name(0))
    with pytest.raises(
        DatasetError, match=r"soft rows, as `ownership teach` .* source, teacher, .* Received: side, ply$"
    ):
        load_soft(tmp_path)
    write_shard(Folder(tmp_path), 0, [], SOFT)
    with pytest.raises(DatasetError, match="expected labelled positions, found none"):
        load_soft(tmp_path)
