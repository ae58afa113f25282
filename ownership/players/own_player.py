"""Players of a user's own, which take part under a name by an entry point."""

import inspect
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from goban.errors import InputError, naming
from goban.move_notation import Vertex, flat_index
from ownership.players.player_interface import RESIGN, Player, Turn
from runtime.entry_points import entry_names, load_entry

OWN_PLAYERS: Final = "ownership.players"
"""The group of entry points: each is called with the options of the player as text, and returns an `OwnPlayer`."""


class OwnPlayer(Protocol):
    """A player of your own.

    ```
    class Corner:
        def choose(self, turn, interrupted):
            return turn.game.legal_moves()[0]
    ```
    """

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> Vertex:
        """Return the move of the side to move: a vertex as for `Position.play`, or "resign".

        Args:
            turn: the game so far (`turn.game`, `turn.position`) and the mover's clock.
            interrupted: returns True once the answer is no longer wanted.
        """
        ...


class _OfPackage:
    """A player of a package among this project's own."""

    def __init__(self, name: str, player: OwnPlayer) -> None:
        self._name, self._player = name, player

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`. Raises InputError for what is no vertex."""
        chosen = self._player.choose(turn, interrupted)
        if isinstance(chosen, str) and chosen.strip().lower() == "resign":
            return RESIGN
        with naming(f"player {self._name}"):
            try:
                return flat_index(chosen, turn.game.side)
            except TypeError as error:
                raise InputError(str(error)) from None


def named_players() -> list[str]:
    """Return the names of the players of installed packages, sorted."""
    return entry_names(OWN_PLAYERS)


def find_player(name: str, options: Mapping[str, str]) -> Player | None:
    """Return the player of a package, made with its options; None if no package has one of that name.

    Raises:
        InputError: it cannot be imported, or takes other options.
    """
    make = load_entry(OWN_PLAYERS, name)
    if make is None:
        return None
    try:
        inspect.signature(make).bind(**options)
    except TypeError as error:
        raise InputError(f"player {name}: expected options that it takes. Received: {error}") from None
    return _OfPackage(name, make(**options))
