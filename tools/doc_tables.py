"""Write the tables of keys, fields and settings in docs/ from their declarations: python tools/doc_tables.py."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from goban.json_request_fields import Field
from goban.json_schema import JsonSchema
from ownership.katago_protocol.query_fields import QUERY_FIELDS, SETTING_FIELDS
from ownership.scoring.score_json import BOARD, KEYS, ScoreKey
from ownership.server.request_fields import EXPLAIN_FIELDS, RECORD_FIELDS, SCORE_FIELDS, VISITS

_DOCS: Final = Path(__file__).parents[1] / "docs"
_TYPES: Final = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "array": "list",
    "object": "object",
}
_LARGEST: Final = 100_000  # of bounds that a table shows


def pages() -> dict[Path, str]:
    """Return the pages with tables of declarations, as they should be."""
    return {
        _DOCS / name: _with_tables((_DOCS / name).read_text(encoding="utf-8"), tables)
        for name, tables in _TABLES.items()
    }


def _with_tables(text: str, tables: dict[str, list[str]]) -> str:
    """Return a page whose tables, by their first lines, have other rows."""
    for heading, rows in tables.items():
        before, line, after = text.partition(f"{heading}\n")
        assert line, f"expected a table that begins with {heading}"
        rest = after.splitlines(keepends=True)
        end = next((number for number, old in enumerate(rest) if not old.startswith("|")), len(rest))
        text = before + line + rest[0] + "".join(f"{row}\n" for row in rows) + "".join(rest[end:])
    return text


def _key_rows(keys: Iterable[ScoreKey[Any]]) -> list[str]:
    return [f"| `{key.name}` | {key.meaning} |" for key in keys]


def _field_rows(fields: Iterable[Field[Any]]) -> list[str]:
    stars = {True: r"\*", False: ""}
    return [f"| `{each.name}`{stars[each.required]} | {_words(each.schema)} | {each.meaning} |" for each in fields]


def _words(schema: JsonSchema) -> str:
    """Return what a value may be: type or choices, range and default."""
    if "enum" in schema:
        *others, last = (f"`{value}`" for value in schema["enum"])
        words = f"{', '.join(others)} or {last}"
    else:
        types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        words = " or ".join(_TYPES[kind] + (_range(schema) if kind in ("integer", "number") else "") for kind in types)
    default = schema.get("default")
    if default is None:
        return words
    return f"{words}; {default if isinstance(default, str) else f'{default:g}'} by default"


def _range(schema: JsonSchema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None or abs(least) > _LARGEST:
        return ""
    return f" from {least:,g}" if most is None or most > _LARGEST else f" {least:,g} to {most:,g}"


_TABLES: Final = {
    "scoring.md": {"| key | value |": _key_rows(KEYS)},
    "serve.md": {
        "| key of the answer | meaning |": _key_rows(BOARD),
        "| key of `POST /score` (\\* required) | value | meaning |": _field_rows(SCORE_FIELDS),
        "| key of `POST /record` | value | meaning |": _field_rows(RECORD_FIELDS[1:]),
        "| key of a search | value | meaning |": _field_rows([VISITS]),
        "| key of `POST /explain` (\\* required) | value | meaning |": _field_rows(EXPLAIN_FIELDS[1:4]),
    },
    "protocols.md": {
        "| field of a query (\\* required) | value | meaning |": _field_rows(QUERY_FIELDS),
        "| setting | value | meaning |": _field_rows(SETTING_FIELDS),
    },
}

if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
