"""The star points of a board, where drawings have dots."""


def star_points(side: int) -> list[tuple[int, int]]:
    """Return the lines (x, y) of the star points: corners from 7x7 on, with centre if odd, edges from 15x15 on."""
    if side < 7:
        return []
    edge = 3 if side > 12 else 2
    corners, middle = (edge, side - 1 - edge), side // 2
    points = [(x, y) for x in corners for y in corners]
    if side % 2:
        points.append((middle, middle))
    if side % 2 and side >= 15:
        points += [(x, middle) for x in corners] + [(middle, y) for y in corners]
    return points
