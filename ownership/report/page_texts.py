"""The words of web pages, a file for each language in the folder `ownership/page_words`."""

import json
from functools import cache
from importlib.resources import files


@cache
def texts(language: str) -> dict[str, str]:
    """Return the texts of pages by name, in one of `goban.counting.languages.LANGUAGES`."""
    found: dict[str, str] = json.loads(files("ownership").joinpath("page_words", f"{language}.json").read_text("utf-8"))
    return found
