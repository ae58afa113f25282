"""The colours of boards in every picture; `viz.figure_colours` has the colours of other figures."""

from goban.coords import BLACK, WHITE

WOOD = "#e3bd78"
LIGHT_WOOD = "#e9c787"  # its lightest and darkest grain
DARK_WOOD = "#d9ae66"
LINE = "#6b5228"
WRITING = "#4d3a1a"
STONE_FILL = {BLACK: "#1c1c1e", WHITE: "#fbfaf6"}
STONE_EDGE = {BLACK: "#000000", WHITE: "#55524c"}
OWNER_FILL = {BLACK: "#2f6bdc", WHITE: "#d1361f"}
SHADOW = "#1a0f00"  # of a stone
CROSS = "#ffd23f"
# The light falls from the upper left. The outermost part of a disc is the shadow of the stone.
STONE_GRADIENT = {
    BLACK: ((0, "#75777c"), (0.45, "#303134"), (0.93, "#0c0d0e")),
    WHITE: ((0, "#ffffff"), (0.6, "#f4f2ec"), (0.93, "#bdb8ac")),
}
