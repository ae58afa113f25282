"""The protocol, without any Go."""

import itertools
import os
import time
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.errors import InputError
from gogui_plugin.gtp import (
    LONGEST_COMMAND,
    Command,
    Handler,
    InputLine,
    LineReader,
    LineSplitter,
    Server,
    parse_command,
)
from tests.support.waiting import PATIENCE


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", Command("", "name", "")),
        ("  name  ", Command("", "name", "")),
        ("12 play b  Q16 ", Command("12", "play", "b  Q16")),
        ("007 name", Command("007", "name", "")),
        ("9" * 5000 + " name", Command("9" * 5000, "name", "")),
        ("play\tb\tq16", Command("", "play", "b q16")),
        ("na\x00me\x07\r", Command("", "name", "")),
        ("name # comment", Command("", "name", "")),
        ("name#comment", Command("", "name", "")),
        ("12", Command("12", "", "")),
        ("-1 name", Command("", "-1", "name")),
        ("", None),
        ("   \t ", None),
        ("# only a comment", None),
        ("\x0b\x1b", None),
    ],
)
def test_parse(line: str, command: Command | None) -> None:
    assert parse_command(line) == command


def test_arguments_are_words_in_the_given_number() -> None:
    assert Command("", "play", "b  Q16").take(2) == ("b", "Q16")
    with pytest.raises(InputError, match=r"expected 1 argument\. Received: 2"):
        Command("", "komi", "1 2").take(1)


def _fail(_: Command) -> str:
    raise InputError("expected\nanother\n\nthing")


def _break(_: Command) -> str:
    raise KeyError("surprise")


def _missing_file(_: Command) -> str:
    raise FileNotFoundError(2, "No such file or directory", "game.sgf")


def _lines(_: Command) -> Iterator[str]:
    yield "one"
    yield "two"


def _lines_that_break(_: Command) -> Iterator[str]:
    yield "one"
    raise KeyError("surprise")


HANDLERS: dict[str, Handler] = {
    "echo": lambda command: command.text,
    "gaps": lambda _: "\nfirst\n\n\nlast\n\n",
    "nothing": lambda _: "",
    "umlaut": lambda _: "J\u00e4ger",
    "fail": _fail,
    "break": _break,
    "missing": _missing_file,
    "lines": _lines,
    "half": _lines_that_break,
}


def serve(data: bytes) -> bytes:
    """Return the answers of a server of HANDLERS to `data`, which must fit into a pipe."""
    source, target = os.pipe(), os.pipe()
    os.write(source[1], data)
    os.close(source[1])
    Server(HANDLERS, LineReader(source[0]), target[1]).run()
    os.close(target[1])
    answer = b"".join(iter(lambda: os.read(target[0], 1 << 16), b""))
    for descriptor in (source[0], target[0]):
        os.close(descriptor)
    return answer


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"echo a b\n", b"= a b\n\n"),
        (b"5 echo a\n", b"=5 a\n\n"),
        (b"nothing\n", b"= \n\n"),
        (b"echo without a newline", b"= without a newline\n\n"),
        (b"echo a\r\necho b\r\n", b"= a\n\n= b\n\n"),
        (b"\n\n# comment\n  \n3 echo a\n", b"=3 a\n\n"),
        (b"foo\n", b"? unknown command\n\n"),
        (b"5 foo\n", b"?5 unknown command\n\n"),
        (b"5\n", b"?5 unknown command\n\n"),
        (b"ECHO a\n", b"? unknown command\n\n"),
        (b"gaps\n", b"= \nfirst\n \n \nlast\n\n"),
        (b"fail\n", b"? expected another thing\n\n"),
        (b"missing\n", b"? game.sgf: No such file or directory\n\n"),
        (b"2 break\n", b"?2 internal error: KeyError: 'surprise'\n\n"),
        (b"2 lines\n", b"=2\none\ntwo\n\n"),
        (b"2 half\necho a\n", b"=2\none\n\n= a\n\n"),
        (b"umlaut\n", b"= J?ger\n\n"),
        (b"echo \xff\xfe\xc3\xa4\n", b"= ???\n\n"),
        (b"known_command echo\nknown_command foo\n", b"= true\n\n= false\n\n"),
        (b"protocol_version\n", b"= 2\n\n"),
        (b"1 quit\n2 echo a\n", b"=1 \n\n"),
        (b"", b""),
        (
            b"list_commands\n",
            b"= protocol_version\nbreak\necho\nfail\ngaps\nhalf\nknown_command\nlines\nlist_commands\nmissing\n"
            b"nothing\nquit\numlaut\n\n",
        ),
    ],
)
def test_transcript(data: bytes, answer: bytes) -> None:
    assert serve(data) == answer


def test_an_internal_error_leaves_a_traceback_on_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    serve(b"break\n")
    assert "Traceback" in capfd.readouterr().err


REFUSED = b"? expected a line of at most 65536 bytes\n\n"


def serve_in_parts(parts: Sequence[bytes]) -> bytes:
    """Return the answers of a server of HANDLERS to data that arrives in parts."""
    source, target = os.pipe(), os.pipe()
    lines = LineReader(source[0])
    for part in parts:
        os.write(source[1], part)
    os.close(source[1])
    Server(HANDLERS, lines, target[1]).run()
    os.close(target[1])
    answer = os.read(target[0], 1 << 16)
    for descriptor in (source[0], target[0]):
        os.close(descriptor)
    return answer


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"nothing " + b"x" * LONGEST_COMMAND, REFUSED),
        (b"nothing " + b"x" * 4 * LONGEST_COMMAND, REFUSED),
        (b"7 nothing " + b"x" * LONGEST_COMMAND, b"?7" + REFUSED[1:]),
        (b"9" * LONGEST_COMMAND + b" nothing", REFUSED),
        (b" " * LONGEST_COMMAND + b"nothing", REFUSED),
        (b"nothing " + "\u56f2".encode() * (LONGEST_COMMAND // 3), REFUSED),
        (b"nothing " + "\u56f2".encode() * (LONGEST_COMMAND // 3 - 3), b"= \n\n"),
        (b"nothing " + b"x" * (LONGEST_COMMAND - 8), b"= \n\n"),
        (b"nothing " + b"x" * (LONGEST_COMMAND - 7), REFUSED),
        (b"# " + b"x" * LONGEST_COMMAND, b""),
    ],
    ids=["long", "endless", "id", "digits", "blanks", "characters", "short characters", "longest", "longer", "comment"],
)
@pytest.mark.parametrize("size", [1 << 12, 1 << 16])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_that_is_too_long_is_refused_whole(line: bytes, answer: bytes, size: int, end: bytes) -> None:
    data = line + end
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    assert serve_in_parts(parts) == answer
    if end:
        assert serve_in_parts([*parts, b"echo a\n"]) == answer + b"= a\n\n"


@given(
    st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")), max_size=5),
    st.lists(st.integers(1, 40), min_size=1, max_size=5),
)
def test_lines_are_the_same_however_they_arrive(wanted: list[bytes], sizes: list[int]) -> None:
    longest = 20
    data = b"".join(line + b"\n" for line in wanted)
    splitter, lines, start = LineSplitter(longest), list[InputLine](), 0
    for size in itertools.cycle(sizes):
        if start >= len(data):
            break
        lines += splitter.feed(data[start : start + size])
        start += size
    assert list(splitter.end()) == []
    assert [line.too_long for line in lines] == [len(line) > longest for line in wanted]
    for line, whole in zip(lines, wanted, strict=True):
        assert line.data == whole[:longest]


def test_an_endless_line_is_not_kept() -> None:
    splitter = LineSplitter()
    for _ in range(64):
        assert list(splitter.feed(b"x" * (1 << 16))) == []
    [line] = splitter.end()
    assert line.too_long
    assert len(line.data) < LONGEST_COMMAND


def test_a_flood_of_long_lines_stays_in_the_pipe() -> None:
    """A reader whose lines are not taken stops reading, long before memory is full."""
    source = os.pipe()
    LineReader(source[0])
    os.set_blocking(source[1], False)
    data, written, idle = b"x" * (LONGEST_COMMAND - 1) + b"\n", 0, 0
    while idle < 20 and written < 1 << 24:
        try:
            written += os.write(source[1], data)
            idle = 0
        except BlockingIOError:
            idle += 1
            time.sleep(0.01)
    assert written < 1 << 22
    os.set_blocking(source[1], True)
    os.close(source[1])


def test_a_closed_output_ends_the_server() -> None:
    source, target = os.pipe(), os.pipe()
    os.close(target[0])
    os.write(source[1], b"echo a\n")
    with pytest.raises(BrokenPipeError):
        Server(HANDLERS, LineReader(source[0]), target[1]).run()


def test_a_busy_engine_obeys_interrupts_but_not_earlier_ones() -> None:
    source = os.pipe()
    lines = LineReader(source[0])
    assert not lines.wait(0)
    os.write(source[1], b"one\n")
    assert lines.wait(PATIENCE)
    assert not lines.interrupted()
    os.write(source[1], b"# interrupt\n")
    os.close(source[1])
    assert lines.next() == InputLine(b"one")
    assert lines.wait(PATIENCE)
    while not lines.interrupted():
        pass
    assert lines.next() == InputLine(b"# interrupt")
    assert not lines.interrupted()
    assert lines.next() is None
    lines.interrupt()
    assert lines.interrupted()
    assert lines.next() is None
    assert not lines.interrupted()
