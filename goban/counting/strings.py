"""The sentences of verdicts, from strings.json, which a translation replaces."""

import json
from functools import cache
from importlib.resources import files


@cache
def _strings() -> dict[str, str]:
    texts: dict[str, str] = json.loads(files("goban.counting").joinpath("strings.json").read_text("utf-8"))
    return texts


def say(name: str, **values: object) -> str:
    """Return a text with its values filled in; raise KeyError for an unknown name."""
    return _strings()[name].format(**values)
