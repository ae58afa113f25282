"""The arguments that name games and where to write what becomes of them."""

import argparse

GAME_HELP = (
    "SGF, GIB or NGF file, or a board as text, - for stdin; games.sgf#3 is the third game of a collection, "
    "games.zip/a.sgf one of an archive"
)
GAMES_HELP = f"{GAME_HELP}; a collection, folder, zip or tar archive is all its games"


def add_game_arguments(parser: argparse.ArgumentParser, output_help: str) -> None:
    """Declare the games and --output."""
    parser.add_argument("games", nargs="+", metavar="GAME", help=GAMES_HELP)
    parser.add_argument("-o", "--output", required=True, metavar="FILE|DIR", help=output_help)
