"""The names of the files that commands write."""

from pathlib import Path

import pytest

from game_records.record_errors import BadRecord
from goban.errors import InputError
from ownership.commands.shared.output_files import FileNames, InputFiles, check_new_folder


def test_no_two_records_get_one_name() -> None:
    names = FileNames(".html", "index")
    sources = ["x/a.sgf", "y/a-2.sgf", "z/a.sgf.gz", "a.sgf#2", "z/a.sgf", "index.sgf", "-", "-"]
    given = [names.next(BadRecord(source, "", "")) for source in sources]
    assert given == [
        *("a.html", "a-2.html", "a-3.html", "a-2-2.html", "a-4.html", "index-2.html"),
        *("game.html", "game-2.html"),
    ]


@pytest.mark.parametrize("name", ["a.sgf", "a.sgf.xz", "a.gib", "a.ngf", "a.ugf", "a.UGI", "a.txt"])
def test_a_file_is_named_without_the_ending_of_its_record(name: str) -> None:
    assert FileNames(".html").next(BadRecord(f"games/{name}", "", "")) == "a.html"


def test_a_name_with_the_ending_of_another_file_is_a_folder_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "games.sgf").mkdir()
    for name in ("games.sgf", "games", "games.2024", "games.", "games.x"):
        check_new_folder(tmp_path / name, ".html")
    for name in ("other.sgf", "other.md", "other.SGF"):
        with pytest.raises(InputError, match=r"expected a file ending in .html, or a folder"):
            check_new_folder(tmp_path / name, ".html")


def test_an_input_is_not_written_over_by_any_of_its_names(tmp_path: Path) -> None:
    game, other = tmp_path / "game.sgf", tmp_path / "other.sgf"
    game.write_bytes(b"(;SZ[9])")
    other.write_bytes(b"(;SZ[9])")
    (tmp_path / "link.sgf").symlink_to(game)
    inputs = InputFiles([game, tmp_path / "missing.sgf"])
    for output in (other, tmp_path / "missing.sgf", tmp_path / "new.sgf"):
        inputs.check_output(output)
    for output in (game, tmp_path / "link.sgf"):
        with pytest.raises(InputError, match="expected another file than the input"):
            inputs.check_output(output)
