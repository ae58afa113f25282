"""A board as text that shows who owns each point, and where that is not certain."""

from goban.array_types import Mask, Stones
from goban.coords import BLACK, EMPTY, WHITE, gtp_name


def estimate_diagram(stones: Stones, owner: Stones, dead: Mask, decided: Mask) -> str:
    """Return the board with GTP coordinates; each point is a mark and, where it is not certain, a "?".

    Args:
        stones, owner: int8 (N, N), 1 Black, -1 White, 0 empty or neutral.
        dead, decided: bool (N, N).
    """
    side = len(stones)
    columns = (values.ravel().tolist() for values in (stones, owner, dead, decided))
    cells = [_cell(*values) for values in zip(*columns, strict=True)]
    header = "   " + " ".join(gtp_name(column, side)[0] for column in range(side))
    rows = []
    for row in range(side):
        number = side - row
        rows.append(f"{number:>2} {''.join(cells[row * side : (row + 1) * side])}{number}")
    return "\n".join([header, *rows, header])


def _cell(colour: int, owner: int, dead: bool, certain: bool) -> str:
    if colour == EMPTY:
        mark = {BLACK: "+", WHITE: "-", EMPTY: "."}[owner]
    else:
        mark = "X" if colour == BLACK else "O"
        mark = mark.lower() if dead else mark
    return mark + (" " if certain or mark == "." else "?")
