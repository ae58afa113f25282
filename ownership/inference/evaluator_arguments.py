"""Checks of the arguments of an evaluator: positions of one board side, their terms, and symmetries."""

from collections.abc import Iterable, Sequence

from goban.coords import SYMMETRIES
from goban.errors import InputError, plural, require_type, shown
from goban.position import Position
from goban.rulesets import Terms

_AVERAGED = (1, 4, 8)


def count_and_turns(symmetries: int | Sequence[int], positions: int) -> tuple[int, Sequence[int]]:
    """Return how many symmetries to average over, and the one in which each position is looked at, 0 as it is."""
    if not isinstance(symmetries, Iterable):
        check_symmetries(symmetries)
        return symmetries, [0] * positions
    turns = list(symmetries)
    if len(turns) != positions or not all(each in SYMMETRIES for each in turns):
        raise InputError(f"symmetries must be {plural(positions, 'number')} from 0 to 7. Received: {shown(turns)}")
    return 1, turns


def check_symmetries(symmetries: int) -> None:
    """Raise InputError for a number of symmetries that is not averaged over."""
    if isinstance(symmetries, bool) or symmetries not in _AVERAGED:
        raise InputError(f"symmetries must be 1, 4 or 8. Received: {shown(symmetries)}")


def check_positions(positions: Iterable[Position]) -> list[Position]:
    """Return positions as a list; raise TypeError unless all are of type Position."""
    require_type(Iterable, "a list of positions", positions)
    found = list(positions)
    for number, each in enumerate(found):
        if not isinstance(each, Position):
            raise TypeError(
                ("" if len(found) == 1 else f"positions[{number}]: ")
                + f"expected a Position, such as Position.from_stones(rows) makes. Received: {type(each).__name__}"
            )
    return found


def terms_of_each(terms: Terms | Sequence[Terms], count: int) -> Sequence[Terms]:
    """Return the terms of each position, given terms for all or for each; raise InputError or TypeError."""
    each_terms = [terms] * count if isinstance(terms, Terms) else terms
    if not isinstance(each_terms, Sequence) or not all(isinstance(each, Terms) for each in each_terms):
        raise TypeError(f"expected Terms(ruleset, komi), or a list of them. Received: {terms!r}")
    if len(each_terms) != count:
        raise InputError(f"expected terms for all, or for each of {count}. Received: {len(each_terms)}")
    return each_terms


def common_side(positions: Sequence[Position]) -> int:
    """Return the board side of positions; raise InputError where there is none or several, TypeError for others."""
    check_positions(positions)
    sides = {position.side for position in positions}
    if not sides:
        raise InputError("expected at least one position. Received: none")
    if len(sides) != 1:
        found = ", ".join(map(str, sorted(sides)))
        raise InputError(f"expected positions of one board side. Received: {found}; separate the sides")
    return sides.pop()
