"""A match on disk: its conditions, a line for every game, and the games."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any, Final

from goban.coords import BLACK, WHITE
from goban.errors import InputError, check_fields, fields_of, parse_object, shown
from ownership.match.match_conditions import Conditions
from ownership.match.match_game import Ending, PlayedGame
from ownership.match.pairings import Pairing
from runtime.safe_writing import check_writable, replacing

_RANGES: Final = dict.fromkeys(("first", "second", "number", "moves", "seconds", "longest", "thought"), (0, inf))


@dataclass(frozen=True)
class GameResult:
    """A game in the results of a match.

    Attributes:
        first, second, number: of the game's `Pairing`.
        winner: 1 if Black won, -1 if White won, 0 for a draw or a void game.
        ending, result, detail: how the game ended, its SGF result, and what went wrong.
        moves: how many were played.
        seconds: that (Black, White) needed for all moves.
        longest: seconds that (Black, White) needed for one move at most.
        thought: how many moves (Black, White) chose.
        id: a hash of the moves.
    """

    first: int
    second: int
    number: int
    winner: int
    ending: str
    result: str
    detail: str
    moves: int
    seconds: tuple[float, float]
    longest: tuple[float, float]
    thought: tuple[int, int]
    id: str

    def __post_init__(self) -> None:
        """Check every field."""
        check_fields(self, _RANGES, {"winner": (-1, 0, 1), "ending": [str(each) for each in Ending]})

    @property
    def pairing(self) -> Pairing:
        """Which game it is."""
        return Pairing(self.first, self.second, self.number)

    @classmethod
    def of(cls, pairing: Pairing, played: PlayedGame) -> "GameResult":
        """Return the result of a game."""
        black, white = played.times[BLACK], played.times[WHITE]
        return cls(
            first=pairing.first,
            second=pairing.second,
            number=pairing.number,
            winner=played.game.result.winner,
            ending=played.ending,
            result=played.game.result.text,
            detail=played.detail,
            moves=len(played.game.move_points),
            seconds=(round(sum(black), 3), round(sum(white), 3)),
            longest=(round(max(black, default=0.0), 3), round(max(white, default=0.0), 3)),
            thought=(len(black), len(white)),
            id=played.game.id,
        )


class MatchFolder:
    """The folder of a match: `match.json`, `results.jsonl` and `games/`."""

    def __init__(self, path: Path, players: Sequence[str], conditions: Conditions, referee: str) -> None:
        """Make or open the folder.

        Raises:
            InputError: it holds another match, or a broken `match.json`.
            OSError: it cannot be written to.
        """
        self._games, self._results = path / "games", path / "results.jsonl"
        self._players = len(players)
        settings = {"players": list(players), "referee": referee, **conditions.to_dict()}
        described = path / "match.json"
        if described.exists():
            _check_same(described, settings)
        self._games.mkdir(parents=True, exist_ok=True)
        check_writable(self._results)
        check_writable(self._games / "game.sgf")
        if not described.exists():
            with replacing(described) as partial:
                partial.write_text(json.dumps(settings, indent=1) + "\n", "utf-8")

    def results(self) -> list[GameResult]:
        """Return the games so far; drop a line that was cut off when the match was killed, from the file too.

        Raises:
            InputError: a line is not one that `add` writes, or is about players that the match does not have.
        """
        if not self._results.exists():
            return []
        *lines, rest = self._results.read_bytes().split(b"\n")
        if rest:
            with replacing(self._results) as partial:
                partial.write_bytes(b"".join(line + b"\n" for line in lines))
        found = []
        for number, line in enumerate(lines, 1):
            try:
                found.append(_parse_result(line, self._players))
            except InputError as error:
                remedy = "delete the line to play the game again"
                raise InputError(f"{self._results}: line {number}: {error}; {remedy}") from None
        return found

    def add(self, result: GameResult, sgf: bytes) -> None:
        """Keep a game: first its moves, then its line. Raises OSError, and then keeps nothing of the line."""
        name = f"{player_letter(result.first)}{player_letter(result.second)}-{result.number:04d}.sgf"
        with replacing(self._games / name) as partial:
            partial.write_bytes(sgf)
        _append(self._results, json.dumps(asdict(result)).encode() + b"\n")


def _append(path: Path, line: bytes) -> None:
    """Append a line to a file, all of it or nothing."""
    size = path.stat().st_size if path.exists() else 0
    try:
        with path.open("ab") as file:
            file.write(line)
    except OSError as error:
        with suppress(OSError):
            os.truncate(path, size)
        error.filename = str(path)  # a full disk does not say which file it has no room for
        raise


def player_letter(player: int) -> str:
    """Return the letter that stands for a player, by its number: A for 0."""
    return chr(ord("A") + player)


def _parse_result(line: bytes, players: int) -> GameResult:
    """Return the result of a game from its line; raise InputError for a line that `MatchFolder.add` does not write."""
    result = GameResult(**fields_of(GameResult, parse_object(line), "the result of a game"))
    if not result.first < result.second < players:
        raise InputError(
            f"expected first and second as two of the {players} players, counted from 0. "
            f"Received: {result.first} and {result.second}"
        )
    return result


def _check_same(path: Path, settings: dict[str, Any]) -> None:
    try:
        found = parse_object(path.read_bytes())
        for key, value in settings.items():
            if found.get(key) != value:
                raise InputError(f"holds another match: expected {key} {value}, found {shown(found.get(key))}")
    except InputError as error:
        raise InputError(f"{path}: {error}; choose another folder") from None


def games_that_count(results: Sequence[GameResult]) -> tuple[list[GameResult], int]:
    """Return the games that count, and the number of games that repeat another one.

    Void games do not count, nor does a game that repeats, move by move, another one of the same players with the same
    colours.
    """
    seen, kept, repeated = set[tuple[int, int, str]](), list[GameResult](), 0
    for result in sorted(results, key=lambda each: (each.first, each.second, each.number)):
        key = (result.pairing.black, result.pairing.white, result.id)
        if result.ending == Ending.UNDECIDED:
            continue
        if key in seen:
            repeated += 1
            continue
        seen.add(key)
        kept.append(result)
    return kept, repeated
