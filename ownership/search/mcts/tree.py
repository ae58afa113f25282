"""The tree of a search in flat arrays: what a node holds, and where its moves, priors and ownership are.

A node is a row of `SearchTree.nodes`, 0 being the root; a parent comes before its children. Its moves become nodes in
the order of their priors; the node names the next one. Which moves there are is found out at the second visit, since
most nodes have no other. All values are Black's. The ownership of each position is kept as it was evaluated:
averages are computed on request, in one pass, and cost the search nothing.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from goban.array_types import Int8, Int16, Int32
from goban.board_kernels import Board, new_board
from goban.position import EARLIER_BOARDS, RECENT_MOVES, Position

PENDING, EVALUATED, EXPANDED, ENDED = 0, 1, 2, 3  # states of a node: EXPANDED ones know their moves; ENDED: two passes
NONE: Final = -1
PRIOR_UNIT: Final = 65535  # priors are kept as shares of it
OWNERSHIP_UNIT: Final = 127

_FIELDS: Final = np.dtype(
    [
        ("hash", np.uint64),  # Zobrist hash of the stones
        ("value", np.float64),  # sums over all visits, by their share (`TreeOptions.value_weighting`): value,
        ("value_squared", np.float64),
        ("wins", np.float64),  # probability of winning,
        ("wins_squared", np.float64),
        ("score", np.float64),  # expected points,
        ("score_squared", np.float64),  # and their second moment
        ("rave_value", np.float64),  # sum over the rollouts below its parent in which its mover played its move first
        ("own_value", np.float32),  # value, probability and points of the position itself
        ("own_wins", np.float32),
        ("own_score", np.float32),
        ("own_deviation", np.float32),
        ("best", np.float32),  # value of the best child, or its own as long as it has none; see `TreeOptions.minimax`
        ("prior", np.float32),
        ("visited_policy", np.float32),  # sum of the priors of its children
        ("next_prior", np.float32),
        ("visits", np.int32),
        ("rave_visits", np.int32),  # their number
        ("own_visits", np.int32),  # those that ended here: one, more only after two passes
        ("virtual_losses", np.int32),  # one for each visit that waits for an evaluation
        ("parent", np.int32),
        ("first_child", np.int32),
        ("next_sibling", np.int32),
        ("next_move", np.int16),  # the likeliest move that was not tried, or NONE
        ("move", np.int16),  # that led here
        ("ko", np.int16),
        ("ply", np.int16),  # from the root
        ("to_move", np.int8),
        ("passes", np.int8),  # how many of the last moves were passes
        ("state", np.int8),
    ],
    align=True,
)
NODE: Final = np.dtype((np.record, _FIELDS))  # whose rows have attributes, for kernels

Nodes = npt.NDArray[Any]  # of NODE
_Uint16 = npt.NDArray[np.uint16]
_Uint64 = npt.NDArray[np.uint64]


class SearchTree(NamedTuple):
    """A tree for boards of side N, with room for M nodes.

    Memory is taken as nodes are made, not before: pages that were never written cost nothing.

    Attributes:
        nodes: NODE (M,).
        priors: uint16 (M, N*N + 1), of moves that were not tried, in PRIOR_UNIT; 0 where there is none.
        ownership: int8 (M, N*N), of each position as it was evaluated, in OWNERSHIP_UNIT, +1 Black.
        used: int64 (1,), nodes in use.
        root: the board at the root.
        scratch: another one, on which lines are played.
        prisoners: int64 (2,), stones captured by Black and by White at the root.
        earlier: uint64, sorted hashes of the positions before the root, which may not come back.
        forbidden: int16 (2, N*N + 1), the ply up to which Black (0) and White (1) may not make a move.
    """

    nodes: Nodes
    priors: _Uint16
    ownership: Int8
    used: npt.NDArray[np.int64]
    root: Board
    scratch: Board
    prisoners: npt.NDArray[np.int64]
    earlier: _Uint64
    forbidden: Int16


class Leaves(NamedTuple):
    """Nodes that wait for an evaluation, up to B of them, with the positions that are to be evaluated.

    Attributes:
        nodes: int32 (B,).
        collided: int32 (B,), nodes that wait already and that a selection came to.
        stones: int8 (B, N*N).
        before: int8 (B, 2, N*N), the stones before the last move and before the one before that.
        recent: int16 (B, RECENT_MOVES), the last moves since the root, newest first.
        made: int64 (B,), how many moves were made since the root.
        prisoners: int64 (B, 2), captured by Black and by White.
    """

    nodes: Int32
    collided: Int32
    stones: Int8
    before: Int8
    recent: Int16
    made: npt.NDArray[np.int64]
    prisoners: npt.NDArray[np.int64]


def new_tree(position: Position, room: int, earlier: frozenset[int], forbidden: Int16 | None = None) -> SearchTree:
    """Return a tree of the root alone, which is not evaluated.

    Args:
        position: at the root, of side N.
        room: nodes, at most.
        earlier: hashes of positions that may not come back.
        forbidden: int16 (2, N*N + 1), as in `SearchTree`; None forbids nothing.
    """
    side = position.side
    points = side * side
    tree = SearchTree(
        np.empty(room, NODE),
        np.empty((room, points + 1), np.uint16),
        np.empty((room, points), np.int8),
        np.array([1], np.int64),
        new_board(side, position.flat),
        new_board(side, position.flat),
        np.array(position.prisoners, np.int64),
        np.array(sorted(earlier - {position.hash}), np.uint64),
        np.zeros((2, points + 1), np.int16) if forbidden is None else forbidden,
    )
    root = np.zeros((), NODE)
    root["hash"], root["ko"], root["to_move"] = position.hash, position.ko, position.to_move
    root["passes"] = position.recent[:1] == (points,)
    root["parent"] = root["first_child"] = root["next_sibling"] = root["move"] = root["next_move"] = NONE
    tree.nodes[0] = root
    return tree


def new_leaves(side: int, batch: int) -> Leaves:
    """Return room for `batch` leaves on boards of a side."""
    points = side * side
    return Leaves(
        np.empty(batch, np.int32),
        np.empty(batch, np.int32),
        np.empty((batch, points), np.int8),
        np.empty((batch, EARLIER_BOARDS, points), np.int8),
        np.empty((batch, RECENT_MOVES), np.int16),
        np.empty(batch, np.int64),
        np.empty((batch, 2), np.int64),
    )
