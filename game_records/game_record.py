"""A game record as the rest of the toolkit sees it.

Colours, points and flat indices follow `goban.coords`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from game_records.dates import parse_date
from game_records.game_identity import game_course, game_id
from game_records.result_property import Result
from game_records.sgf_grammar import SgfNode, escape_value
from game_records.sgf_tree import SgfTree, write_tree
from goban.coords import BLACK, WHITE, colour_letter, colour_name, sgf_name
from goban.errors import plural
from goban.game import Game
from goban.move_kernels import replay_to
from goban.move_notation import Move, named_moves
from goban.position import EARLIER_BOARDS, RECENT_MOVES, Position
from goban.rulesets import DEFAULT_RULES, RULESETS, Ruleset

HandicapSource = Literal["", "usual points", "first moves", "impossible number"]
IllegalReason = Literal["occupied", "ko", "off board"]

_ILLEGAL: Final[Mapping[IllegalReason, str]] = {
    "occupied": "the point is occupied",
    "ko": "the point is forbidden by ko",
    "off board": "no point of the board",
}
MAX_MOVES = 32_765  # so that a number of moves is an int16, also with two passes after them


def printable(text: str, kept: str = "") -> str:
    """Return `text` with everything that cannot be shown on a line, or stored as UTF-8, replaced by U+FFFD.

    `kept`: characters that stay, such as line feeds.
    """
    return text if text.isprintable() else "".join(c if c.isprintable() or c in kept else "\ufffd" for c in text)


@dataclass(frozen=True)
class RecordedIllegalMove:
    """A move of a record that the rules forbid.

    Attributes:
        number: of the move, from 1.
        colour: BLACK or WHITE.
        vertex: where, as in GTP; for "off board" what is written.
        reason: the point is "occupied", forbidden by "ko", or none of the board: "off board".
    """

    number: int
    colour: int
    vertex: str
    reason: IllegalReason

    def __str__(self) -> str:
        """Return the move and the reason, such as "move 3, White D4: the point is occupied"."""
        return f"move {self.number}, {colour_name(self.colour)} {self.vertex}: {_ILLEGAL[self.reason]}"


@dataclass(frozen=True, eq=False, repr=False)
class GameRecord:
    """One game record: its main line, every move legal (simple ko; suicide allowed).

    Attributes:
        source: where it comes from, such as "games/a.zip/b.sgf#12".
        side: of the board, 2..25.
        setup: int8 (side * side,), colours.
        to_move: colour of the first move.
        move_points: int16 (M,), flat indices of the moves, side * side for a pass.
        move_colours: int8 (M,), their colours.
        komi: points for White, 0 where the record names none.
        handicap: the record's number, 0 where it names none.
        rules: name of a ruleset of `goban.rulesets`, or "".
        result: how it ended.
        black, white, black_rank, white_rank, date, name: as written; `name` is the game's.
        komi_given: whether the record names a komi.
        handicap_from: where the handicap comes from if the record leaves it open: stones on the "usual points" although
            it places none, or Black's "first moves" although it names no handicap; "impossible number" for none at all,
            although it names one; else "".
        territory: int8 (side * side,), 1 for the points of TB after the last move, -1 for those of TW, or None.
        comments: by the number of moves played before them, some lines each.
        broken_off: whether the record breaks off, as an incomplete download does, or has an illegal move, so that moves
            may be missing.
        unclosed: whether it breaks off behind a whole property, so that only its last parentheses may be missing.
        illegal_move: the move before which the game therefore ends, or None.
        prisoners: of Black and of White, before the first move.
        notes: a line on each kind of thing in the record that was skipped, or read in another way than it is written.
    """

    source: str
    side: int
    setup: NDArray[np.int8]
    to_move: int
    move_points: NDArray[np.int16]
    move_colours: NDArray[np.int8]
    komi: float
    handicap: int
    rules: str
    result: Result
    black: str = ""
    white: str = ""
    black_rank: str = ""
    white_rank: str = ""
    date: str = ""
    name: str = ""
    komi_given: bool = True
    handicap_from: HandicapSource = ""
    territory: NDArray[np.int8] | None = None
    comments: Mapping[int, str] = field(default_factory=dict)
    broken_off: bool = False
    unclosed: bool = False
    illegal_move: RecordedIllegalMove | None = None
    prisoners: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = ()

    @classmethod
    def of_game(cls, game: Game, source: str, result: Result, *, black: str = "", white: str = "") -> "GameRecord":
        """Return the record of a game in progress.

        Args:
            game: the game; rules that are none of RULESETS become "".
            source: where it comes from.
            result: how it ended.
            black: the player's name.
            white: the player's name.
        """
        colours, points = zip(*game.indexed_moves, strict=True) if game.indexed_moves else ((), ())
        return cls(
            source=source,
            side=game.side,
            setup=game.start.stones.ravel().copy(),  # kernels are compiled for arrays that can be written
            to_move=game.start.to_move,
            move_points=np.array(points, np.int16),
            move_colours=np.array(colours, np.int8),
            komi=game.komi,
            handicap=game.handicap,
            rules=game.ruleset.name if game.ruleset.name in RULESETS else "",
            result=result,
            black=black,
            white=white,
        )

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves as colours and vertices: `("B", "Q16")`, `("W", "pass")`."""
        return named_moves(zip(self.move_colours.tolist(), self.move_points.tolist(), strict=True), self.side)

    @property
    def year(self) -> int | None:
        """The year of the game, None where the record names none."""
        date = parse_date(self.date)
        return date[0] if date else None

    @property
    def shows_count(self) -> bool:
        """Whether the last position may be the one that players counted: there is a score, and no move is missing."""
        return self.result.score is not None and not self.broken_off

    @property
    def moves_before_passes(self) -> int:
        """How many moves there are without the passes at the end."""
        stones = np.flatnonzero(self.move_points < self.side**2)
        return int(stones[-1]) + 1 if len(stones) else 0

    def __repr__(self) -> str:
        """Return the source, the board side, the number of moves and the result in one line."""
        result = f", {self.result.text}" if self.result.text else ""
        return f"<GameRecord {self.source}: {self.side}x{self.side}, {plural(len(self.move_points), 'move')}{result}>"

    def _repr_svg_(self) -> str:
        """Return the picture of the last position that Jupyter shows."""
        return self.position()._repr_svg_()

    def player(self, colour: int) -> str:
        """Return a player's name and rank, "Black" or "White" for one without a name."""
        name, rank = (self.black, self.black_rank) if colour == BLACK else (self.white, self.white_rank)
        return f"{name or colour_name(colour)} {rank}".strip()

    def as_game(self, plies: int | None = None, ruleset: Ruleset | None = None) -> Game:
        """Return the game after some moves of the record, to be played on.

        Args:
            plies: moves, 0..M, by default all.
            ruleset: for a record that names none; by default DEFAULT_RULES.
        """
        count = len(self.move_points) if plies is None else plies
        positions = tuple(islice(self.positions(), count + 1))
        moves = tuple(zip(self.move_colours[:count].tolist(), self.move_points[:count].tolist(), strict=True))
        rules = RULESETS[self.rules] if self.rules else ruleset or RULESETS[DEFAULT_RULES]
        return Game(positions, moves, rules, self.komi, self.handicap)

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits that name this side, set-up and moves; names and result do not matter."""
        return game_id(self.side, self.setup, self.move_points, self.move_colours)

    @property
    def opening(self) -> str:
        """16 hexadecimal digits that name this side and its first stones, one for every 8 points, from whichever side.

        Set-up stones come first, passes do not count, nor does the order of these stones. So copies of a game share
        it: turned, mirrored, cut off, played on, without passes, or with first moves as set-up stones.
        """
        return self.course[0]

    @cached_property
    def course(self) -> tuple[str, bytes]:
        """The opening, and the codes of the stones played after it, seen from the same side.

        Two copies of a game have the same codes, or the codes of one begin with the codes of the other.
        """
        return game_course(self.side, self.setup, self.move_points, self.move_colours)

    def positions(self) -> Iterator[Position]:
        """Yield the position before the first move, then the one after each move."""
        position = Position.from_stones(
            self.setup.reshape(self.side, self.side), self.to_move, prisoners=self.prisoners
        )
        yield position
        for point, colour in zip(self.move_points.tolist(), self.move_colours.tolist(), strict=True):
            position = position.play(point, colour, suicide=True)
            yield position

    def position(self, ply: int | None = None) -> Position:
        """Return the position after `ply` moves (0..M, by default all); raise IndexError for another number."""
        plies = len(self.move_points) if ply is None else ply
        if not 0 <= plies <= len(self.move_points):
            raise IndexError(f"ply must be 0..{len(self.move_points)}. Received: {plies}")
        start = max(0, plies - EARLIER_BOARDS)
        moves, colours = self.move_points[:start], self.move_colours[:start]
        stones, ko, by_black, by_white = replay_to(self.side, self.setup, moves, colours, start)
        position = Position.from_stones(
            stones.reshape(self.side, self.side),
            -int(colours[-1]) if start else self.to_move,
            ko=ko,
            prisoners=(self.prisoners[0] + by_black, self.prisoners[1] + by_white),
            recent=tuple(moves[: -RECENT_MOVES - 1 : -1].tolist()),
        )
        for point, colour in zip(
            self.move_points[start:plies].tolist(), self.move_colours[start:plies].tolist(), strict=True
        ):
            position = position.play(point, colour, suicide=True)
        return position

    def to_sgf(self) -> bytes:
        """Return the game as SGF in UTF-8: set-up, moves, players, komi, handicap, rules and result."""
        root = {name: [escape_value(text)] for name, text in self._header().items() if text}
        for name, colour in (("AB", BLACK), ("AW", WHITE)):
            points = np.flatnonzero(self.setup == colour).tolist()
            if points:
                root[name] = [sgf_name(point, self.side) for point in points]
        return write_tree(SgfTree.of_line([root, *self._nodes()]))

    def _header(self) -> dict[str, str]:
        return {
            "GM": "1",
            "FF": "4",
            "CA": "UTF-8",
            "SZ": str(self.side),
            "KM": f"{self.komi:g}",
            "HA": str(self.handicap),
            "PL": colour_letter(self.to_move),
            "RU": self.rules,
            "RE": self.result.text,
            "PB": self.black,
            "PW": self.white,
            "BR": self.black_rank,
            "WR": self.white_rank,
            "DT": self.date,
            "GN": self.name,
        }

    def _nodes(self) -> Iterator[SgfNode]:
        for point, colour in zip(self.move_points.tolist(), self.move_colours.tolist(), strict=True):
            yield {colour_letter(colour): [sgf_name(point, self.side)]}
