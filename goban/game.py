"""A game in progress: positions, moves, rules and how it may end."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goban.coords import colour_name, gtp_name, pass_point
from goban.errors import InputError, as_whole, plural, shown
from goban.move_notation import Colour, IndexedMove, Move, Vertex, as_colour, named_moves
from goban.position import IllegalMove, Position
from goban.rulesets import DEFAULT_KOMI, DEFAULT_RULES, RULESETS, Ruleset, Terms, as_ruleset, require_komi


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """A game in progress, never changed once made: `play` and `undo` return another game.

    ```
    game = Game.empty(9, ruleset="chinese", komi=7.0)
    game = game.play("E5").play("pass")
    ```

    Attributes:
        positions: the position at the start, then the one after each move.
        indexed_moves: the moves played, as colours and flat indices, N*N for a pass.
        ruleset: decides suicide and superko.
        komi: points for White.
        handicap: stones that Black was given.
    """

    positions: tuple[Position, ...]
    indexed_moves: tuple[IndexedMove, ...] = ()
    ruleset: Ruleset = RULESETS[DEFAULT_RULES]
    komi: float = DEFAULT_KOMI
    handicap: int = 0

    @classmethod
    def empty(cls, side: int, *, ruleset: Ruleset | str = DEFAULT_RULES, komi: float = DEFAULT_KOMI) -> "Game":
        """Return a game on the empty board by a ruleset or one's name.

        Raises:
            InputError: a side outside 2..25, a komi that is not -400 to 400, or unknown rules.
            TypeError: an argument of another type.
        """
        require_komi(komi)
        return cls((Position.empty(side),), (), as_ruleset(ruleset), komi)

    def __repr__(self) -> str:
        """Return the board side, the number of moves, the side to move and the terms in one line."""
        turn = colour_name(self.position.to_move)
        return (
            f"<Game {self.side}x{self.side}, {plural(len(self.indexed_moves), 'move')}, {turn} to move, "
            f"{self.ruleset.name} rules, komi {self.komi:g}>"
        )

    def _repr_svg_(self) -> str:
        """Return the picture of the position now that Jupyter shows."""
        return self.position._repr_svg_()

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self.positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves played, as colours and vertices: `("B", "Q16")`, `("W", "pass")`."""
        return named_moves(self.indexed_moves, self.side)

    @property
    def side(self) -> int:
        """The board side."""
        return self.start.side

    @property
    def terms(self) -> Terms:
        """Rules, komi and handicap of the count."""
        return Terms(self.ruleset, self.komi, self.handicap)

    @cached_property
    def hashes(self) -> frozenset[int]:
        """The Zobrist hashes of all positions so far."""
        return frozenset(position.hash for position in self.positions)

    @property
    def ended(self) -> bool:
        """Whether the last two moves were passes."""
        return [point for _, point in self.indexed_moves[-2:]] == [pass_point(self.side)] * 2

    def play(self, vertex: Vertex, colour: Colour | None = None, *, superko: bool | None = None) -> "Game":
        """Return the game after a move or a pass.

        Args:
            vertex, colour: as for `Position.play`.
            superko: whether repeating an earlier position is illegal; by default as in the ruleset.

        Raises:
            IllegalMove: the rules forbid the move, as all do suicide of a single stone.
            InputError: no such colour or vertex.
            TypeError: a vertex of another type.
        """
        now = self.positions[-1]
        mover = now.to_move if colour is None else as_colour(colour)
        after = now.play(vertex, mover, suicide=self.ruleset.suicide)
        played = after.recent[0]
        if played != pass_point(now.side):
            if after.hash == now.hash:
                raise IllegalMove(played, mover, now.side, "it is suicide of a single stone")
            if self._checks(superko) and after.hash in self.hashes:
                raise IllegalMove(played, mover, now.side, "it repeats an earlier position")
        positions, moves = (*self.positions, after), (*self.indexed_moves, (mover, played))
        game = Game(positions, moves, self.ruleset, self.komi, self.handicap)  # `replace` takes longer
        if "hashes" in vars(self):  # else each move of a long game would collect all of them again
            vars(game)["hashes"] = self.hashes | {after.hash}
        return game

    def play_all(self, moves: Iterable[tuple[Colour, Vertex]], *, superko: bool | None = None) -> "Game":
        """Return the game after several moves, such as the `moves` of another game, as `play` does."""
        game = self
        for colour, vertex in moves:
            game = game.play(vertex, colour, superko=superko)
        return game

    def repeats(self, vertex: Vertex) -> bool:
        """Return whether a legal move of the side to move brings an earlier position back; a pass does not count."""
        after = self.position.play(vertex, suicide=True)
        return after.recent[0] != pass_point(self.side) and after.hash in self.hashes

    def legal_moves(self, colour: Colour | None = None) -> list[str]:
        """Return the vertices that `play` accepts of a colour, by default the side to move, the last being "pass"."""
        return [gtp_name(point, self.side) for point in np.flatnonzero(self.legal_points(colour)).tolist()]

    def legal_points(self, colour: Colour | None = None) -> NDArray[np.bool_]:
        """Return the same as bool (N*N + 1,) by flat index, as policies are, the pass last."""
        now, suicide = self.position, self.ruleset.suicide
        legal = now.legal_points(colour, suicide=suicide)
        checked = legal if self.ruleset.superko else legal & ~now.legal_points(colour)
        for point in np.flatnonzero(checked[:-1]).tolist():
            after = now.play(point, colour, suicide=suicide).hash
            legal[point] = after != now.hash and not (self.ruleset.superko and after in self.hashes)
        return legal

    def undo(self, count: int = 1) -> "Game":
        """Return the game before its last moves; raise InputError if there are not that many."""
        if not 0 <= (whole := as_whole("count", count)) <= len(self.indexed_moves):
            raise InputError(f"expected 0..{len(self.indexed_moves)} moves to take back. Received: {shown(whole)}")
        kept = len(self.indexed_moves) - count
        return replace(self, positions=self.positions[: kept + 1], indexed_moves=self.indexed_moves[:kept])

    def with_setup(self, stones: Mapping[int, int], to_move: int, handicap: int = 0) -> "Game":
        """Return a game that starts here with stones added, colours by flat index.

        Raises:
            InputError: a point off the board, no such colour, or a chain without liberties.
            TypeError: a point that is no whole number.
        """
        board = self.position.stones.ravel().tolist()
        for point, colour in stones.items():
            if not 0 <= (whole := as_whole("a point", point)) < len(board):
                raise InputError(f"expected points 0..{len(board) - 1}. Received: {shown(whole)}")
            board[point] = colour
        start = Position.from_stones(
            np.reshape(board, (self.side, self.side)), to_move, prisoners=self.position.prisoners
        )
        return replace(self, positions=(start,), indexed_moves=(), handicap=handicap)

    def with_player(self, colour: int) -> "Game":
        """Return the game with that colour to move."""
        now = self.position
        if colour == now.to_move:
            return self
        turned = Position.from_stones(now.stones, colour, prisoners=now.prisoners, recent=now.recent)
        return replace(self, positions=(*self.positions[:-1], turned))

    def _checks(self, superko: bool | None) -> bool:
        return self.ruleset.superko if superko is None else superko
