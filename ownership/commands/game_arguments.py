"""The arguments that name games and where to write what becomes of them."""

import argparse

GAMES_HELP = "SGF file, collection, folder, zip or tar archive, - for stdin"


def add_game_arguments(parser: argparse.ArgumentParser, output_help: str) -> None:
    """Declare the games and --output."""
    parser.add_argument("games", nargs="+", metavar="GAME", help=GAMES_HELP)
    parser.add_argument("-o", "--output", required=True, metavar="FILE|DIR", help=output_help)
