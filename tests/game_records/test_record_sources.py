"""How records are named: by arguments, in the order given, and one record among several."""

from pathlib import Path

import pytest

from game_records.record_errors import BadRecord
from game_records.record_sources import read_game, read_games
from goban.errors import InputError
from tests.support.archives import CUT, MEMBERS, ONE, TWO, make_tar, make_zip, seen


def test_arguments_are_read_in_the_given_order(tmp_path: Path) -> None:
    for name, data in {"z.sgf": ONE, "a.sgf": TWO}.items():
        (tmp_path / name).write_bytes(data)
    assert seen(tmp_path / "z.sgf", tmp_path / "a.sgf") == ["z.sgf: one", "a.sgf: two"]


@pytest.mark.parametrize("name", ["gone.sgf", "gone.sgf#2", "g.zip#0", "gone.zip/a.sgf", "no/such/folder.zip"])
@pytest.mark.parametrize("error", [InputError, FileNotFoundError])
def test_a_missing_file_is_an_error_before_any_game_is_read(name: str, error: type[Exception], tmp_path: Path) -> None:
    there = make_zip(tmp_path / "g.zip", MEMBERS)
    with pytest.raises(error, match=r": expected a file or folder of game records\. Received: no such file$") as raised:
        read_games(iter([there, tmp_path / name]))
    assert str(raised.value).startswith(f"{tmp_path / name}:")


def test_the_only_game_of_a_place(tmp_path: Path) -> None:
    (tmp_path / "one.sgf").write_bytes(ONE)
    make_zip(tmp_path / "one.zip", {"a.sgf": ONE})
    (tmp_path / "two.sgf").write_bytes(ONE + TWO)
    assert [read_game(tmp_path / name).black for name in ("one.sgf", "one.zip")] == ["one", "one"]
    for name, message in (("two.sgf", "expected one game. Received: several"), ("none.sgf", "Received: no such file")):
        with pytest.raises(InputError, match=f"{name}: .*{message}"):
            read_game(tmp_path / name)


def read(*paths: Path | str) -> list[tuple[str, str]]:
    """Source and player, or source and reason, of each record."""
    records = read_games(paths)
    return [(each.source, each.reason if isinstance(each, BadRecord) else each.black) for each in records]


@pytest.mark.parametrize("ending", ["zip", "tgz"])
def test_the_source_of_a_record_names_no_other(tmp_path: Path, ending: str) -> None:
    make = make_zip if ending == "zip" else make_tar
    make(tmp_path / f"z.{ending}", MEMBERS | {"deep/in.zip/c.sgf": TWO})
    (tmp_path / "collection.sgf").write_bytes(ONE + CUT + TWO)
    (tmp_path / "hash#2").write_bytes(ONE)
    (tmp_path / "folder.zip").mkdir()
    (tmp_path / "folder.zip" / "one.sgf").write_bytes(ONE)
    found = read(*(tmp_path / name for name in (f"z.{ending}", "collection.sgf", "hash#2", "folder.zip/one.sgf")))
    assert len(found) == 5 + 3 + 2
    for source, player in found:
        assert read(source) == [(source, player)]
        assert read(f"file://{source}")[0][1] == player
        if source != str(tmp_path / "hash#2"):
            assert read(f"local://{source}")[0][1] == player


def test_a_number_chooses_a_record_of_a_file_folder_or_archive(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "g.zip", MEMBERS)
    assert seen(f"{archive}#2") == ["g.zip/a.SGF#1: one"]
    assert seen(f"{tmp_path}#3", f"{archive}/b/2.sgf#1")[1].endswith("g.zip/b/2.sgf: two")
    assert seen(f"{archive}/a.SGF") == ["a.SGF#1: one", "a.SGF#2: two"]


WRONG = [
    ("g.zip/c.sgf", "unreadable: expected the name of a record in the archive. Received: another name"),
    ("g.zip#9", "unreadable: expected the number of a game, 1..4. Received: 9"),
    ("g.zip/a.SGF#3", "unreadable: expected the number of a game, 1..2. Received: 3"),
]


@pytest.mark.parametrize(("name", "message"), WRONG)
def test_a_name_of_no_record_is_one_bad_record(tmp_path: Path, name: str, message: str) -> None:
    make_zip(tmp_path / "g.zip", MEMBERS)
    [bad] = read_games([tmp_path / name])
    assert str(bad).endswith(f": {message}")


def test_one_game_of_several_has_to_be_named(tmp_path: Path) -> None:
    path = tmp_path / "two.sgf"
    path.write_bytes(ONE + TWO)
    with pytest.raises(InputError, match=r"expected one game\. Received: several; name one, such as .*/two\.sgf#1$"):
        read_game(path)
    assert read_game(f"{path}#2").black == "two"
