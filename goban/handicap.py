"""Where handicap stones stand."""

from goban.errors import InputError


def fixed_handicap(side: int, count: int) -> list[int]:
    """Return the flat indices of the handicap points that GTP fixes; raise InputError for an impossible number."""
    most = 0 if side < 7 else 9 if side % 2 and side > 7 else 4
    if not 2 <= count <= most:
        raise InputError(f"invalid number of stones: expected 2..{most} on {side}x{side}. Received: {count}")
    low = 3 if side >= 13 else 2
    high, middle = side - 1 - low, side // 2
    corners = [(high, low), (low, high), (low, low), (high, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    places = corners[: min(count, 4)] + sides[: max(0, count // 2 * 2 - 4)]
    places += [(middle, middle)] if count in (5, 7, 9) else []
    return [row * side + column for row, column in places]
