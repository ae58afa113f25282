"""Comments on the positions of a record."""

from collections.abc import Iterable
from typing import Final

from game_records.game_record import printable
from game_records.sgf_grammar import SgfNode, plain_text

_MAX_COMMENT: Final = 2_000  # characters


def comments(nodes: Iterable[tuple[int, SgfNode]]) -> dict[int, str]:
    """Return the comments on positions, at most 2,000 characters each, of nodes with the number of moves before."""
    found: dict[int, str] = {}
    for played, node in nodes:
        before = found.get(played, "")
        if "C" in node and len(before) < _MAX_COMMENT:
            said = plain_text(node["C"][0][: 2 * _MAX_COMMENT]).strip()
            text = "\n".join(part for part in (before, said) if part)
            found[played] = printable(text[:_MAX_COMMENT], kept="\n")
    return found
