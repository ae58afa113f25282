"""The player that repeats a record."""

from collections.abc import Callable
from dataclasses import dataclass

from game_records.game_record import GameRecord
from goban.coords import colour_name, pass_point
from goban.errors import InputError, plural
from ownership.players.player_interface import RESIGN, Turn


@dataclass(frozen=True)
class ReplayPlayer:
    """A player of the moves of a record; after its end it passes, or resigns for the player who did.

    Attributes:
        game: the record.
    """

    game: GameRecord

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the record's next move; raise InputError if the position is not the record's."""
        game, plies, mover = self.game, turn.plies, turn.position.to_move
        side = turn.position.side
        if game.side != side:
            raise InputError(f"expected the record's board side, {game.side}. Received: {side}; set the board size")
        if plies > len(game.move_points) or game.position(plies).hash != turn.position.hash:
            raise InputError(
                f"expected the record's position after {plural(plies, 'move')}. Received: another; clear the board"
            )
        if plies == len(game.move_points):
            lost = game.result.kind == "resign" and game.result.winner == -mover
            return RESIGN if lost else pass_point(side)
        if int(game.move_colours[plies]) != mover:
            raise InputError(f"expected the colour of the record's move {plies + 1}. Received: {colour_name(mover)}")
        return int(game.move_points[plies])
