"""JSON schemas, of which the declarations of fields and keys are made."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

JsonSchema = dict[str, Any]

STRING: Final[JsonSchema] = {"type": "string"}
NUMBER: Final[JsonSchema] = {"type": "number"}
WHOLE: Final[JsonSchema] = {"type": "integer"}
FLAG: Final[JsonSchema] = {"type": "boolean"}
_LINK: Final = re.compile(r"\[(.*?)\]\(.*?\)")


def example(text: str) -> JsonSchema:
    """Return the schema of texts such as one."""
    return {**STRING, "examples": [text]}


def choice(*texts: str) -> JsonSchema:
    """Return the schema of one of some texts."""
    return {**STRING, "enum": list(texts)}


def array(items: JsonSchema) -> JsonSchema:
    """Return the schema of a list of any length."""
    return {"type": "array", "items": items}


def fixed(*parts: JsonSchema) -> JsonSchema:
    """Return the schema of a list with one item of each schema."""
    return {"type": "array", "prefixItems": list(parts), "items": False, "minItems": len(parts)}


def object_of(properties: Mapping[str, JsonSchema], required: Iterable[str] | None = None) -> JsonSchema:
    """Return the schema of an object that must have some of its properties, by default all."""
    names = list(properties) if required is None else list(required)
    return {"type": "object", "properties": dict(properties), "required": names}


def nullable(schema: JsonSchema) -> JsonSchema:
    """Return the schema of the same or null."""
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **values}


def said(schema: JsonSchema, meaning: str) -> JsonSchema:
    """Return a schema with a description, which is given in Markdown."""
    return {**schema, "description": _LINK.sub(r"\1", meaning).replace("`", "")}


VERTICES: Final = array(example("D4"))
PLAYER: Final = choice("black", "white")
MOVE_PAIRS: Final = array(fixed(choice("B", "W"), example("Q16")))
