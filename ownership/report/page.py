"""The frame of every page: one HTML file that asks for no other, and in which nothing runs but what stands here.

Whatever comes from records or users passes through `text` or `data`; both keep it from being read as markup.
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


def text(value: object) -> str:
    """Return anything as HTML text, in which markup is shown and not obeyed."""
    return escape(str(value))


def data(values: Any) -> str:
    """Return JSON for a script element: ASCII, without any "<" that could end it."""
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c")


def facts(pairs: Mapping[str, object]) -> str:
    """Return the entries of a definition list; those without a value are left out."""
    known = ((name, value) for name, value in pairs.items() if value not in ("", None))
    return "".join(f"<dt>{text(name)}</dt><dd><bdi>{text(value)}</bdi></dd>" for name, value in known)


def fill(name: str, **markup: object) -> str:
    """Return a template of this package with its places filled."""
    return Template(read(name)).substitute(markup)


def page(title: str, subtitle: str, body: str, scripts: Sequence[str] = (), heading: str | None = None) -> str:
    """Return a whole page.

    Args:
        title, subtitle: plain text.
        body: markup.
        scripts: names of scripts in this package; they run when the body is there.
        heading: markup above the body, by default the title.

    The browser is told to load nothing, and to run only these scripts.
    """
    style, programs = read("page.css"), [read(name) for name in ("theme.js", *scripts)]
    allowed = " ".join(f"'sha256-{_digest(program)}'" for program in programs)
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'sha256-{_digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    running = "".join(f"<script>{program}</script>\n" for program in programs)
    return fill(
        "page.html",
        policy=policy,
        title=text(title),
        heading=text(title) if heading is None else heading,
        subtitle=text(subtitle),
        style=style,
        body=body,
        scripts=running,
    )


@cache
def read(name: str) -> str:
    """Return a file of this package."""
    return (files("ownership.report") / name).read_text(encoding="utf-8")


def _digest(source: str) -> str:
    return base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
