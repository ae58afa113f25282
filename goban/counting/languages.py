"""Sentences in the language of the reader: each language has a file in the folder `sentences`."""

import json
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from typing import Final

from goban.coords import BLACK, WHITE, colour_name

LANGUAGES: Final = ("en", "de", "zh", "ja", "ko")
language: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])
"""The language of all sentences in this context, one of LANGUAGES."""


def say(name: str, **values: object) -> str:
    """Return a text with its values filled in; raise KeyError for an unknown name."""
    return _sentences(language.get())[name].format(**values)


@cache
def _sentences(name: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads(files("goban.counting").joinpath("sentences", f"{name}.json").read_text("utf-8"))
    return texts


def score_verdict(score: float, finished: bool) -> str:
    """Return the winner and the score, such as "Black wins by 20.5", "White leads by 3.2" or "Draw"."""
    points = score if finished else round(score, 1)
    if points == 0:
        return say("verdict_draw" if finished else "verdict_even")
    winner, how = colour_name(BLACK if points > 0 else WHITE).lower(), "wins" if finished else "leads"
    return say(f"verdict_{winner}_{how}", points=f"{abs(points):g}")
