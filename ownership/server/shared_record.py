"""Records that the page gives away: as they were opened, with the reader's lines, comments, marks and terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from game_records.game_record import GameRecord
from game_records.node_marks import drop_marks, set_marks
from game_records.sgf_grammar import SgfNode, escape_value
from game_records.sgf_tree import SgfTree, main_line_by_ply, read_tree, write_tree
from game_records.variations import add_line, node_after
from goban.coords import BLACK, WHITE, colour_letter, sgf_name
from goban.move_notation import IndexedMove
from ownership.review.write_analysis import with_own_comment

_UNKNOWN = ("", "?")  # results


@dataclass(frozen=True)
class AddedLine:
    """A line of moves of the reader, or the game itself.

    Attributes:
        after: moves of the game that come before it.
        moves: those after them.
        territory: the points of each colour to mark at its end; None for the marks that are there.
        comments: by the number of moves before, each in place of the one that is there.
        marks: by the number of moves before, values by SGF names such as TR, each in place of those that are there.
    """

    after: int
    moves: tuple[IndexedMove, ...]
    territory: Mapping[int, tuple[int, ...]] | None = None
    comments: Mapping[int, str] = field(default_factory=dict)
    marks: Mapping[int, Mapping[str, list[str]]] = field(default_factory=dict)


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
        for ply, text in line.comments.items():
            _comment(_nodes_at(tree, game.side, line, ply), text)
        for ply, marks in line.marks.items():
            _mark_points(_nodes_at(tree, game.side, line, ply), marks)
    root = tree.nodes[0]
    if sharing.rules is not None:
        root["RU"] = [sharing.rules]
    if sharing.komi is not None:
        root["KM"] = [f"{sharing.komi + 0.0:.12g}"]
    if sharing.result and game.result.text in _UNKNOWN:
        root["RE"] = [escape_value(sharing.result)]
    return write_tree(tree)


def _nodes_at(tree: SgfTree, side: int, line: AddedLine, ply: int) -> list[SgfNode]:
    """Return the nodes of the main line that show the position after some moves, or the one of the line that does."""
    last = node_after(tree, min(ply, line.after))
    if ply > line.after:
        return [tree.nodes[add_line(tree, side, last, line.moves[: ply - line.after])]]
    return [tree.nodes[number] for played, number in main_line_by_ply(tree) if played == ply]


def _comment(nodes: list[SgfNode], text: str) -> None:
    """Comment on a position; all its nodes lose their comments but the last."""
    for node in nodes:
        with_own_comment(node, "")
    with_own_comment(nodes[-1], text)


def _mark_points(nodes: list[SgfNode], marks: Mapping[str, list[str]]) -> None:
    """Mark points of a position; all its nodes lose their marks, but those that an analysis added."""
    for node in nodes:
        drop_marks(node)
    set_marks(nodes[-1], marks)


def _mark(node: SgfNode, side: int, territory: Mapping[int, tuple[int, ...]]) -> None:
    for name, colour in (("TB", BLACK), ("TW", WHITE)):
        node.pop(name, None)
        if points := territory.get(colour):
            node[name] = [sgf_name(point, side) for point in points]
