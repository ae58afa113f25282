"""List the networks and trainings that have a name.

Examples:
    ownership recipes
    ownership recipes --json

See docs/training.md.
"""

import argparse
import json

from ownership.training.recipes import RECIPES, Recipe
from runtime.command_line import Argument, declare


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership recipes`."""
    declare(parser, Argument("--json", bool, "print everything about them as JSON"))


def run(arguments: argparse.Namespace) -> int:
    """Print the recipes; return the exit status."""
    if arguments.json:
        print(json.dumps([recipe.to_dict() for recipe in RECIPES.values()], indent=1))
        return 0
    width = max(map(len, RECIPES))
    for recipe in RECIPES.values():
        size = "?" if recipe.parameters is None else f"{recipe.parameters:,}"
        print(f"{recipe.name:{width}}  {size:>10} parameters  {_budget(recipe):>19}  {recipe.about}")
    return 0


def _budget(recipe: Recipe) -> str:
    """Return the samples or minutes of a recipe's training, as text."""
    unit = "samples" if "samples" in recipe.training else "minutes"
    return f"{recipe.training[unit]:,} {unit}"
