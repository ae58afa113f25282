"""Where SGF, GTP and flat indices meet."""

import pytest

from goban import coords

# side, flat index, GTP, SGF
POINTS = [
    (19, 0, "A19", "aa"),
    (19, 18, "T19", "sa"),
    (19, 342, "A1", "as"),
    (19, 8, "J19", "ia"),
    (19, 361, "pass", ""),
    (9, 40, "E5", "ee"),
    (25, 24, "Z25", "ya"),
    (25, 623, "Y1", "xy"),
    (2, 3, "B1", "bb"),
]


@pytest.mark.parametrize(("side", "point", "gtp", "sgf"), POINTS)
def test_names(side: int, point: int, gtp: str, sgf: str) -> None:
    assert coords.gtp_name(point, side) == gtp
    assert coords.sgf_name(point, side) == sgf
    assert coords.parse_gtp(gtp.lower(), side) == coords.parse_gtp(f" {gtp} ", side) == point
    assert coords.parse_sgf(sgf, side) == point


@pytest.mark.parametrize("side", [2, 9, 19, 25])
def test_parsing_undoes_naming(side: int) -> None:
    for point in range(side * side + 1):
        assert coords.parse_gtp(coords.gtp_name(point, side), side) == point
        assert coords.parse_sgf(coords.sgf_name(point, side), side) == point


def test_tt_is_a_pass_up_to_19() -> None:
    assert coords.parse_sgf("tt", 19) == 361
    assert coords.parse_sgf("tt", 20) == 19 * 20 + 19


@pytest.mark.parametrize(
    "text", ["", "I5", "A0", "A20", "U1", "A", "5", "A1B", "A-1", "A٣", "A0099", "T00125", "A" + "1" * 5000]
)
def test_no_gtp_vertex(text: str) -> None:
    with pytest.raises(coords.CoordinateError, match=r"A1\.\.T19"):
        coords.parse_gtp(text, 19)


@pytest.mark.parametrize("text", ["a", "ta", "at", "AA", "aaa", "a1", "tu"])
def test_no_sgf_point(text: str) -> None:
    with pytest.raises(coords.CoordinateError, match="19x19"):
        coords.parse_sgf(text, 19)
