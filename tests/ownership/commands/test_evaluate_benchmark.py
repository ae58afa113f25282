"""`ownership evaluate --benchmark` and `--late`."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.load_table import load_games
from goban.rulesets import Terms
from ownership import Position, Prediction, as_json, read_game, score_position
from ownership.cli import main
from ownership.commands.shared.benchmark_figures import AGREED, CONTESTED, benchmark_figures
from ownership.inference.evaluator import Evaluator
from preprocessing.gnugo import find_gnugo
from tests.support.own_package import GNUGO, install
from tests.support.paths import DATA, EXAMPLES

pytest.importorskip("pyarrow", reason="datasets need the train extra")


def evaluated(output: Path, *arguments: str) -> dict[str, Any]:
    assert main(["evaluate", *arguments, "--json", str(output)]) == 0
    found: dict[str, Any] = json.loads(output.read_text())
    return found


def test_the_same_command_gives_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["fast", "--benchmark", "--games", "12", "--sides", "9"]
    first = evaluated(tmp_path / "a.json", *command)
    shown = capsys.readouterr().out
    assert first == evaluated(tmp_path / "b.json", *command)
    assert capsys.readouterr().out == shown
    assert shown.startswith("fast on 12 test games of the benchmark, version 1\n")
    assert first["datasets"] == ["the benchmark, version 1"]
    for figure in ("accuracy", "Brier score", "calibration error", "blocks right", "final scores right"):
        assert f"\n{figure}  " in shown
    assert 0.6 < first["accuracy"] < 1 and first["final_scores"] > 0.8


def test_contested_points_are_those_of_the_measured_games() -> None:
    contested, whole = load_games(CONTESTED), load_games(AGREED)
    figures = benchmark_figures(Evaluator.of(AllBlack()), whole, 1)
    targets = [contested.target_of(game) for game in range(len(contested))]
    black = np.mean([(target[target != 0] > 0).mean() for target in targets])
    assert figures["contested"] == pytest.approx(black)
    settled = ~np.isin(whole.ids, contested.ids)
    assert 0 < figures["final_scores"] < 1
    assert figures["final_scores_error"] > 0 and figures["contested_error"] > 0
    assert settled.sum() > 0


class AllBlack:
    """Gives every point to Black."""

    def evaluate(self, positions: Sequence[Position], *, terms: Sequence[Terms]) -> list[Prediction]:
        return [Prediction(ownership=np.ones(each.stones.shape, np.float32)) for each in positions]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fast", str(DATA)], f"expected models alone with --benchmark. Received: {DATA}"),
        (["fast", "defualt"], "expected models alone with --benchmark. Received: defualt; did you mean default?"),
        (["fast", "--moves"], "--benchmark is about owners, which --moves leaves out"),
    ],
)
def test_what_does_not_go_with_the_benchmark(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *arguments, "--benchmark"]) == 2
    assert capsys.readouterr() == ("", f"ownership: error: {message}\n")


def test_late_positions_are_those_of_the_last_tenth(tmp_path: Path) -> None:
    command = ["fast", "--benchmark", "--games", "9", "--every", "1", "--sides", "9"]
    late = evaluated(tmp_path / "a.json", *command, "--late")
    whole = evaluated(tmp_path / "b.json", *command)
    assert [row["tenth"] for row in late["by_tenth"]] == [10]
    assert late["by_tenth"] == whole["by_tenth"][-1:]
    assert (late["late"], whole["late"]) == (True, False)


def test_gnugo_is_measured_as_a_model(tmp_path: Path) -> None:
    find_gnugo()
    environment = install(tmp_path, GNUGO)
    command = ["evaluate", "gnugo", "--benchmark", "--games", "2", "--sides", "9", "--late", "--every", "3"]
    answer = subprocess.run(
        [sys.executable, "-m", "ownership", *command], capture_output=True, text=True, env=environment
    )
    assert answer.returncode == 0, answer.stderr
    assert "gnugo on 2 test games of the benchmark, version 1" in answer.stdout
    [accuracy] = [line.split()[1] for line in answer.stdout.splitlines() if line.startswith("accuracy  ")]
    assert float(accuracy.rstrip("%")) > 90


def test_the_evaluator_of_gnugo_plays_the_game_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(GNUGO))
    from gnugo_evaluator import GnuGoEvaluator  # type: ignore[import-not-found]

    position = read_game(EXAMPLES / "finished-9x9.sgf").position()
    answer = score_position(position, "chinese", 7, evaluator=GnuGoEvaluator(), second_judge=None)
    assert (answer.result, as_json(answer)["dead"]) == ("B+4", ["C7", "C6"])
