"""An evaluator and a player of a package, under their names in every command."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from ownership.cli import main
from runtime.entry_points import load_entry
from tests.support.own_package import SOURCE, install
from tests.support.paths import DATA, EXAMPLES, ROOT
from tests.support.positions import write_dataset

GAME = str(EXAMPLES / "finished-9x9.sgf")


class Programs:
    """The commands of this project beside the installed package."""

    def __init__(self, site: Path) -> None:
        self._site, self._environment = site, install(site)

    def run(self, module: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", module, *arguments]
        return subprocess.run(command, input=given, capture_output=True, text=True, env=self._environment)

    def ownership(self, *arguments: str, status: int = 0) -> str:
        """Run `ownership` in this process; return what it prints, on stderr for a `status` of an error."""
        with (
            importable(self._site),
            redirect_stdout(StringIO()) as printed,
            redirect_stderr(StringIO()) as errors,
        ):
            assert main(list(arguments)) == status, errors.getvalue()
        return (errors if status else printed).getvalue()


@contextmanager
def importable(site: Path) -> Iterator[None]:
    """Let this process find the package that is installed in a folder."""
    forget_package()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        yield
    forget_package()


def forget_package() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "own_package"]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    return Programs(tmp_path_factory.mktemp("site"))


def test_score_takes_the_evaluator_by_its_name(programs: Programs) -> None:
    answer = programs.run("ownership", "score", "--json", "--model", "influence", GAME)
    assert answer.returncode == 0, answer.stderr
    found = json.loads(answer.stdout)
    assert (found["model"], found["score"]) == ("influence", 4)
    both = json.loads(programs.ownership("score", "--json", "--model", "fast", "--second-judge", "influence", GAME))
    assert both["score"] == 4


def test_a_second_judge_of_a_package_is_asked_where_the_first_is_not_sure(programs: Programs, tmp_path: Path) -> None:
    unclear = tmp_path / "unclear.sgf"
    black = "AB[ea][eb][ec][ed][fd][gd][he][ef][ff][gf][eg][eh][ei]"
    white = "AW[da][db][dc][cd][ce][ee][fe][ge][df][dg][dh][di]"  # E5 has one liberty beside a dame
    unclear.write_text(f"(;SZ[9]RU[chinese]KM[0]{black}{white};B[];W[])")
    found = json.loads(programs.ownership("score", "--json", "--second-judge", "influence", str(unclear)))
    assert found["model"] == "default+influence"


def test_the_error_about_an_unknown_name_lists_the_names(programs: Programs) -> None:
    answer = programs.run("ownership", "score", "--model", "influense", GAME)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "the name of a model (default, fast, play, influence). Received: influense; did you mean influence?" in (
        answer.stderr
    )
    error = programs.ownership("match", "libertys", "random", "-o", "nowhere", status=2)
    assert "expected a player (mcts, alphabeta, longterm, policy, greedy, random, liberties) or a GTP" in error


def test_models_lists_the_evaluator(programs: Programs) -> None:
    found = {each["name"]: each for each in json.loads(programs.ownership("models", "--json"))}
    assert found["influence"]["network"] == "of a package: ownership, policy"
    assert (found["influence"]["bytes"], found["influence"]["directory"]) == (None, None)
    assert found["influence"]["positions_per_second"] > 1


def test_the_gtp_engine_plays_with_both(programs: Programs) -> None:
    given = "boardsize 9\nplay b E5\ngenmove w\nfinal_score\nkata-raw-nn 0\nquit\n"
    for options in (["--time", "0.2"], ["--player", "liberties:least=1"]):
        answer = programs.run("gogui_plugin", "--model", "influence", *options, given=given)
        assert answer.returncode == 0, answer.stderr
        replies = answer.stdout.split("\n\n")
        assert all(reply.startswith("=") for reply in replies[:6]), answer.stdout
        assert len(replies[2].removeprefix("= ")) in (2, 3)  # a vertex


def test_the_player_and_a_search_by_the_evaluator_take_part_in_a_match(programs: Programs, tmp_path: Path) -> None:
    players = ["liberties:least=2", "mcts:model=influence,visits=5", "policy:model=influence"]
    played = ["--output", str(tmp_path / "match"), "--games", "2", "--size", "5"]
    text = programs.ownership("match", *players, *played, "--referee", "influence", "--model", "influence")
    for letter, player in zip("ABC", players, strict=True):
        assert f"{letter}  {player}" in text
    assert len(list((tmp_path / "match").rglob("*.sgf"))) == 6
    kinds = [line.split() for line in text.splitlines() if line[:2] in ("A ", "B ", "C ") and "." in line][-3:]
    assert [each[-3:-1] for each in kinds] == [["0", "0"]] * 3, "no illegal move and no crash"


def test_evaluate_measures_the_evaluator_beside_a_model(programs: Programs) -> None:
    dataset = str(DATA / "everyday" / "gnugo")
    command = ["evaluate", "influence", "fast", dataset, "--split", "all", "--every", "51", "--games", "20"]
    text = programs.ownership(*command)
    [accuracy] = [line.split() for line in text.splitlines() if line.startswith("accuracy  ")]
    own, fast = (float(each.rstrip("%")) for each in (accuracy[1], accuracy[3]))
    assert 85 < own < fast


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            "liberties:most=2",
            "player liberties: expected options that it takes. Received: got an unexpected keyword",
        ),
        ("mcts:model=influense", "player mcts, model: expected a directory with model.tflite or the name of a model"),
    ],
)
def test_a_wrong_option_of_a_player_is_named(option: str, message: str, programs: Programs) -> None:
    error = programs.ownership("match", option, "random", "-o", "nowhere", "--referee", "fast", status=2)
    assert f"ownership: error: {message}" in error


def test_an_entry_that_cannot_be_imported_is_one_line(tmp_path: Path) -> None:
    install(tmp_path)
    (tmp_path / "own_package" / "evaluator.py").write_text("import no_such_module\n")
    message = r"^ownership\.evaluators, influence: expected own_package\.evaluator:Infl"
    with importable(tmp_path), pytest.raises(ValueError, match=message):
        load_entry("ownership.evaluators", "influence")


@pytest.mark.long
def test_a_plane_and_a_target_pass_through_train_evaluate_score_and_gtp(programs: Programs, tmp_path: Path) -> None:
    pytest.importorskip("keras", reason="training needs the train extra")
    dataset, mine = write_dataset(tmp_path / "games", side=9, tests=4), str(tmp_path / "mine")
    own = ["--features", "classic8+crowd", "--targets", "later_stones", "--filters", "4", "--blocks", "1"]
    programs.ownership("train", str(dataset), *own, "--samples", "64", "--batch-size", "16", "--output", mine)
    description = json.loads((tmp_path / "mine" / "model.json").read_text())
    assert description["network"]["feature_set"] == "classic8+crowd"
    assert description["network"]["heads"] == ["ownership", "policy", "score"]
    assert description["trained"]["options"]["targets"] == ["later_stones"]
    history = json.loads((tmp_path / "mine" / "history.json").read_text())
    assert history[-1]["later_stones_loss"] > 0
    assert " --features classic8+crowd " in (command := programs.ownership("models", "--how", mine))
    assert " --targets later_stones " in command
    assert "Brier score" in programs.ownership("evaluate", mine, str(dataset))
    assert json.loads(programs.ownership("score", "--json", "--model", mine, GAME))["model"] == "mine"
    answer = programs.run("gogui_plugin", "--model", mine, given="boardsize 9\nfinal_score\ngenmove b\nquit\n")
    assert all(reply.startswith("=") for reply in answer.stdout.split("\n\n")[:4]), answer.stdout + answer.stderr
    done = subprocess.run(
        [sys.executable, "-m", "ownership", "score", "--model", mine, GAME], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 2 and "or of packages. Received: crowd\n" in done.stderr, "without the package"


@pytest.mark.parametrize("name", ["evaluator", "training"])
def test_the_example_is_short(name: str) -> None:
    assert len((SOURCE / "own_package" / f"{name}.py").read_text().splitlines()) <= 35
