"""Comments and marks of nodes, by the position that they stand for."""

from game_records.node_comments import comments
from game_records.node_marks import marks
from game_records.sgf_tree import main_line_by_ply, read_tree
from game_records.variations import variations

RECORD = rb"""(;SZ[5]C[root]CR[aa][zz]LB[aa:1][bb:long\]][cc][tt:x](;B[cc]SQ[aa:bb];C[no move]TR[ee]
(;W[dd]MA[ab]C[game])(;W[bb]C[first](;B[aa]C[a])(;B[ab]C[b]LB[ac:A]OWN[LB])))(;B[ee]C[other]))"""


def test_marks_and_comments_of_the_main_line_stand_by_move() -> None:
    tree = read_tree(RECORD)
    nodes = [(ply, tree.nodes[number]) for ply, number in main_line_by_ply(tree)]
    assert comments(nodes) == {0: "root", 1: "no move", 2: "game"}
    assert marks(nodes, 5) == {
        0: {"CR": ["A5"], "LB": [("A5", "1"), ("B4", "lon")]},
        1: {"SQ": ["A5", "B5", "A4", "B4"], "TR": ["E1"]},
        2: {"MA": ["A4"]},
    }


def test_what_variations_share_is_said_once() -> None:
    found = [(line.after, comments(line.nodes), marks(line.nodes, 5)) for line in variations(read_tree(RECORD), 5)]
    assert found == [(0, {1: "other"}, {}), (1, {2: "first", 3: "a"}, {}), (1, {3: "b"}, {})]
