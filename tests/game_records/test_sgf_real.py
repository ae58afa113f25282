"""Records of real servers, and the examples that come with the project."""

from collections import Counter
from itertools import islice

import pytest

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.record_sources import read_games
from tests.support.paths import EXAMPLES, REAL_GAMES

real = pytest.mark.skipif(not REAL_GAMES.is_dir(), reason=f"no folder of real games at {REAL_GAMES}")

EXPECTED = [
    ("finished-19x19.sgf", 19, "japanese", 6.5, "counted"),
    ("finished-9x9.sgf", 9, "chinese", 7.0, "counted"),
    ("middlegame-19x19.sgf", 19, "chinese", 7.5, "unknown"),
]


@pytest.mark.parametrize(("name", "side", "rules", "komi", "kind"), EXPECTED)
def test_examples(name: str, side: int, rules: str, komi: float, kind: str) -> None:
    (game,) = read_games([EXAMPLES / name])
    assert isinstance(game, GameRecord)
    assert (game.side, game.rules, game.komi, game.result.kind) == (side, rules, komi, kind)
    passes = (game.move_points[-2:] == side * side).all()
    assert passes == (kind == "counted") and len(game.move_points) > 30


@real
@pytest.mark.parametrize("name", sorted(path.name for path in REAL_GAMES.glob("*.zip") if path.name != "fox-pro.zip"))
def test_the_first_games_of_every_clean_archive(name: str) -> None:
    for record in islice(read_games([REAL_GAMES / name]), 25):
        assert isinstance(record, GameRecord), record
        assert record.rules and record.komi >= 5 and record.result.kind != "unknown"
        assert record.result.kind in ("resign", "time", "forfeit") or "resigned" not in name


@real
def test_the_first_games_of_the_archive_with_blemishes() -> None:
    records = list(islice(read_games([REAL_GAMES / "fox-pro.zip"]), 250))
    games = [record for record in records if isinstance(record, GameRecord)]
    assert len(games) >= 245
    assert all(game.black and game.black_rank for game in games)


@real
@pytest.mark.long
def test_the_whole_archive_with_blemishes() -> None:
    counts = Counter(
        record.reason
        if isinstance(record, BadRecord)
        else "illegal move"
        if record.illegal_move
        else record.result.kind
        for record in read_games([REAL_GAMES / "fox-pro.zip"])
    )
    assert counts == {
        "resign": 9087,
        "counted": 775,
        "unknown": 379,
        "draw": 105,
        "illegal move": 2,
    }
