"""The frame of every page: one HTML file that loads no other file and runs only the scripts of this package.

All text from records or users must pass through `as_html` or `script_data`, so that browsers never read it as markup.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from goban.counting.languages import LANGUAGES
from ownership.report.page_texts import texts


def as_html(value: object) -> str:
    """Return the text of a value as HTML that shows any markup in it."""
    return escape(str(value))


def file_name(source: str) -> str:
    """Return the source of a record without its folders, which others do not have: "b.sgf#12" of "a/b.sgf#12"."""
    return source.rstrip("/").rpartition("/")[2]


def script_data(values: Any) -> str:
    """Return values as JSON for a script element: ASCII, without any "<", which could end the element."""
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c")


def definition_list(pairs: Mapping[str, object]) -> str:
    """Return the entries of a definition list, without those whose value is None or ""."""
    known = ((name, value) for name, value in pairs.items() if value not in ("", None))
    return "".join(f"<dt>{as_html(name)}</dt><dd><bdi>{as_html(value)}</bdi></dd>" for name, value in known)


def fill_template(name: str, **markup: object) -> str:
    """Return a template (see `read_asset`) with `markup` in its $places."""
    return Template(read_asset(name)).substitute(markup)


def html_page(
    title: str,
    subtitle: str,
    body: str,
    scripts: Sequence[str] = (),
    heading: str | None = None,
    *,
    styles: Sequence[str] = ("page_frame.css",),
    connects: bool = False,
    language: str = LANGUAGES[0],
    layout: str = "text",
) -> str:
    """Return a whole page, whose content security policy forbids everything but its own style and scripts.

    Args:
        title, subtitle: plain text.
        body: markup.
        scripts: assets (see `read_asset`), which run after the body has been read and `theme.js` has run.
        heading: markup above the body, by default the title.
        styles: assets.
        connects: whether the scripts may talk to the server of the page.
        language: one of LANGUAGES.
        layout: "text", or "game" for a board that fills the window (game.css).
    """
    programs = ("theme.js", *scripts)
    return fill_template(
        "page_frame.html",
        policy=content_policy(programs, styles, connects=connects),
        language=language,
        layout=layout,
        theme=as_html(texts(language)["theme"]),
        title=as_html(title),
        heading=as_html(title) if heading is None else heading,
        subtitle=as_html(subtitle),
        styles="".join(f"<style>{read_asset(name)}</style>\n" for name in styles),
        body=body,
        scripts="".join(f"<script>{read_asset(name)}</script>\n" for name in programs),
    )


def content_policy(scripts: Sequence[str], styles: Sequence[str], *, connects: bool = False) -> str:
    """Return the content security policy of a page with exactly these scripts and styles; `connects` as `html_page`."""
    return (
        f"default-src 'none'; script-src {_digests(scripts)}; style-src {_digests(styles)}; img-src data:; "
        + ("connect-src 'self'; " if connects else "")
        + "base-uri 'none'; form-action 'none'"
    )


@cache
def read_asset(name: str) -> str:
    """Return the text of a file of this package; "server/score_page.css" is one of `ownership.server`."""
    package, _, file = name.rpartition("/")
    return (files(f"ownership.{package or 'report'}") / file).read_text(encoding="utf-8")


def _digests(names: Sequence[str]) -> str:
    digests = (hashlib.sha256(read_asset(name).encode()).digest() for name in names)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
