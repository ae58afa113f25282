"""Programs that know KataGo's analysis engine alone, with `ownership-analysis` in its place, on whole games.

They need an environment of their own, which tools/install_clients makes and OWNERSHIP_CLIENTS names.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

from game_records.record_sources import read_game
from ownership.cli import main
from tests.support.paths import ROOT

CLIENTS = os.environ.get("OWNERSHIP_CLIENTS")
NINE = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5];B[fe];W[de];B[df];W[cf];B[ce];W[ef];B[dg];W[ee];B[cd];W[dc];B[cg];W[fc])"
HANDICAP = "(;GM[1]SZ[13]RU[Japanese]KM[0.5]HA[2]AB[dj][jd];W[jj];B[dd];W[];B[jg])"
GAMES = {"nine": NINE, "handicap": HANDICAP, "finished-19x19": (ROOT / "examples/finished-19x19.sgf").read_text()}
VISITS = 8

pytestmark = pytest.mark.skipif(CLIENTS is None, reason="needs OWNERSHIP_CLIENTS, see tools/install_clients")


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A program that is started as KataGo is."""
    program = tmp_path / "katago"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m ownership.katago_protocol "$@"\n')
    program.chmod(0o755)
    return program


def run(program: str, *arguments: object, **variables: str) -> str:
    """Run a program of the clients' environment and return its output."""
    command = [f"{CLIENTS}/bin/{program}", *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=550, env={**os.environ, **variables})
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def katrain(record: Path, engine: Path) -> dict[str, Any]:
    """Return KaTrain's analysis of a record."""
    script = ROOT / "tests/support/katrain_game.py"
    found: dict[str, Any] = json.loads(run("python", script, record, f"{engine} analysis -model fast", VISITS))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_katrain_analyzes_every_node(name: str, tmp_path: Path, engine: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text(GAMES[name])
    game, found = read_game(record), katrain(record, engine)
    points = game.side**2
    assert found["errors"] == []
    assert len(found["nodes"]) == len(game.move_points) + 1
    for ply, node in enumerate(found["nodes"]):
        assert (node["analysed"], node["ownership"], node["policy"]) == (True, points, points + 1)
        assert node["visits"] == VISITS
        assert node["candidates"]
        assert (node["points_lost"] is None) == (ply == 0)
    assert found["score"] or name == "handicap", "KaTrain counts no open game by Japanese rules"


def test_katrain_shows_an_analyzed_record_without_an_engine(tmp_path: Path, engine: Path) -> None:
    record, analyzed = tmp_path / "game.sgf", tmp_path / "analyzed.sgf"
    record.write_text(NINE)
    assert main(["analyze", str(record), "-o", str(analyzed), "--visits", "8", "--model", "fast", "--json"]) == 0
    positions = json.loads(analyzed.with_suffix(".json").read_text())["positions"]
    found = katrain(analyzed, engine)
    assert found["errors"] == []
    for node, position in zip(found["nodes"], positions, strict=True):
        assert node["score"] == pytest.approx(position["score"], abs=1e-3)
        assert node["candidates"][0] == position["candidates"][0]["vertex"]
    assert found["searched"] == 0


@pytest.mark.parametrize("name", GAMES)
def test_katagoanal_writes_its_numbers_into_every_node(name: str, tmp_path: Path, engine: Path) -> None:
    record, settings, out = tmp_path / "game.sgf", tmp_path / "katagoanal", tmp_path / "out"
    record.write_text(GAMES[name])
    settings.mkdir()
    out.mkdir()
    (settings / "config.cfg").write_text("reportAnalysisWinratesAs = BLACK\nmaxVisits = 8\n")
    paths = {"binary": str(engine), "config": str(settings / "config.cfg"), "model": "fast"}
    (settings / "paths.json").write_text(json.dumps(paths))
    run("katagoanal", record, "--visits", VISITS, "-o", out, XDG_CONFIG_HOME=str(tmp_path))
    [written] = out.iterdir()
    nodes = sgf.Sgf_game.from_bytes(written.read_bytes()).get_main_sequence()
    assert len(nodes) == len(read_game(record).move_points) + 1
    for node in nodes:
        found = re.search(r"Winrate: (\d+\.\d)% .*\nScore Lead: (-?\d+\.\d) ", node.get("C"))
        assert found and 0 <= float(found[1]) <= 100
