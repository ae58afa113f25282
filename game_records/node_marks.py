"""Marks on the points of the positions of a record."""

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from game_records.game_record import printable
from game_records.record_errors import Fault
from game_records.sgf_grammar import SgfNode, escape_value, plain_text
from game_records.sgf_main_line import areas
from goban.coords import CoordinateError, gtp_name, gtp_names, parse_sgf, sgf_name

SHAPES: Final = ("CR", "SQ", "TR", "MA")
LABELS: Final = "LB"
_OF_ANALYSIS: Final = "OWN"  # lists the properties of a node that an analysis added
LONGEST_LABEL: Final = 3  # characters
_MAX_LABELS: Final = 625

Marks = dict[str, list[str] | list[tuple[str, str]]]
"""By SGF name, the vertices of marks, and of labels pairs of a vertex and a text."""


def marks(nodes: Iterable[tuple[int, SgfNode]], side: int) -> dict[int, Marks]:
    """Return the marks on positions, of nodes with the number of moves before; those of an analysis are left out."""
    found: dict[int, Marks] = {}
    for played, node in nodes:
        own = {name: values for name, values in node.items() if name not in node.get(_OF_ANALYSIS, ())}
        shapes: Marks = {name: _vertices(own[name], side) for name in SHAPES if name in own}
        if LABELS in own:
            shapes[LABELS] = _labels(own[LABELS], side)
        if shapes := {name: points for name, points in shapes.items() if points}:
            found[played] = found.get(played, {}) | shapes
    return found


def drop_marks(node: SgfNode) -> None:
    """Drop the marks of a node; those of an analysis stay."""
    for name in (*SHAPES, LABELS):
        if name not in node.get(_OF_ANALYSIS, ()):
            node.pop(name, None)


def set_marks(node: SgfNode, marks: Mapping[str, list[str]]) -> None:
    """Set marks of a node, values by their SGF names; they take the place of those of an analysis."""
    node.update({name: values for name, values in marks.items() if values})
    if _OF_ANALYSIS in node:
        node[_OF_ANALYSIS] = [name for name in node[_OF_ANALYSIS] if not marks.get(name)]
        if not node[_OF_ANALYSIS]:
            del node[_OF_ANALYSIS]


def label_value(point: int, text: str, side: int) -> str:
    """Return the value of a label in SGF."""
    escaped = escape_value(text).replace(":", r"\:")
    return f"{sgf_name(point, side)}:{escaped}"


def _vertices(values: Iterable[str], side: int) -> list[str]:
    marked = np.zeros((side, side), np.bool_)
    for value in dict.fromkeys(values):
        try:
            for area in areas([value], side):
                marked[area] = True
        except Fault:
            continue
    return gtp_names(marked)


def _labels(values: list[str], side: int) -> list[tuple[str, str]]:
    found = []
    for value in values[:_MAX_LABELS]:
        name, _, text = value.partition(":")
        try:
            point = parse_sgf(name.strip().lower(), side)
        except CoordinateError:
            continue
        if point < side * side and (said := printable(plain_text(text))[:LONGEST_LABEL].strip()):
            found.append((gtp_name(point, side), said))
    return found
