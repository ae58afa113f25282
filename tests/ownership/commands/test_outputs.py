"""Outputs of commands: checked before any work, written whole or not at all, never half over an old file."""

import re
import shutil
from pathlib import Path

import pytest

from ownership.cli import main
from ownership.commands.shared.output_files import new_or_whole
from runtime.safe_writing import one_writer
from tests.support.positions import write_dataset
from tests.support.processes import files_of_at_most

RECORD = b"(;GM[1]SZ[9]KM[5.5]PB[An]PW[Bo];B[ee];W[cc];B[gc];W[cg];B[gg])"
WRITERS = {
    "out.png": ["score", "game.sgf", "--picture", "out.png"],
    "out.svg": ["show", "game.sgf", "-o", "out.svg"],
    "out.gif": ["show", "game.sgf", "-o", "out.gif"],
    "out.html": ["report", "game.sgf", "-o", "out.html"],
    "pages/game.html": ["report", "game.sgf", "-o", "pages"],
}
FILES = [output for output in WRITERS if "/" not in output]
UNWRITABLE = Path("/sys")  # a folder in which not even root can make a file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in, with a game."""
    (tmp_path / "game.sgf").write_bytes(RECORD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("output", WRITERS)
def test_a_full_disk_leaves_the_old_file(
    output: str, folder: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*WRITERS[output], "--model", str(small_model)]
    assert main(command) == 0
    assert re.fullmatch(r"Wrote \S+", capsys.readouterr().err.splitlines()[-1])
    with files_of_at_most(1000):
        assert main(command) == 2
    assert capsys.readouterr().err == f"ownership: error: {output}: File too large\n"
    assert (folder / output).stat().st_size > 1000
    assert list(folder.rglob("*partial*")) == []


def test_a_film_that_ffmpeg_cannot_write_leaves_the_old_file(
    folder: Path, small_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ffmpeg = folder / "ffmpeg"
    ffmpeg.write_text('#!/bin/sh\nfor last; do :; done\ncat > "$last"\necho "No space\nleft" >&2\nexit 1\n')
    ffmpeg.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    (folder / "out.mp4").write_bytes(b"old")
    assert main(["show", "game.sgf", "-o", "out.mp4", "--model", str(small_model)]) == 2
    assert capsys.readouterr().err == "ownership: error: out.mp4: ffmpeg cannot write it: No space left\n"
    assert (folder / "out.mp4").read_bytes() == b"old"
    assert list(folder.glob("*partial*")) == []


@pytest.mark.parametrize("output", FILES)
def test_a_folder_in_place_of_the_file_is_found_before_any_work(
    output: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / output).mkdir()
    assert main([*WRITERS[output], "--model", "missing"]) == 2
    assert capsys.readouterr() == ("", f"ownership: error: {output}: Is a directory\n")


@pytest.mark.skipif(not UNWRITABLE.is_dir(), reason="needs Linux")
@pytest.mark.parametrize("output", FILES)
def test_a_folder_that_cannot_be_written_to_is_found_before_any_work(
    output: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = UNWRITABLE / output
    assert main([*WRITERS[output][:-1], str(path), "--model", "missing"]) == 2
    assert capsys.readouterr() == ("", f"ownership: error: {path}: Permission denied\n")


@pytest.mark.skipif(not UNWRITABLE.is_dir(), reason="needs Linux")
@pytest.mark.parametrize(("output", "message"), [("taken", "File exists"), ("/sys", "Permission denied")])
def test_pages_need_a_folder_that_can_be_written_to(
    output: str, message: str, folder: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "taken").write_bytes(RECORD)
    assert main(["report", "game.sgf", "-o", output, "--model", str(small_model)]) == 2
    assert re.fullmatch(rf"ownership: error: {output}.*: {message}\n", capsys.readouterr().err)
    assert (folder / "taken").read_bytes() == RECORD


def link(name: str, target: str, hard: bool) -> None:
    """Make a link in the current folder."""
    Path(name).parent.mkdir(exist_ok=True)
    if hard:
        Path(name).hardlink_to(target)
    else:
        Path(name).symlink_to(Path(target).absolute())


LINKED = {  # an output that is a link to the input, and the command
    **{output: words for output, words in WRITERS.items() if output != "out.gif"},
    "out.mp4": ["show", "game.sgf", "-o", "out.mp4"],
    "out.sgf": ["analyze", "game.sgf", "-o", "out.sgf"],
    "one.json": ["analyze", "game.sgf", "-o", "one.sgf", "--json"],
    "pages/index.html": ["report", "game.sgf", "-o", "pages"],
    "all/game.sgf": ["analyze", "game.sgf", "-o", "all"],
    "all/game.json": ["analyze", "game.sgf", "-o", "all", "--json"],
    "all/games.csv": ["analyze", "game.sgf", "-o", "all", "--csv"],
    "number.png": ["score", "game.sgf#1", "--picture", "number.png"],
    "below.html": ["report", ".", "-o", "below.html"],
}


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("output", LINKED)
def test_no_output_is_the_input(
    output: str, hard: bool, folder: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if output.endswith(".mp4") and shutil.which("ffmpeg") is None:
        pytest.skip("needs ffmpeg")
    link(output, "game.sgf", hard)
    assert main([*LINKED[output], "--model", str(small_model)]) == 2
    error = capsys.readouterr().err
    assert f"{output}: expected another file than the input. Received: the input itself, " in error
    assert (folder / "game.sgf").read_bytes() == (folder / output).read_bytes() == RECORD
    assert list(folder.rglob("*partial*")) == []


@pytest.mark.parametrize(
    "words",
    [
        ["report", "game.sgf", "-o", "out"],
        ["analyze", "game.sgf", "-o", "out"],
        ["match", "random", "policy", "--games", "2", "--size", "5", "--referee", "fast", "-o", "out"],
    ],
    ids=lambda words: words[0],
)
def test_one_command_at_a_time_writes_into_a_folder(
    words: list[str], folder: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with one_writer("out"):
        assert main([*words, "--model", str(small_model)]) == 2
    assert "ownership: error: out: another command writes there." in capsys.readouterr().err


@pytest.mark.parametrize("output", WRITERS)
def test_a_log_file_gets_the_name_of_the_file_and_no_progress(
    output: str, folder: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([*WRITERS[output], "--model", str(small_model)]) == 0
    assert re.fullmatch(r"Wrote \S+\n", capfd.readouterr().err)


def test_train_keeps_a_readme_that_is_no_model_card(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tensorflow", reason="training needs the train extra")
    (folder / "mine").mkdir()
    (folder / "mine" / "README.md").write_text("mine")
    assert main(["train", str(write_dataset(folder / "games")), "--samples", "32", "--output", "mine"]) == 2
    message = "mine: expected a new folder, or that of a training. Received: one with another README.md\n"
    assert capsys.readouterr().err.endswith(message)
    assert (folder / "mine" / "README.md").read_text() == "mine"


@pytest.mark.parametrize("there", [False, True])
def test_what_fails_removes_the_folder_only_if_it_made_it(there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    if there:
        folder.mkdir()
        (folder / "notes.txt").write_text("mine")
    with pytest.raises(OSError, match="disk full"), new_or_whole(folder, ("model.json",)):
        (folder / "half.tflite").write_bytes(b"half")
        raise OSError("disk full")
    assert [each.name for each in tmp_path.iterdir()] == (["model"] if there else [])
    assert not there or (folder / "notes.txt").read_text() == "mine"
