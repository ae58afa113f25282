"""Answer an assistant over the Model Context Protocol, on standard input and output.

Examples:
    ownership mcp
    ownership mcp --model fast

See docs/explaining.md.
"""

import argparse
from io import BytesIO

from ownership.assistants.mcp_server import mcp_server
from ownership.commands.shared.model_arguments import load_model, model_argument
from ownership.commands.shared.score_pictures import draw_scored, heading
from ownership.scoring.scored_game import ScoredGame
from ownership.scoring.timeline import caption
from runtime.command_line import declare
from viz.figure import add_heading, figure_of, new_axes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership mcp`."""
    declare(parser, model_argument())


def run(arguments: argparse.Namespace) -> int:
    """Answer until standard input ends; return 0."""
    mcp_server(load_model(arguments.model), _draw).run("stdio")
    return 0


def _draw(scored: ScoredGame, file: BytesIO) -> None:
    axes = new_axes()
    add_heading(axes, heading(scored.game), caption(scored))
    draw_scored(scored, {"ax": axes})
    figure_of(axes).savefig(file, format="png", dpi=100)
