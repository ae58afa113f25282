"""A game as a GTP client builds it up: immutable, so that a command that fails has changed nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from goban.coords import pass_point
from goban.game import DEFAULT_RULES
from goban.position import IllegalMove, Position
from goban.rulesets import RULESETS, Ruleset
from gogui_plugin.gtp import GtpError
from ownership.players import Move, Turn
from preprocessing.records.game import GameRecord, Result


@dataclass(frozen=True, eq=False)
class GameState:
    """Everything that commands about the board change.

    positions: the set-up, then the position after each move. moves: (colour, flat index) each. handicap: stones
    that Black was given.
    """

    positions: tuple[Position, ...]
    moves: tuple[Move, ...] = ()
    komi: float = 6.5
    ruleset: Ruleset = RULESETS[DEFAULT_RULES]
    handicap: int = 0

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def side(self) -> int:
        """The board side."""
        return self.position.side

    @property
    def ended(self) -> bool:
        """Whether the last two moves were passes."""
        last = [point for _, point in self.moves[-2:]]
        return last == [pass_point(self.side)] * 2

    def cleared(self, side: int | None = None) -> "GameState":
        """Return an empty board with the same komi and rules; raise InputError for a side outside 2..25."""
        return replace(self, positions=(Position.empty(self.side if side is None else side),), moves=(), handicap=0)

    def play(self, colour: int, point: int) -> "GameState":
        """Return the state after a move or a pass; raise IllegalMove for what the rules of the game forbid."""
        position = self.position.play(point, colour, suicide=self.ruleset.suicide)
        if self.ruleset.superko and point != pass_point(self.side) and self._repeats(position):
            raise IllegalMove(point, colour, self.side, "it repeats an earlier position")
        return replace(self, positions=(*self.positions, position), moves=(*self.moves, (colour, point)))

    def play_all(self, moves: Iterable[Move]) -> "GameState":
        """Return the state after several moves; raise IllegalMove."""
        state = self
        for colour, point in moves:
            state = state.play(colour, point)
        return state

    def legal_points(self, colour: int) -> list[int]:
        """Return the flat indices of the legal moves, passing excepted."""
        legal = self.position.legal_moves(colour, suicide=self.ruleset.suicide)[:-1]
        return [point for point in np.flatnonzero(legal).tolist() if self._is_new(colour, point)]

    def undo(self, count: int = 1) -> "GameState":
        """Return the state before the last moves; raise GtpError if there are not so many."""
        if not 0 <= count <= len(self.moves):
            raise GtpError(f"cannot undo: expected 0..{len(self.moves)} moves to take back. Received: {count}")
        kept = len(self.moves) - count
        return replace(self, positions=self.positions[: kept + 1], moves=self.moves[:kept])

    def with_setup(self, stones: Mapping[int, int], to_move: int, handicap: int = 0) -> "GameState":
        """Return a game that begins here with more stones, by flat index; raise InputError without liberties."""
        board = self.position.stones.ravel().copy()
        for point, colour in stones.items():
            board[point] = colour
        position = Position.from_stones(board.reshape(self.side, self.side), to_move, prisoners=self.position.prisoners)
        return replace(self, positions=(position,), moves=(), handicap=handicap)

    def with_player(self, colour: int) -> "GameState":
        """Return the state with that colour to move."""
        if colour == self.position.to_move:
            return self
        position = Position.from_stones(
            self.position.stones, colour, prisoners=self.position.prisoners, recent=self.position.recent
        )
        return replace(self, positions=(*self.positions[:-1], position))

    def turn(self, colour: int | None = None) -> Turn:
        """Return what a player has to know to move, for the side to move or another colour."""
        state = self if colour is None else self.with_player(colour)
        earlier = frozenset(position.hash for position in self.positions)
        return Turn(
            state.position,
            earlier,
            len(self.moves),
            self.ruleset,
            self.komi,
            self.handicap,
            start=self.positions[0],
            moves=self.moves,
        )

    def as_game(self, result: Result) -> GameRecord:
        """Return the game as a record."""
        start = self.positions[0]
        colours, points = zip(*self.moves, strict=True) if self.moves else ((), ())
        return GameRecord(
            source="GTP",
            side=self.side,
            setup=start.stones.ravel(),
            to_move=start.to_move,
            moves=np.array(points, np.int16),
            colours=np.array(colours, np.int8),
            komi=self.komi,
            handicap=self.handicap,
            rules=self.ruleset.name if self.ruleset.name in RULESETS else "",
            result=result,
        )

    def _is_new(self, colour: int, point: int) -> bool:
        if not self.ruleset.superko:
            return True
        return not self._repeats(self.position.play(point, colour, suicide=self.ruleset.suicide))

    def _repeats(self, position: Position) -> bool:
        return any(position.hash == earlier.hash for earlier in self.positions)


def from_record(game: GameRecord, plies: int, ruleset: Ruleset) -> GameState:
    """Return the state after `plies` moves of a record, under the record's rules or else `ruleset`."""
    positions = tuple(game.positions())[: plies + 1]
    moves = tuple(zip(game.colours[:plies].tolist(), game.moves[:plies].tolist(), strict=True))
    rules = RULESETS[game.rules] if game.rules else ruleset
    return GameState(positions, moves, game.komi, rules, game.handicap)
