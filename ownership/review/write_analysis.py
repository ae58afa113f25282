"""A review in the record of its game, for programs that show and edit records."""

import base64
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from game_records.sgf_grammar import SgfNode, escape_value
from game_records.sgf_tree import (
    add_variation,
    drop_variations,
    nodes_by_ply,
    read_tree,
    write_tree,
)
from goban.coords import BLACK, EMPTY, WHITE, colour_letter, pass_point, sgf_name
from ownership.katago_protocol.answer import move_info, root_info, without_zero
from ownership.review.move_losses import ReviewedMove, largest_mistakes
from ownership.review.review_text import MOST_MISTAKES, comment
from ownership.review.searched_positions import ReviewedPosition
from ownership.scoring.scored_game import ScoredGame

_LETTERS: Final = "ABC"
_MARKS: Final = ("LB", "TB", "TW", "MA")
_OURS: Final = "OWN"  # lists the properties of a node that a user may set as well, but did not
_EARLIER: Final = re.compile(r"(?:\A|\n\n)Analysis with [0-9]+ visits:\n.*\Z", re.DOTALL)
_KATRAIN_VERSION: Final = "1.0"  # of the format of KT, the value of KTV at the root
_MOST_MOVES: Final = 8  # of KT, as all below
_LINE_LENGTH: Final = 10
_STEP: Final = 1 / 64  # of ownership; exact as a half-precision float
_LEAST: Final = 1 / 1024  # of ownership
_LEAST_CHANCE: Final = 0.0005


def is_reviewed(data: bytes) -> bool:
    """Return whether a record has the review of some position."""
    return any(_EARLIER.search(node.get("C", [""])[0]) for node in nodes_by_ply(read_tree(data)).values())


def with_own_comment(node: SgfNode, text: str) -> None:
    """Set the comment of a node, all but what an analysis has added to it; an empty one drops it."""
    analysis = _EARLIER.search(node.pop("C", [""])[0])
    own = escape_value(_EARLIER.sub("", text))
    said = [part for part in (own, analysis and analysis.group().lstrip("\n")) if part]
    if said:
        node["C"] = ["\n\n".join(said)]


def reviewed_record(data: bytes, positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> bytes:
    """Return a record with its review, in UTF-8; all else in the record stays.

    Each position has a comment, SBKV and SBKS (Black's win rate in percent and lead, as Sabaki writes them), V (the
    lead) and KT (KaTrain's analysis), and the best three moves marked A to C. The largest mistakes are hotspots (HO),
    each with the better line as a variation. At the end of the game, territory and dead stones are marked. A comment is
    added after that of the record; its marks stay where it has any. An earlier analysis is replaced.

    Args:
        data: the record as SGF.
        positions: those that were searched.
        moves: those between them.
    """
    tree, head = read_tree(data), f"Analysis with {max(position.visits for position in positions)} visits:\n"
    drop_variations(tree, lambda node: _EARLIER.match(node.get("C", [""])[0]) is not None)
    nodes, game = nodes_by_ply(tree), positions[0].game
    said_about = {move.number: move for move in moves if not _only_ends(move, game)}
    tree.nodes[0]["KTV"] = [_KATRAIN_VERSION]
    for position in positions:
        if position.move in nodes:
            said = escape_value(head + comment(position, said_about.get(position.move)))
            _annotate(nodes[position.move], position, said)
    side = positions[0].scored.game.side
    for move in largest_mistakes(moves, MOST_MISTAKES):
        if "HO" not in nodes[move.number]:
            _mark(nodes[move.number], {"HO": ["1"]})
        said = escape_value(f"{head}Better by {move.lost:.1f} points.")
        add_variation(tree, move.number, _variation(move, side, said))
    return write_tree(tree)


def _only_ends(move: ReviewedMove, game: GameRecord) -> bool:
    """Return whether a move is one of the passes that end a game, and no mistake."""
    passes = game.move_points[move.number - 1 :] == pass_point(game.side)
    return bool(passes.all()) and (move.is_noise or move.is_best)


def _annotate(node: SgfNode, position: ReviewedPosition, said: str) -> None:
    for name in node.pop(_OURS, ()):
        node.pop(name, None)
    own = _EARLIER.sub("", node.get("C", [""])[0])
    node["C"] = [own + "\n\n" + said if own else said]
    node["SBKV"] = [_number(100 * position.wins_for(BLACK))]
    node["SBKS"] = node["V"] = [_number(position.score)]
    node["KT"] = _katrain_values(position)
    if not any(name in node for name in _MARKS):
        _mark(node, _marks(position))


def _mark(node: SgfNode, marks: Mapping[str, list[str]]) -> None:
    """Set properties that a user may set as well, and remember that they are not the user's."""
    if marks:
        node.update(marks)
        node[_OURS] = [*node.get(_OURS, ()), *marks]


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:g}"


def _marks(position: ReviewedPosition) -> Mapping[str, list[str]]:
    """Return the best three moves, or at the end of the game the territory and the dead stones."""
    scored, side = position.scored, position.scored.position.side
    if scored.move == len(scored.game.move_points):
        return _territory(scored)
    assert position.search is not None
    points = [move.point for move in position.search.moves if move.point < side * side]
    labels = [f"{sgf_name(point, side)}:{letter}" for point, letter in zip(points, _LETTERS, strict=False)]
    return {"LB": labels} if labels else {}


def _territory(scored: ScoredGame) -> Mapping[str, list[str]]:
    """Return the marks of both players' territory and of the dead stones."""
    answer, side = scored.estimate, scored.position.side
    free = (scored.position.stones == EMPTY) | answer.dead
    masks = {"TB": free & (answer.owner == BLACK), "TW": free & (answer.owner == WHITE), "MA": answer.dead}
    points = {name: np.flatnonzero(mask).tolist() for name, mask in masks.items()}
    return {name: [sgf_name(point, side) for point in found] for name, found in points.items() if found}


def _variation(move: ReviewedMove, side: int, said: str) -> list[SgfNode]:
    colours = cycle((move.colour, -move.colour))
    played = zip(colours, move.best.line, strict=False)
    nodes = [{colour_letter(colour): [sgf_name(point, side)]} for colour, point in played]
    nodes[0]["C"] = [said]
    return nodes


def _katrain_values(position: ReviewedPosition) -> list[str]:
    """Return the values of KT: ownership, policy, and moves with the position's own numbers, compressed.

    Source: `analysis_dumps` and `load_analysis` in KaTrain 1.17, katrain/core/game_node.py.
    """
    ownership = without_zero(np.round(position.ownership / _STEP) * _STEP, _LEAST)
    legal = position.scored.position.legal_points(suicide=position.scored.estimate.terms.ruleset.suicide)
    policy = np.where(position.policy >= _LEAST_CHANCE, position.policy, 0)
    rest = json.dumps(_analysis(position), separators=(",", ":")).encode()
    packed = (_halves(ownership), _halves(np.where(legal, policy, -1)), rest)
    return [base64.standard_b64encode(gzip.compress(part, mtime=0)).decode() for part in packed]


def _halves(values: NDArray[np.floating]) -> bytes:
    return values.astype("<f2").tobytes()


def _analysis(position: ReviewedPosition) -> dict[str, Any]:
    board, search = position.scored.position, position.search
    if search is None:
        root = {"winrate": position.wins_for(BLACK), "scoreLead": position.score, "visits": 1}
        return {"moves": {}, "root": root, "completed": True}
    best = enumerate(search.moves[:_MOST_MOVES])
    infos = [move_info(move, order, board, BLACK, _LINE_LENGTH) for order, move in best]
    return {"moves": {info["move"]: info for info in infos}, "root": root_info(board, search, BLACK), "completed": True}
