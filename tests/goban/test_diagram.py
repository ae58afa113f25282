"""Boards as text."""

import numpy as np
import pytest

from goban import text_diagram
from goban.errors import InputError

WITH_COORDINATES = """\
   A B C
 3 X . . 3
 2 . O . 2
 1 . . X 1
   A B C"""


@pytest.mark.parametrize(
    "text",
    [
        WITH_COORDINATES,
        "X../.O./..X",
        "X . .\n. O .\n. . X\n",
        "\n  3 X..\n  2 .O.\n  1 ..X\n    A B C\n\n",
    ],
)
def test_parse(text: str) -> None:
    stones = text_diagram.parse_diagram(text)
    assert stones.tolist() == [[1, 0, 0], [0, -1, 0], [0, 0, 1]]
    assert stones.dtype == np.int8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X.. / .?. / ...", r"'\?' in '\.\?\.'"),
        ("x.. / ... / ...", "'x'"),
        ("X.. / ..", "2 points in each of 2 rows"),
        ("XX / XX / ..", "3 points"),
        ("", r"2\.\.25 rows in a diagram\. Received: 0"),
        ("X", "Received: 1"),
    ],
)
def test_anything_else_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        text_diagram.parse_diagram(text)


def test_render() -> None:
    assert text_diagram.render_text(text_diagram.parse_diagram("X../.O./..X")) == WITH_COORDINATES


def test_render_with_marks_and_without_coordinates() -> None:
    stones = text_diagram.parse_diagram("X../.O./..X")
    assert text_diagram.render_text(stones, marks={4: "o", 8: "#"}, coordinates=False) == "X . .\n. o .\n. . #"


@pytest.mark.parametrize("side", [2, 9, 10, 19, 25])
def test_parse_undoes_render(side: int) -> None:
    stones = np.random.default_rng(side).integers(-1, 2, (side, side)).astype(np.int8)
    assert (text_diagram.parse_diagram(text_diagram.render_text(stones)) == stones).all()
