"""The page: its markup from a template, and all its texts from strings.json."""

import json
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from goban import svg
from goban.rulesets import RULESETS
from ownership.report.page import content_policy, escaped, fill_template, html_page, script_data

_SIDE: Final = 19
_STYLES: Final = ("page.css", "server/page.css")
_SCRIPTS: Final = (
    "board.js",
    "server/record.js",
    "server/grid.js",
    "server/words.js",
    "server/files.js",
    "server/page.js",
)


@cache
def strings() -> dict[str, str]:
    """Return the texts of the page by name, from the file that a translation replaces."""
    texts: dict[str, str] = json.loads(files("ownership").joinpath("strings.json").read_text("utf-8"))
    return texts


@cache
def page() -> tuple[str, str]:
    """Return the page and its content security policy."""
    texts = strings()
    options = "".join(f'<option value="{name}">{escaped(name)}</option>' for name in RULESETS)
    shown = {name: escaped(text) for name, text in texts.items()}
    body = fill_template(
        "server/page.html",
        **shown | {"steps": fill_template("steps.html", **shown)},
        rulesets=options,
        board=svg.render(np.zeros((_SIDE, _SIDE), np.int8)),
        strings=script_data(texts),
    )
    markup = html_page(texts["title"], texts["subtitle"], body, _SCRIPTS, styles=_STYLES, connects=True)
    return markup, content_policy(("theme.js", *_SCRIPTS), _STYLES, connects=True)
