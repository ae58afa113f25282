"""The facts of a record reach the planes and targets that networks learn from, and its count."""

from pathlib import Path

import numpy as np
import pytest

from game_datasets.columns import GAMES
from game_datasets.evaluation_positions import table_planes
from game_datasets.load_table import load_games
from game_datasets.rows import Label, accepted_row, record_of
from game_datasets.shards import read_rows, write_shard
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE
from planes.feature_sets import FeatureSet
from runtime.folders import Folder

RANKED = FeatureSet("ranks", ("black_to_move", "rank_1", "rank_3", "rank_9"))


def dataset(folder: Path, *texts: str) -> Path:
    games = [parse_game(text.encode(), f"{number}.sgf") for number, text in enumerate(texts)]
    owner = np.ones((5, 5), np.int8)
    write_shard(Folder(folder), 0, [accepted_row(game, Label(owner, 25 - game.komi, "hand")) for game in games])
    return folder


@pytest.mark.parametrize(
    ("ranks", "black", "white"),
    [
        ("BR[3d]WR[9p]", "rank_3", "rank_9"),
        ("BR[10k]WR[三段]", "rank_1", "rank_3"),  # kyu ranks count as 1 dan
        ("BR[?]", "rank_9", "rank_9"),  # as all others where nothing is known
    ],
)
def test_ranks_are_planes_of_the_side_to_move(ranks: str, black: str, white: str, tmp_path: Path) -> None:
    table = load_games(dataset(tmp_path, f"(;SZ[5]{ranks};B[aa];W[bb])"))
    [batch] = table_planes(table, np.zeros(2, np.int32), np.arange(2, dtype=np.int16), RANKED)
    shown = [[name for name, plane in zip(RANKED.planes, row, strict=True) if plane] for row in batch.planes[:, 0, 0]]
    assert shown == [["black_to_move", black], [white]]


@pytest.mark.parametrize(
    ("result", "moves", "expected"),
    [
        ("W+R", ";B[aa];W[bb]", [0, 1]),  # Black, who is to move
        ("黑中盘胜", ";B[aa];W[bb];B[cc]", [0, 1]),  # White, who is to move
        ("White resigns", ";B[aa];W[bb]", [0, -1]),  # White, out of turn
        ("B+3.5", ";B[aa];W[bb]", [0, 0]),  # two passes follow
    ],
)
def test_who_resigns_is_a_target_of_the_last_position(
    result: str, moves: str, expected: list[int], tmp_path: Path
) -> None:
    table = load_games(dataset(tmp_path, f"(;SZ[5]RE[{result}]{moves})"))
    plies = np.array([0, moves.count(";")], np.int16)
    [batch] = table_planes(table, np.zeros(2, np.int32), plies, RANKED)
    assert batch.resigned.tolist() == expected


def test_komi_and_handicap_are_there_for_the_count(tmp_path: Path) -> None:
    texts = ("(;SZ[5]KM[375]RU[Chinese];B[aa])", "(;SZ[5]KM[0.5]HA[2]RU[Chinese]AB[aa][bb];W[cc])")
    folder = dataset(tmp_path, *texts)
    assert load_games(folder).komi.tolist() == [7.5, 0.5]
    kept = [record_of(row) for row in read_rows(Folder(folder), GAMES.file_name(0))]
    assert [(game.komi, game.handicap, game.to_move) for game in kept] == [
        (7.5, 0, BLACK),
        (0.5, 2, WHITE),
    ]
