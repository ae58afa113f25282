"""The texts of the page and of verdicts, from strings.json: the one file that a translation replaces."""

import json
from functools import cache
from importlib.resources import files


@cache
def strings() -> dict[str, str]:
    """Return all texts by name."""
    texts: dict[str, str] = json.loads(files("ownership").joinpath("strings.json").read_text("utf-8"))
    return texts


def say(name: str, **values: object) -> str:
    """Return a text with its values filled in; raise KeyError for an unknown name."""
    return strings()[name].format(**values)
