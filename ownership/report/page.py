"""The frame of every page: one HTML file that loads no other file and runs no scripts but those of this package.

All text from records or users must pass through `escaped` or `script_data`, so that browsers never read it as markup.
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


def escaped(value: object) -> str:
    """Return the text of a value as HTML that shows any markup in it."""
    return escape(str(value))


def script_data(values: Any) -> str:
    """Return values as JSON for a script element: ASCII, without any "<", which could end the element."""
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c")


def definition_list(pairs: Mapping[str, object]) -> str:
    """Return the entries of a definition list, without those whose value is None or ""."""
    known = ((name, value) for name, value in pairs.items() if value not in ("", None))
    return "".join(f"<dt>{escaped(name)}</dt><dd><bdi>{escaped(value)}</bdi></dd>" for name, value in known)


def fill_template(name: str, **markup: object) -> str:
    """Return a template of this package with `markup` in its $places."""
    return Template(read_asset(name)).substitute(markup)


def html_page(title: str, subtitle: str, body: str, scripts: Sequence[str] = (), heading: str | None = None) -> str:
    """Return a whole page, whose content security policy forbids everything but its own style and scripts.

    Args:
        title, subtitle: plain text.
        body: markup.
        scripts: names of scripts in this package, which run after the body has been read.
        heading: markup above the body, by default the title.
    """
    style, programs = read_asset("page.css"), [read_asset(name) for name in ("theme.js", *scripts)]
    allowed = " ".join(f"'sha256-{_digest(program)}'" for program in programs)
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'sha256-{_digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    running = "".join(f"<script>{program}</script>\n" for program in programs)
    return fill_template(
        "page.html",
        policy=policy,
        title=escaped(title),
        heading=escaped(title) if heading is None else heading,
        subtitle=escaped(subtitle),
        style=style,
        body=body,
        scripts=running,
    )


@cache
def read_asset(name: str) -> str:
    """Return the text of a file of this package."""
    return (files("ownership.report") / name).read_text(encoding="utf-8")


def _digest(source: str) -> str:
    return base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
