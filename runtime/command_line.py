"""Arguments of command lines, a row each: name, type, range, default and help, for argparse; and how modules end."""

import argparse
import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

from goban.errors import InputError, check_number, check_whole, naming, range_text

_CONVERTED_BY_ARGPARSE: Final = (int, float, str, Path)


@dataclass(frozen=True)
class Argument:
    """An option of a command line, or an argument without a name.

    Args:
        name: the names of an option, or the attribute of an argument without one, then what stands for the value in
            the help: "-o --output FILE", "games GAME".
        kind: int, float, str or Path; bool for an option without a value; a tuple of choices; or a function that
            returns the value of a text, and raises InputError.
        help: what it means; the range and the default are added.
        default: the value without it. An option without a value that is true by default is named --no-NAME.
        least, most: the range of a number, or of each of several.
        otherwise: what holds without it, where the default does not show it: "all"; "" where `help` states it.
        count: "+" or "*" for several values.
        required: whether an option cannot be left out.
        repeated: whether an option may be given several times, for a list of values.
        completer: what a shell completes a prefix of the value with, as in argcomplete.
    """

    name: str
    kind: Any
    help: str
    default: Any = None
    least: float = -math.inf
    most: float = math.inf
    otherwise: str | None = None
    count: str | None = None
    required: bool = False
    repeated: bool = False
    completer: Callable[..., Iterable[str]] | None = None

    def declare(self, group: argparse._ActionsContainer) -> None:
        """Declare it in a parser or in a group of its arguments."""
        words = self.name.split()
        names = [word for word in words if word.startswith("-")] or words[:1]
        options: dict[str, Any] = {"help": self._help(), "default": [] if self.repeated else self.default}
        if self.kind is bool:
            options |= self._flag(names[-1])
        else:
            options |= self._valued(" ".join(words[len(names) :]))
        declared = group.add_argument(*names, **options)
        if self.completer:
            declared.completer = self.completer  # type: ignore[attr-defined]

    def _flag(self, name: str) -> dict[str, Any]:
        if self.default is True:
            return {"action": "store_false", "dest": name.removeprefix("--no-").replace("-", "_")}
        return {"action": "store_true", "default": False}

    def _valued(self, metavar: str) -> dict[str, Any]:
        options: dict[str, Any] = {"metavar": metavar or None}
        if isinstance(self.kind, tuple):
            options |= {"choices": self.kind, "type": type(self.kind[0])}
        elif self.kind in _CONVERTED_BY_ARGPARSE:
            options["type"] = self.kind
        if self.repeated:
            options["action"] = "append"
        elif self._bounds() or not self._is_plain():
            options["action"] = partial(_Checked, value=self._value)
        return options | ({"nargs": self.count} if self.count else {}) | ({"required": True} if self.required else {})

    def _is_plain(self) -> bool:
        """Return whether argparse converts the text of a value."""
        return isinstance(self.kind, tuple) or self.kind in _CONVERTED_BY_ARGPARSE

    def _value(self, given: Any) -> Any:
        """Return the value that was given, converted and in its range; raise InputError."""
        value = given if self._is_plain() else self.kind(given)
        if self._bounds():
            for number in value if isinstance(value, tuple) else (value,):
                (check_whole if isinstance(number, int) else check_number)(number, self.least, self.most)
        return value

    def _bounds(self) -> str:
        return range_text(self.least, self.most)

    def _help(self) -> str:
        default = _text(self.default) if self.otherwise is None else self.otherwise
        parts = [self._bounds(), f"default: {default}" if default else ""]
        added = "; ".join(filter(None, parts))
        return (f"{self.help} ({added})" if added else self.help).replace("%", "%%")


def declare(group: argparse._ActionsContainer, *arguments: Argument) -> None:
    """Declare arguments in a parser or in a group of its arguments."""
    for argument in arguments:
        argument.declare(group)


class _Checked(argparse.Action):
    """Stores a value that is converted and checked; an InputError names the option."""

    def __init__(self, *args: Any, value: Callable[[Any], Any], **options: Any) -> None:
        super().__init__(*args, **options)
        self._value = value

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: Any = None) -> None:
        """Store the value; raise InputError."""
        with naming(self.option_strings[-1]):
            setattr(namespace, self.dest, self._value(values))


def _text(default: object) -> str:
    """Return a default as the help shows it, "" for none."""
    if default is None or isinstance(default, bool) or default == ():
        return ""
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return f"{default:g}" if isinstance(default, float) else str(default)


def exit_with(main: Callable[[], int]) -> NoReturn:
    """End the process with the status that `main` returns, or 2 and one line on stderr for wrong input."""
    try:
        sys.exit(main())
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
