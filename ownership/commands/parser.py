"""Command lines: options in their ranges, errors that name the nearest word, and completion by the shell."""

import argparse
import math
import os
import re
from collections.abc import Iterable
from typing import NoReturn

from goban.errors import cut, suggestion
from goban.rulesets import RULESETS


class Parser(argparse.ArgumentParser):
    """A parser whose errors suggest the nearest option or choice, and whose description keeps its lines."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **{"formatter_class": argparse.RawDescriptionHelpFormatter, **options})  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Print the message in one line on stderr and exit with status 2."""
        remedy = _suggestion(message, self._options()) or f"; see {self.prog} --help"
        self.exit(2, f"{self.prog}: error: {' '.join(map(cut, message.split()))}{remedy}\n")

    def _options(self) -> list[str]:
        commands = [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        inner = [option for action in commands for each in action.choices.values() for option in each._options()]
        return [*self._option_string_actions, *inner]


def _suggestion(message: str, options: Iterable[str]) -> str:
    """Return the end of an error message: where the commands are listed, or the word that was meant, if any."""
    if message.endswith(": COMMAND"):
        return "; --help lists the commands"
    if found := re.search(r"unrecognized arguments:.*?(--?[\w-]+)", message):
        return suggestion(found[1], options)
    if found := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
        return suggestion(found[1], re.findall(r"'(.*?)'", found[2]))
    return ""


def check_option(name: str, value: float | None, least: float, most: float = math.inf) -> None:
    """Raise InputError for the number of an option, named without dashes, outside a range; None for one left out."""
    from goban.checks import check_number, check_whole, naming  # not at the start of every command: it imports numpy

    if value is not None:
        with naming(f"--{name}"):
            (check_whole if isinstance(value, int) else check_number)(value, least, most)


def is_completing() -> bool:
    """Return whether a shell has started this process to complete a command line."""
    return "_ARGCOMPLETE" in os.environ


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell, and end the process."""
    import argcomplete

    _set_completers(parser)
    argcomplete.autocomplete(parser)


def _set_completers(parser: argparse.ArgumentParser) -> None:
    """Let --rules be completed with the names of rulesets, and --model with those of models and folders."""
    from argcomplete.completers import DirectoriesCompleter

    from ownership.inference.files import named_models

    def models(prefix: str, **_: object) -> list[str]:
        return [*named_models(), *DirectoriesCompleter()(prefix)]

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _set_completers(command)
        elif "--rules" in action.option_strings:
            action.completer = lambda **_: list(RULESETS)  # type: ignore[attr-defined]
        elif action.dest == "model":
            action.completer = models  # type: ignore[attr-defined]


def words_to_complete() -> list[str]:
    """Return the words of the line that the shell wants completed, without the program's name."""
    return os.environ.get("COMP_LINE", "").split()[1:]
