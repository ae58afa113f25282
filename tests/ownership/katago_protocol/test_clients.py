"""The queries of GUIs that start KataGo's analysis engine, in order, and their checks of the answers.

Each client here does as the source of its program does: Ogatak, and LizzieYzy's analysis of a whole game.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

import pytest

from tests.support.waiting import PATIENCE

BOARD = {"boardXSize": 9, "boardYSize": 9, "komi": 6.5}
NEWEST = [1, 12, 0]  # from this version on Ogatak sends firstReportDuringSearchAfter


class Engine:
    """The program, started as a client starts KataGo; stderr comes with the answers, as in LizzieYzy."""

    def __init__(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-m", "ownership.katago_protocol", *map(str, arguments)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            stream.close()

    def send(self, query: dict[str, Any]) -> None:
        assert self.process.stdin
        print(json.dumps(query), file=self.process.stdin, flush=True)

    def next(self) -> dict[str, Any]:
        """Return the next answer; lines that do not begin with { are shown in a console."""
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("{"):
                found: dict[str, Any] = json.loads(line)
                return found
        raise AssertionError("expected an answer. Received: the end")


def check_moves(infos: list[dict[str, Any]]) -> None:
    """Check the fields of moves that clients read."""
    assert [info["order"] for info in infos] == list(range(len(infos))) != []
    for info in infos:
        assert {type(info[name]) for name in ("winrate", "lcb", "prior", "scoreLead", "scoreStdev")} == {float}
        assert isinstance(info["visits"], int) and info["pv"][0] == info["move"]


@pytest.mark.parametrize("setting", ["", "version = 1.16.0"])
def test_ogatak(setting: str, small_model: Path, tmp_path: Path) -> None:
    """It needs a file of settings and one of weights; a board of 29 has to be refused; versions are three numbers."""
    settings, weights = tmp_path / "analysis.cfg", tmp_path / "any.bin.gz"
    settings.write_text(f"numAnalysisThreads = 2\nnnMaxBatchSize = 8\n{setting}\n")
    weights.write_bytes(b"")
    with Engine("analysis", "-config", settings, "-model", weights, "-quit-without-waiting") as engine:
        engine.send({"id": "query_version", "action": "query_version"})
        large = {"boardXSize": 29, "boardYSize": 29}
        engine.send({"id": "test_bs29", "rules": "Chinese", "maxVisits": 1, "moves": [], **large})
        answers = {answer["id"]: answer for answer in (engine.next(), engine.next())}
        assert "error" in answers["test_bs29"]
        version = [int(number) for number in answers["query_version"]["version"].split(".")]
        assert len(version) == 3 and answers["query_version"]["action"] == "query_version"
        assert (version >= NEWEST) == bool(setting)
        query = {
            "id": "17:1", "rules": "Chinese", "maxVisits": 1_000_000, "analysisPVLen": 32, **BOARD,
            "reportDuringSearchEvery": 0.1, "includePolicy": True, "includeOwnership": True,
            "includeMovesOwnership": True, "initialStones": [], "moves": [["B", "E5"], ["W", "pass"]],
            "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04},
        }  # fmt: skip
        engine.send(query | ({"firstReportDuringSearchAfter": 0.05} if setting else {}))
        found = engine.next()
        assert found["id"] == "17:1" and found["isDuringSearch"]
        check_moves(found["moveInfos"])
        assert len(found["ownership"]) == 81 and len(found["policy"]) == 82
        assert all(len(info["ownership"]) == 81 for info in found["moveInfos"])
        assert 0 <= found["rootInfo"]["winrate"] <= 1 and abs(found["rootInfo"]["scoreLead"]) < 90
        engine.send({"id": "stop!17:1", "action": "terminate", "terminateId": "17:1"})
        while found.get("action") != "terminate":
            found = engine.next()
        assert found["terminateId"] == "17:1"
        engine.send({"id": "clear_cache", "action": "clear_cache"})
        while found["id"] != "clear_cache":
            found = engine.next()
        assert "error" not in found
        assert engine.process.stdin
        engine.process.stdin.close()
        assert engine.process.wait(PATIENCE) == 0


def test_lizzieyzy_analyzes_a_game(small_model: Path) -> None:
    """It sends a query for each position, takes each line that begins with { for an answer, and ids for numbers."""
    moves = [["B", "E5"], ["W", "C3"], ["B", "G7"], ["W", "pass"]]
    rules = {"ko": "POSITIONAL", "scoring": "AREA", "suicide": False, "tax": "NONE", "whiteHandicapBonus": "0"}
    with Engine("analysis", "-model", small_model, "-override-config", "numSearchThreadsPerAnalysisThread=1") as engine:
        for number in range(len(moves) + 1):
            engine.send(
                {
                    "id": str(number), "maxVisits": 6, "includePVVisits": True, "includeOwnership": True,
                    "includeMovesOwnership": True, "rules": rules if number else "tromp-taylor", **BOARD,
                    "moves": moves[:number], "analyzeTurns": [number],
                    "overrideSettings": {"reportAnalysisWinratesAs": "SIDETOMOVE"},
                }
            )  # fmt: skip
        answers = [engine.next() for _ in range(len(moves) + 1)]
        assert sorted(int(answer["id"]) for answer in answers) == list(range(len(moves) + 1))
        for answer in answers:
            check_moves(answer["moveInfos"])
            assert len(answer["ownership"]) == 81
            assert all(len(info["pvVisits"]) == len(info["pv"]) for info in answer["moveInfos"])
