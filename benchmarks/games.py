"""The games that benchmarks read: real games next to the repository if there are any, else the examples."""

from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from game_records.game_record import GameRecord
from game_records.record_sources import read_games
from goban.errors import InputError
from goban.position import Position

ROOT: Final = Path(__file__).parents[1]
EXAMPLES: Final = ROOT / "examples"
FINISHED: Final = EXAMPLES / "finished-19x19.sgf"
MIDDLEGAME: Final = EXAMPLES / "middlegame-19x19.sgf"
SMALL: Final = EXAMPLES / "finished-9x9.sgf"
_REAL: Final = ROOT.parent / "shared" / "games"


def add_games(parser: ArgumentParser, real: str) -> None:
    """Declare the argument `files`: records to read, by default an archive of real games, or the examples."""
    default = _REAL / real if (_REAL / real).exists() else EXAMPLES
    parser.add_argument("files", nargs="*", type=Path, default=[default], help="game records (default: %(default)s)")


def read(files: Sequence[Path], limit: int) -> list[GameRecord]:
    """Return the first `limit` games of files, without bad records; raise InputError if there are none."""
    games = [game for game in islice(read_games(files), limit) if isinstance(game, GameRecord)]
    if not games:
        raise InputError(f"expected game records. Received: none in {', '.join(map(str, files))}")
    return games


def position_of(path: Path, ply: int) -> Position:
    """Return the position of a file's first game after `ply` moves."""
    return read([path], 1)[0].position(ply)


def last_positions(count: int = 64) -> list[Position]:
    """Return the last positions of a real game on 19x19."""
    return list(read([FINISHED], 1)[0].positions())[-count:]
