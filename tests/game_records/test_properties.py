"""Results, komi, ranks and dates as servers write them."""

from typing import Any

import pytest

from game_records.dates import Date, date_name, parse_date
from game_records.komi import parse_komi
from game_records.rank_property import parse_rank, rank_name
from game_records.result_property import Result, parse_result
from goban.coords import BLACK, WHITE

RESULTS: list[tuple[str, int, str, float | None]] = [
    ("B+8.5", BLACK, "counted", 8.5),
    ("W+8,5", WHITE, "counted", 8.5),
    ("b+3", BLACK, "counted", 3.0),
    ("W+.5", WHITE, "counted", 0.5),
    ("B+12.00", BLACK, "counted", 12.0),
    ("W+0.25", WHITE, "counted", 0.5),
    ("B+2.75", BLACK, "counted", 5.5),
    ("White wins by 3.5", WHITE, "counted", 3.5),
    ("白胜 3.5", WHITE, "counted", 3.5),
    ("白3目半胜", WHITE, "counted", 3.5),
    ("黒半目勝", BLACK, "counted", 0.5),
    ("黑胜2又1/4子", BLACK, "counted", 4.5),
    ("黑胜3/4子", BLACK, "counted", 1.5),
    ("흑 3집반승", BLACK, "counted", 3.5),
    ("黒三目半勝ち", BLACK, "counted", 3.5),
    ("黑胜四分之三子", BLACK, "counted", 1.5),
    ("白十二目半胜", WHITE, "unknown", None),
    ("黑胜３．５目", BLACK, "counted", 3.5),
    ("B+3½", BLACK, "counted", 3.5),
    ("W+½", WHITE, "counted", 0.5),
    ("B+R", BLACK, "resign", None),
    ("W+Resign", WHITE, "resign", None),
    ("B+Resignation", BLACK, "resign", None),
    ("Black wins by resignation", BLACK, "resign", None),
    ("黑中盘胜", BLACK, "resign", None),
    ("白番中押し勝ち", WHITE, "resign", None),
    ("White resigns", BLACK, "resign", None),
    ("Black resigned.", WHITE, "resign", None),
    ("W+Resigned", WHITE, "resign", None),
    ("白认输", BLACK, "resign", None),
    ("黒番投了", WHITE, "resign", None),
    ("黑中盘胜（白负）", BLACK, "resign", None),
    ("B+R (W lost)", BLACK, "resign", None),
    ("백 불계승", WHITE, "resign", None),
    ("W+T", WHITE, "time", None),
    ("B+Time", BLACK, "time", None),
    ("白超时负", BLACK, "time", None),
    ("White ran out of time", BLACK, "time", None),
    ("Black lost on time", WHITE, "time", None),
    ("Black forfeits", WHITE, "forfeit", None),
    ("B+F", BLACK, "forfeit", None),
    ("W+Forfeit", WHITE, "forfeit", None),
    ("Draw", 0, "draw", None),
    ("draw", 0, "draw", None),
    ("0", 0, "draw", None),
    ("Jigo", 0, "draw", None),
    ("和棋", 0, "draw", None),
    ("Void", 0, "void", None),
    ("无胜负", 0, "void", None),
    ("", 0, "unknown", None),
    ("?", 0, "unknown", None),
    ("Bob wins", 0, "unknown", None),
    ("W+", WHITE, "unknown", None),
    ("W+0.0", WHITE, "unknown", None),
    ("B+0.02", BLACK, "unknown", None),
    ("B+99999", BLACK, "unknown", None),
    ("B+150", BLACK, "counted", 150.0),
    ("257手完, 黒中押し勝ち", BLACK, "resign", None),
    ("211手、白番3目半勝", WHITE, "counted", 3.5),
    ("250 moves. White wins by 2.5", WHITE, "counted", 2.5),
    ("黑中盘胜(现场消息)", BLACK, "resign", None),
    ("W+3\ufffd\ufffd", WHITE, "unknown", None),
    ("B+3\xcc\xda\xc8\xbe", BLACK, "unknown", None),
]

KOMI = [
    ("6.5", 6.5),
    ("6,5", 6.5),
    ("6.50", 6.5),
    (" 7 ", 7.0),
    ("0", 0.0),
    ("-5.5", -5.5),
    (".5", 0.5),
    ("6.5目", 6.5),
    ("6目半", 6.5),
    ("六目半", 6.5),
    ("十二目半", None),
    ("６．５", 6.5),
    ("6½", 6.5),
    ("三又四分之三子", 7.5),
    ("6 1/2", 6.5),
    ("半目", 0.5),
    ("3又3/4子", 7.5),
    ("2 3/4子", 5.5),
    ("3.75子", 7.5),
    ("7.5点", 7.5),
    ("650", 6.5),
    ("750", 7.5),
    ("375", 7.5),
    ("3.75", 7.5),
    ("325", 6.5),
    ("2.75", 5.5),
    ("-375", -7.5),
    ("", None),
    ("none", None),
    ("黒6目半", 6.5),
    ("黑贴3又3/4子", 7.5),
    ("6집반", 6.5),
    ("덤 6집반", 6.5),
    ("6\ufffd\ufffd", None),
    ("6\xcc\xda\xc8\xbe", None),
    ("6\x96\xda\x94\xbc", None),
    ("nan", None),
    ("99999999", None),
]

RANKS = [
    ("9d", 9),
    ("1d", 1),
    ("1k", 0),
    ("30k", -29),
    ("6D", 6),
    ("4d?", 4),
    ("4d*", 4),
    ("7k+", -6),
    ("9段", 9),
    ("P9段", 18),
    ("P1段", 10),
    ("18级", -17),
    ("18級", -17),
    ("18급", -17),
    ("7단", 7),
    ("10段", 9),
    ("初段", 1),
    ("三级", -2),
    ("プロ九段", 18),
    ("职业九段", 18),
    ("业余6段", 6),
    ("1p", 10),
    ("9P", 18),
    ("9 dan pro", 18),
    ("Professional 3 dan", 12),
    ("amateur 5 dan", 5),
    ("3rd dan", 3),
    ("2 kyu", -1),
    ("", None),
    ("?", None),
    ("-", None),
    ("NR", None),
    ("9", None),
    ("2100", None),
    ("0d", None),
    ("0k", None),
    ("99d", None),
    ("6.3k", None),
    ("9 days", None),
    ("Honinbo", None),
]

DATES: list[tuple[str, Date | None]] = [
    ("2010-02-01", (2010, 2, 1)),
    ("2010-02-01,02", (2010, 2, 1)),
    ("2010-02-01 12:00", (2010, 2, 1)),
    ("2010-02-01T12:00:00", (2010, 2, 1)),
    ("2010/2/1", (2010, 2, 1)),
    ("2010.12.31", (2010, 12, 31)),
    ("2010年2月1日", (2010, 2, 1)),
    ("20100201", (2010, 2, 1)),
    ("2010-02", (2010, 2)),
    ("2010-02-00", (2010, 2)),
    ("2010", (2010,)),
    ("2010-13-01", (2010,)),
    ("Feb 1 2010", (2010,)),
    ("published 1975-05", (1975, 5)),
    ("", None),
    ("0000-00-00", None),
    ("10-02-01", None),
    ("1423456789", None),
    ("yesterday", None),
]


@pytest.mark.parametrize(("text", "winner", "kind", "margin"), RESULTS)
def test_results_as_servers_write_them(text: str, winner: int, kind: Any, margin: float | None) -> None:
    assert parse_result(text) == Result(winner, margin, kind, text)


@pytest.mark.parametrize("text", ["B+1e9", "W+1e1", "B+nan", "B+inf"])
def test_a_margin_is_a_plain_number(text: str) -> None:
    assert parse_result(text).margin is None


@pytest.mark.parametrize(("text", "komi"), KOMI)
def test_komi_as_servers_write_it(text: str, komi: float | None) -> None:
    assert parse_komi(text) == komi


@pytest.mark.parametrize(("text", "rank"), RANKS)
def test_ranks_as_servers_write_them(text: str, rank: int | None) -> None:
    assert parse_rank(text) == rank


@pytest.mark.parametrize("rank", range(-29, 19))
def test_a_rank_and_its_name(rank: int) -> None:
    assert parse_rank(rank_name(rank)) == rank


@pytest.mark.parametrize(("text", "date"), DATES)
def test_dates_as_records_write_them(text: str, date: Date | None) -> None:
    assert parse_date(text) == date


@pytest.mark.parametrize("date", [(2010,), (2010, 2), (2010, 2, 1), (1999, 12, 31)])
def test_a_date_and_its_name(date: Date) -> None:
    assert parse_date(date_name(date)) == date
