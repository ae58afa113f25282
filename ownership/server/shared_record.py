"""Records that the page gives away: as they were opened, with the reader's lines of moves, marks and terms."""

from collections.abc import Mapping
from dataclasses import dataclass

from game_records.game_record import GameRecord
from game_records.sgf_grammar import SgfNode, escape_value
from game_records.sgf_tree import read_tree, write_tree
from game_records.variations import add_line, node_after
from goban.coords import BLACK, WHITE, colour_letter, sgf_name
from goban.move_notation import IndexedMove

_UNKNOWN = ("", "?")  # results


@dataclass(frozen=True)
class AddedLine:
    """A line of moves of the reader, or the game itself.

    Attributes:
        after: moves of the game that come before it.
        moves: those after them.
        territory: the points of each colour to mark at its end; None for the marks that are there.
    """

    after: int
    moves: tuple[IndexedMove, ...]
    territory: Mapping[int, tuple[int, ...]] | None = None


@dataclass(frozen=True)
class Sharing:
    """What is added to a record; None, and an empty result, leave what is there.

    Attributes:
        lines: of the reader; the game stays the main line.
        rules, komi: that the reader chose.
        result: of the count, for a record without one.
        to_move: the colour to move in a position without moves.
    """

    lines: tuple[AddedLine, ...] = ()
    rules: str | None = None
    komi: float | None = None
    result: str = ""
    to_move: int | None = None


def shared_record(game: GameRecord, data: bytes, sharing: Sharing) -> bytes:
    """Return the record of a game with what is added, in UTF-8; all else in it stays.

    Args:
        game: of the record.
        data: the record as SGF.
        sharing: what is added.
    """
    tree = read_tree(data)
    if sharing.to_move not in (None, game.to_move) and not len(game.move_points):
        tree.nodes[node_after(tree, 0)]["PL"] = [colour_letter(sharing.to_move or BLACK)]
    for line in sharing.lines:
        end = add_line(tree, game.side, node_after(tree, line.after), line.moves)
        if line.territory is not None:
            _mark(tree.nodes[end], game.side, line.territory)
    root = tree.nodes[0]
    if sharing.rules is not None:
        root["RU"] = [sharing.rules]
    if sharing.komi is not None:
        root["KM"] = [f"{sharing.komi + 0.0:.12g}"]
    if sharing.result and game.result.text in _UNKNOWN:
        root["RE"] = [escape_value(sharing.result)]
    return write_tree(tree)


def _mark(node: SgfNode, side: int, territory: Mapping[int, tuple[int, ...]]) -> None:
    for name, colour in (("TB", BLACK), ("TW", WHITE)):
        node.pop(name, None)
        if points := territory.get(colour):
            node[name] = [sgf_name(point, side) for point in points]
