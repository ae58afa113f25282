"""The benchmark that comes with the project: its files, its card, and `ownership evaluate --benchmark`."""

import argparse
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.arrow_to_numpy import list_column, number_column
from game_datasets.columns import GAMES
from game_datasets.row_kernels import misplayed_rows
from game_datasets.rows import Row, owner_of, record_of
from game_datasets.shards import read_rows, read_shard, shard_names
from goban.coords import pass_point
from ownership.commands.match import _read_matches, add_arguments
from ownership.commands.shared.benchmark_figures import AGREED, BENCHMARK, CONTESTED, VERSION
from ownership.inference.learned_games import learned_openings
from ownership.inference.model_catalogue import bundled_models, find_model
from runtime.folders import Folder
from tests.support.paths import ROOT

CARD = BENCHMARK / "README.md"
MOST_BYTES = 2 << 20
NEEDS_ARROW = "datasets need the train extra"


@cache
def rows(place: Path) -> list[Row]:
    pytest.importorskip("pyarrow", reason=NEEDS_ARROW)
    folder = Folder(place)
    return [row for name in shard_names(folder) for row in read_rows(folder, name)]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_files_are_those_of_the_version() -> None:
    lines = (BENCHMARK / "SHA256SUMS").read_text().splitlines()
    sums = {name: known for known, name in (line.split("  ") for line in lines)}
    files = [path for place in (AGREED, CONTESTED) for path in place.iterdir()] + [BENCHMARK / "matches.txt"]
    assert sums == {path.relative_to(BENCHMARK).as_posix(): digest(path) for path in files}
    assert sum(path.stat().st_size for path in BENCHMARK.rglob("*")) < MOST_BYTES


def test_every_row_is_a_whole_game_that_the_reader_accepts() -> None:
    for row in rows(AGREED):
        game = record_of(row)
        assert (game.id, row["split"], row["reason"], row["branch"]) == (row["id"], "test", "", 0)
        assert game.move_points[-2:].tolist() == [pass_point(game.side)] * 2
        assert (owner_of(row) != 0).any()
    for name in shard_names(Folder(AGREED)):
        table = read_shard(Folder(AGREED), name)
        lists = (*list_column(table, "setup"), *list_column(table, "moves"))
        assert not misplayed_rows(number_column(table, "side"), *lists).any()


def test_a_point_is_agreed_or_contested_not_both() -> None:
    agreed = {row["id"]: row for row in rows(AGREED)}
    assert len(agreed) == len(rows(AGREED))
    for row in rows(CONTESTED):
        game = agreed[row["id"]]
        contested = owner_of(row) != 0
        assert contested.any() and contested.mean() <= 0.25
        assert not (contested & (owner_of(game) != 0)).any()
        same = ("moves", "setup", "komi", "source", "counted_score", "scorer")
        assert [row[name] for name in same] == [game[name] for name in same]


def test_a_settled_game_has_the_score_of_its_owners() -> None:
    contested = {row["id"] for row in rows(CONTESTED)}
    settled = [row for row in rows(AGREED) if row["id"] not in contested]
    for row in settled:
        assert row["counted_score"] == owner_of(row).sum() - row["komi"], row["source"]


@pytest.mark.parametrize("model", bundled_models())
def test_no_bundled_model_has_learned_from_its_openings(model: str) -> None:
    openings = np.array([int(row["opening"], 16) for row in rows(AGREED)], np.uint64)
    assert not np.isin(openings, learned_openings(find_model(model))).any()


def test_the_numbers_of_the_card_are_those_of_the_files() -> None:
    card = CARD.read_text()
    found = re.findall(r"^\| (\d+)x\1 \| (\d+) \| (\d+) \| ([\d.]+)% \| ([\d.]+)% \|$", card, re.MULTILINE)
    assert found == [numbers(side) for side in (9, 13, 19)]
    for place in (AGREED, CONTESTED):
        games, size = len(rows(place)), (place / GAMES.file_name(0)).stat().st_size
        sizes = card[card.index("dataset_info") :]
        stated = re.search(rf"config_name: {place.name}\n.*?num_bytes: (\d+)\n +num_examples: (\d+)\n", sizes, re.S)
        assert stated and tuple(map(int, stated.groups())) == (size, games)
    assert f"{len(rows(AGREED))} games" in card


def numbers(side: int) -> tuple[str, ...]:
    """Return the cells of a row of the card: the side, its games, those with contested points, shares of points."""
    agreed = [row for row in rows(AGREED) if row["side"] == side]
    contested = [row for row in rows(CONTESTED) if row["side"] == side]
    shares = (
        sum(np.count_nonzero(owner_of(row)) for row in each) / (len(agreed) * side**2) for each in (agreed, contested)
    )
    return (str(side), str(len(agreed)), str(len(contested)), *(f"{share:.2%}".rstrip("%") for share in shares))


def test_the_card_is_one_of_a_hub_of_datasets() -> None:
    _, front, _ = CARD.read_text().split("---\n", 2)
    assert "license: cc0-1.0\n" in front
    paths = re.findall(r"path: (\S+)\n", front)
    assert paths == [f"{place.name}/*.parquet" for place in (AGREED, CONTESTED)]
    assert all(list(BENCHMARK.glob(path)) for path in paths)


def test_the_matches_of_the_card_can_be_played_again() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    matches = _read_matches(BENCHMARK / "matches.txt", parser.parse_args(["-o", "data/matches"]))
    played = {row["source"].split("/")[0] for row in rows(AGREED) if "/" in row["source"].split(":")[0]}
    assert played == {name for name, _ in matches}


def test_croissant_names_every_column() -> None:
    found = json.loads((BENCHMARK / "croissant.json").read_text())
    required = ("@context", "name", "description", "license", "url", "creator", "datePublished", "version")
    assert all(found[name] for name in required)
    assert (found["@type"], found["conformsTo"]) == ("sc:Dataset", "http://mlcommons.org/croissant/1.0")
    assert found["version"] == f"{VERSION}.0.0"
    files = {each["@id"]: each for each in found["distribution"]}
    assert {name: each["sha256"] for name, each in files.items()} == {name: digest(BENCHMARK / name) for name in files}
    assert [each["@id"] for each in found["recordSet"]] == [AGREED.name, CONTESTED.name]
    for records in found["recordSet"]:
        check_fields(records, files)


def check_fields(records: dict[str, Any], files: dict[str, Any]) -> None:
    fields = records["field"]
    assert [each["name"] for each in fields] == list(GAMES.columns)
    for each in fields:
        assert each["@id"] == f"{records['@id']}/{each['name']}"
        assert each["source"]["extract"] == {"column": each["name"]}
        assert each["source"]["fileObject"]["@id"] in files
        assert each["description"] and each["dataType"] in ("sc:Text", "sc:Integer", "sc:Float")
        assert each.get("repeated", False) == GAMES.columns[each["name"]].type.startswith("list<")
    assert records["key"]["@id"] in {each["@id"] for each in fields}


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    [version] = re.findall(r"^version = (\S+)$", (ROOT / "setup.cfg").read_text(), re.MULTILINE)
    assert f"\nversion: {version}\n" in citation
    assert citation.startswith("cff-version: 1.2.0\n")
