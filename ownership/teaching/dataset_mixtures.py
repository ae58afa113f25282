"""Mixtures of soft datasets: lists of commands that make games of all kinds of players and label their positions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True)
class Part:
    """Games of one kind, and how their positions are chosen.

    Attributes:
        name: of the folders of its games and labels.
        games: arguments of the command that makes the games; {records} stands for the datasets with records.
        teach: arguments of `ownership teach` that choose positions.
        count: games, which a scale multiplies.
        program: the program that it needs besides this package, if any.
    """

    name: str
    games: tuple[str, ...]
    teach: tuple[str, ...]
    count: int
    program: str | None = None

    @property
    def makes_records(self) -> bool:
        """Whether the games are records of a match, which `ownership prepare` makes a dataset of."""
        return self.games[0] == "match"


def _weak(side: int, count: int, every: int) -> Part:
    return Part(
        f"weak-{side}",
        ("selfplay", "--style", "weak", "--model", "fast", "--sides", str(side), "--seed", str(1000 + side)),
        ("--every", str(every), "--finished", "3"),
        count,
    )


def _match(name: str, players: tuple[str, str], side: int, count: int, opening: int) -> Part:
    places = ("--size", str(side), "--opening", str(opening), "--seed", str(2000 + side))
    return Part(
        f"{name}-{side}",
        ("match", *players, *places, "--referee", "fast", "--no-comments", "--jobs", "2"),
        ("--every", "7", "--finished", "4"),
        count,
        players[0].split()[0],
    )


def _gnugo(level: int) -> str:
    return f"gnugo --mode gtp --level {level} --chinese-rules --orientation {{orientation}}"


def _pachi(playouts: int) -> str:
    return f"pachi -d 0 --nodcnn -t ={playouts} threads=1,resign_threshold=0"


_PATTERNS: Final = "pachi -d 0 --nodcnn -e pattern"
_EVERYDAY: Final = (
    _weak(9, 6000, 6),
    _weak(13, 6000, 9),
    _weak(19, 8000, 12),
    Part(
        "after-mistakes",
        ("selfplay", "--style", "weak", "--model", "fast", "--seed", "1000", "{records}"),
        ("--every", "12", "--finished", "3"),
        6000,
    ),
    Part(
        "sparse",
        ("selfplay", "--style", "sparse", "--model", "fast", "--seed", "1001", "{records}"),
        ("--every", "1", "--finished", "1"),
        3000,
    ),
    _match("gnugo", (_gnugo(0), _gnugo(3)), 9, 1500, 6),
    _match("gnugo", (_gnugo(0), _gnugo(4)), 13, 800, 8),
    _match("gnugo", (_gnugo(0), _gnugo(2)), 19, 400, 12),
    _match("pachi", (_pachi(500), _gnugo(0)), 9, 1000, 4),
    _match("pachi", (_pachi(600), _pachi(500)), 13, 300, 6),
    _match("patterns", (_PATTERNS, _gnugo(1)), 9, 500, 4),
    _match("patterns", (_PATTERNS, "policy:temperature=1"), 19, 200, 8),
)

MIXTURES: Final[Mapping[str, tuple[Part, ...]]] = MappingProxyType({"everyday": _EVERYDAY})
"""Mixtures by name. `everyday`: what all kinds of players do, about a million positions."""


def steps(
    parts: tuple[Part, ...], output: str, records: tuple[str, ...], teacher: tuple[str, ...], scale: float = 1.0
) -> Iterator[tuple[Part, tuple[str, ...]]]:
    """Yield the commands that make a mixture, arguments of `ownership`, each with the part that it is for.

    Args:
        parts: of the mixture.
        output: the folder; `games` in it gets games, `labels` a soft dataset for each part.
        records: datasets of records, as `ownership prepare` makes them.
        teacher: arguments of `ownership teach` that name the teacher.
        scale: of the number of games; at least one game is played.
    """
    for part in parts:
        games, dataset = f"{output}/games/{part.name}", f"{output}/games/{part.name}"
        count = max(1, round(part.count * scale))
        named = [each for word in part.games for each in (records if word == "{records}" else (word,))]
        yield part, (*named, "--games", str(count), "--output", games)
        if part.makes_records:
            dataset = f"{output}/games/{part.name}-dataset"
            yield part, ("prepare", f"{games}/games", "--scorer", "model", "--output", dataset)
        chosen = ("--further", "0", *part.teach, *teacher)
        yield part, ("teach", dataset, *chosen, "--output", f"{output}/labels/{part.name}")
