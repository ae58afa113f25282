"""The sentences of verdicts, a file for each language in the folder words."""

import json
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("en", "de", "zh", "ja", "ko")
language: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])
"""The language of all sentences in this context, one of LANGUAGES."""


@cache
def _strings(name: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads(files("goban.counting").joinpath("words", f"{name}.json").read_text("utf-8"))
    return texts


def say(name: str, **values: object) -> str:
    """Return a text with its values filled in; raise KeyError for an unknown name."""
    return _strings(language.get())[name].format(**values)
