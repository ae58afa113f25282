"""JSON values checked by JSON schemas."""

from collections.abc import Mapping
from typing import Any, Final

_TYPES: Final[dict[str, Any]] = {
    "string": str,
    "integer": int,
    "number": int | float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


def check(value: Any, schema: dict[str, Any], named: Mapping[str, dict[str, Any]] | None = None) -> None:
    """Check that a JSON value fits a schema, in which every part has a type; `named`: the schemas of references."""
    if "$ref" in schema:
        schema = (named or {})[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        return check(value, next(each for each in schema["anyOf"] if "properties" in each), named)
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if value is None:
        assert "null" in kinds
        return None
    assert isinstance(value, _TYPES[kinds[0]]), (value, schema)
    assert value in schema.get("enum", [value])
    if kinds[0] == "array":
        parts = schema.get("prefixItems", [schema["items"]] * len(value))
        for each, part in zip(value, parts, strict=True):
            check(each, part, named)
    if kinds[0] == "object":
        assert set(schema.get("required", ())) <= set(value)
        for name, each in value.items():
            check(each, schema.get("properties", {}).get(name) or schema["additionalProperties"], named)
    return None
