"""Files, collections, folders, archives and standard input, whole and broken."""

import io
import os
import tarfile
import tracemalloc
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from preprocessing.collection import MAX_GAME, split_games
from preprocessing.record import Game
from preprocessing.sgf import REASONS
from preprocessing.sources import BadRecord, read_games

ONE = b"(;GM[1]SZ[9]PB[one];B[aa];W[bb])"
TWO = b"(;GM[1]SZ[9]PB[two];B[cc](;W[dd])(;W[ee]))"
CUT = b"(;GM[1]SZ[9]PB[cut];B[aa];W[bb]"


def seen(*paths: Path | str) -> list[str]:
    """What is read below `paths`: "source: player" or "source: reason", sources without their folder."""
    folder = str(Path(paths[0]).parent) + "/"
    return [
        f"{record.source.removeprefix(folder)}: {record.reason if isinstance(record, BadRecord) else record.black}"
        for record in read_games(paths)
    ]


def make_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def make_tar(path: Path, members: dict[str, bytes]) -> Path:
    mode = {".tgz": "w:gz", ".gz": "w:gz", ".xz": "w:xz", ".bz2": "w:bz2"}.get(path.suffix, "w")
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


FILES = [
    (ONE, ["a.sgf: one"]),
    (b"\xef\xbb\xbf" + ONE + b"\n\x1a", ["a.sgf: one"]),
    (ONE + b"\nsome text, even ) and ]\n" + TWO, ["a.sgf#1: one", "a.sgf#2: two"]),
    (b"((;GM[1]PB[x])(;GM[1]PB[y]))", ["a.sgf#1: x", "a.sgf#2: y"]),
    (b"", ["a.sgf: empty"]),
    (b"nothing to see", ["a.sgf: not SGF"]),
    (CUT, ["a.sgf: truncated"]),
    (CUT + ONE, ["a.sgf#1: truncated", "a.sgf#2: one"]),
    (CUT + b" \r\n( ;FF[4]PB[x])", ["a.sgf#1: truncated", "a.sgf#2: x"]),
    (ONE + b"(;GM[2])" + TWO, ["a.sgf#1: one", "a.sgf#2: not Go", "a.sgf#3: two"]),
    (b";GM[1]FF[4];B[aa](;W[bb])(;W[cc])", ["a.sgf: bad syntax"]),
    (ONE + b"(;C[" + b"x" * (2 * MAX_GAME) + b"])" + TWO, ["a.sgf#1: one", "a.sgf#2: too large", "a.sgf#3: two"]),
    (b"(;GM[1]C[" + b"x" * (2 * MAX_GAME), ["a.sgf: too large"]),
]


@pytest.mark.parametrize(("data", "expected"), FILES, ids=range(len(FILES)))
def test_one_file(tmp_path: Path, data: bytes, expected: list[str]) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes(data)
    assert seen(path) == expected


def test_a_file_that_is_named_is_read_whatever_its_extension(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_bytes(ONE)
    assert seen(tmp_path / "game.txt") == ["game.txt: one"]


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "b" / "deep").mkdir(parents=True)
    (folder / "c.SGF").write_bytes(ONE)
    (folder / "a.sgf").write_bytes(TWO)
    (folder / "b" / "deep" / "x.sgf").write_bytes(ONE + TWO)
    (folder / "readme.txt").write_bytes(ONE)
    make_zip(folder / "b" / "z.zip", {"in.sgf": ONE})
    (folder / "b" / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.sgf")
    assert seen(folder) == [
        "games/a.sgf: two",
        "games/b/deep/x.sgf#1: one",
        "games/b/deep/x.sgf#2: two",
        "games/b/z.zip/in.sgf: one",
        "games/c.SGF: one",
    ]


MEMBERS = {"b/2.sgf": TWO, "a.SGF": ONE + TWO, "readme.txt": ONE, "inner.zip": b"PK", "bad.sgf": CUT}
EXPECTED = ["b/2.sgf: two", "a.SGF#1: one", "a.SGF#2: two", "bad.sgf: truncated"]


@pytest.mark.parametrize("name", ["g.zip", "g.ZIP", "g.tar", "g.tgz", "g.tar.gz", "g.tar.bz2", "g.tar.xz"])
def test_archives_are_read_in_their_own_order(tmp_path: Path, name: str) -> None:
    make = make_zip if name.lower().endswith("zip") else make_tar
    assert seen(make(tmp_path / name, MEMBERS)) == [f"{name}/{line}" for line in EXPECTED]


def test_arguments_are_read_in_the_given_order(tmp_path: Path) -> None:
    for name, data in {"z.sgf": ONE, "a.sgf": TWO}.items():
        (tmp_path / name).write_bytes(data)
    assert seen(tmp_path / "z.sgf", tmp_path / "a.sgf", tmp_path / "none.sgf") == [
        "z.sgf: one",
        "a.sgf: two",
        "none.sgf: unreadable",
    ]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ONE + TWO)))
    assert seen("-") == ["-#1: one", "-#2: two"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz", "a.tar.xz"])
def test_what_is_no_archive_or_an_empty_one_is_one_bad_record(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"not an archive at all" * 100)
    assert seen(tmp_path / name) == [f"{name}: unreadable"]
    make = make_zip if name.endswith("zip") else make_tar
    assert seen(make(tmp_path / name, {"readme.txt": ONE})) == [f"{name}: empty"]


def test_an_empty_folder_and_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert seen(tmp_path / "folder", tmp_path / "gone.sgf") == ["folder: empty", "gone.sgf: unreadable"]
    bad = next(read_games([tmp_path / "gone.sgf"]))
    assert str(bad) == f"{tmp_path}/gone.sgf: unreadable: No such file or directory"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_what_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(ONE)
    (tmp_path / "a.sgf").chmod(0)
    (tmp_path / "b").mkdir(0)
    assert seen(tmp_path)[0].endswith("a.sgf: unreadable")


def test_an_encrypted_or_damaged_member_costs_itself_alone(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"1.sgf": ONE, "2.sgf": ONE * 50, "3.sgf": TWO})
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\x01\x02")
    data[first + 8] |= 1
    second = data.index(b"2.sgf")
    data[second + 10] ^= 0xFF
    path.write_bytes(data)
    records = seen(path)
    assert records[0] == "a.zip/1.sgf: unreadable" and records[-1] == "a.zip/3.sgf: two"
    assert "a.zip/2.sgf: unreadable" in records


def test_a_name_of_any_bytes_can_be_shown(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\x1b[31m.sgf"
    Path(os.fsdecode(path)).write_bytes(CUT)
    (record,) = read_games([tmp_path])
    assert record.source.isprintable() and record.source.encode()


def test_reading_is_lazy_and_holds_one_game_at_a_time(tmp_path: Path) -> None:
    game = b"(;GM[1]SZ[19]" + b";B[];W[]" * 200 + b")\n"
    path = make_zip(tmp_path / "a.zip", {"many.sgf": game * 5_000})
    assert sum(1 for _ in islice(read_games([path]), 5)) == 5
    with zipfile.ZipFile(path) as archive, archive.open("many.sgf") as stream:
        chunks = iter(lambda: stream.read(1 << 16), b"")
        assert peak(split_games(chunks)) < 2 << 20


@pytest.mark.parametrize("junk", [b"\0", b"(", b"x(", b"(  ", b"[(;", b"\\"])
def test_a_bomb_of_junk_needs_little_memory(junk: bytes) -> None:
    block = junk * (65_536 // len(junk))
    assert peak(split_games(block for _ in range(400))) < 16 << 20


def peak(games: Iterator[bytes]) -> int:
    """The most bytes that are allocated at a time while `games` are drawn."""
    tracemalloc.start()
    for _ in games:
        pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


values = st.lists(st.sampled_from([b"a", b"\\]", b"\\\\", b"(", b")", b";", b"(;GM[", b"\n", b"\xff"]), max_size=6)
properties = st.tuples(st.sampled_from([b"C", b"B", b"AW"]), values.map(lambda v: b"[" + b"".join(v) + b"]"))
nodes = st.lists(properties.map(b"".join), max_size=3).map(lambda p: b";" + b" ".join(p))
sequences = st.lists(nodes, min_size=1, max_size=3).map(b"\n".join)
trees = st.recursive(
    sequences.map(lambda s: b"(" + s + b")"),
    lambda inner: st.tuples(sequences, st.lists(inner, max_size=3)).map(lambda t: b"(" + t[0] + b"".join(t[1]) + b")"),
    max_leaves=6,
)
collections = st.lists(st.tuples(trees, st.sampled_from([b"", b"\n", b" text ", b")", b"]", b";"])), max_size=5)


@given(collections.map(lambda c: b"".join(map(b"".join, c))), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_the_splitter_finds_the_games_that_sgfmill_finds(data: bytes, size: int) -> None:
    games = list(split_games(data[at : at + size] for at in range(0, len(data), size)))
    try:
        trees = sgf_grammar.parse_sgf_collection(data)
    except ValueError:
        assert not games
        return
    assert [tree_of(game) for game in games] == [sgf_grammar.serialise_game_tree(tree) for tree in trees]


def tree_of(game: bytes) -> bytes:
    return bytes(sgf_grammar.serialise_game_tree(sgf_grammar.parse_sgf_game(game)))


NEAR = [b"(", b";", b")", b"[", b"]", b"\\", b" ", b"GM[", b"(;GM[1]", b";FF[4]", b"(;", b"x", b"\n" * 70]


@given(st.lists(st.sampled_from(NEAR), max_size=60).map(b"".join), st.integers(1, 200))
@example(b"(;GM[1]" + b"[" + b"(;GM[1]B[aa" * 300, 1)
@settings(max_examples=150, deadline=None)
def test_games_do_not_depend_on_how_the_bytes_arrive(data: bytes, size: int) -> None:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(split_games(pieces)) == list(split_games([data]))


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz"])
@given(at=st.integers(0, 10_000), byte=st.integers(0, 255), keep=st.integers(0, 10_000))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_archive_gives_games_and_reasons_only(
    tmp_path: Path, name: str, at: int, byte: int, keep: int
) -> None:
    make = make_zip if name.endswith("zip") else make_tar
    data = bytearray(make(tmp_path / name, {"1.sgf": ONE, "2.sgf": TWO}).read_bytes())
    data[at % len(data)] = byte
    (tmp_path / name).write_bytes(data[: keep % len(data) or None])
    for record in read_games([tmp_path / name]):
        assert isinstance(record, Game) or record.reason in REASONS
