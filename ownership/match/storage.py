"""A match on disk: its conditions, a line for every game, and the games."""

import json
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from goban.coords import BLACK, WHITE
from goban.errors import InputError
from ownership.match.conditions import Conditions, Pairing
from ownership.match.game import Ending, PlayedGame


@dataclass(frozen=True)
class GameResult:
    """The result of a game, as one line of `results.jsonl`.

    Attributes:
        first, second, number: its `Pairing`.
        winner: 1 if Black won, -1 if White did, 0 for a draw or a void game.
        ending: how it ended, an `Ending`.
        result: as in SGF.
        detail: what went wrong.
        moves: how many there were.
        seconds, longest, thought: of (Black, White), as in `PlayedGame`.
        id: hash of the moves.
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

    @property
    def pairing(self) -> Pairing:
        """Which game it is."""
        return Pairing(self.first, self.second, self.number)

    @classmethod
    def of(cls, pairing: Pairing, played: PlayedGame) -> "GameResult":
        """Return the result of a game."""
        return cls(
            first=pairing.first,
            second=pairing.second,
            number=pairing.number,
            winner=played.winner,
            ending=played.ending,
            result=played.game.result.text,
            detail=played.detail,
            moves=len(played.game.moves),
            seconds=(round(played.seconds[BLACK], 3), round(played.seconds[WHITE], 3)),
            longest=(round(played.longest[BLACK], 3), round(played.longest[WHITE], 3)),
            thought=(played.thought[BLACK], played.thought[WHITE]),
            id=played.game.id,
        )


class MatchFolder:
    """The folder of a match: `match.json`, `results.jsonl` and `games/`. Any number of threads may add games."""

    def __init__(self, path: Path, players: Sequence[str], conditions: Conditions, referee: str) -> None:
        """Make or open the folder; raise InputError if another match is there."""
        self._path = path
        self._lock = threading.Lock()
        settings = {"players": list(players), "referee": referee, **conditions.to_dict()}
        (path / "games").mkdir(parents=True, exist_ok=True)
        described = path / "match.json"
        if described.exists():
            _check_same(path, json.loads(described.read_text("utf-8")), settings)
        else:
            described.write_text(json.dumps(settings, indent=1) + "\n", "utf-8")

    def results(self) -> list[GameResult]:
        """Return the games so far; a line that was cut off when the match was killed is dropped, from the file too."""
        path = self._path / "results.jsonl"
        if not path.exists():
            return []
        lines = path.read_bytes().split(b"\n")
        if lines[-1]:
            path.write_bytes(b"".join(line + b"\n" for line in lines[:-1]))
        return [GameResult(**_tuples(json.loads(line))) for line in lines[:-1]]

    def add(self, result: GameResult, sgf: bytes) -> None:
        """Keep a game: first its moves, then its line."""
        name = f"{player_letter(result.first)}{player_letter(result.second)}-{result.number:04d}.sgf"
        (self._path / "games" / name).write_bytes(sgf)
        with self._lock, (self._path / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result)) + "\n")


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


def player_letter(player: int) -> str:
    """Return the letter that stands for a player, by its number: A for 0."""
    return chr(ord("A") + player)


def _check_same(path: Path, found: dict[str, Any], settings: dict[str, Any]) -> None:
    for key, value in settings.items():
        if found.get(key) != value:
            raise InputError(
                f"{path}: holds another match: expected {key} {value}, found {found.get(key)}; choose another folder"
            )


def counted(results: Sequence[GameResult]) -> tuple[list[GameResult], int]:
    """Return the games that count, and how many repeat others, move by move, of the same players.

    Void games do not count; nor does a game that two players have played before with the same colours.
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
