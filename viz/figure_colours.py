"""The colours of figures, in pairs that colour-blind people can tell apart too; boards have `goban.board_colours`."""

from functools import cache

import numpy as np
from matplotlib.colors import ListedColormap
from numpy.typing import NDArray

NEUTRAL = "#7a4d9e"
POLICY = "#1d7a56"

INK = "#22262b"
GREY = "#767676"
GRID = "#e4e4e4"
CURVES = ("#16439c", "#d1361f", "#1d7a56", "#8a4fbf", "#b07900")

# Lightness, green-red and blue-yellow in Oklab: White's end, the middle, Black's end. The ends are equally light and
# differ most in blue-yellow, which people with the common kinds of colour blindness see.
_OKLAB = ((0.52, 0.155, 0.095), (0.96, 0.0, 0.005), (0.52, -0.03, -0.19))
_STEPS = 128


@cache
def heat() -> ListedColormap:
    """Return the colours of ownership from -1 (White) over nearly white to +1 (Black), in steps that look equal."""
    white, middle, black = np.array(_OKLAB)
    along = np.linspace(0, 1, _STEPS)[:, None]
    ramp = np.concatenate([white + along * (middle - white), middle + along[1:] * (black - middle)])
    return ListedColormap(_srgb(ramp), name="ownership")


def _srgb(oklab: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sRGB in [0, 1], (K, 3), of Oklab colours (K, 3) (Björn Ottosson's matrices)."""
    to_cones = np.array(
        [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
    )
    to_linear = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    linear = np.clip((oklab @ to_cones.T) ** 3 @ to_linear.T, 0, 1)
    encoded: NDArray[np.float64] = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return encoded
