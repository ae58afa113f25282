"""KataGo's names of rules, and its rules as JSON objects."""

from collections.abc import Mapping
from typing import Any, Final

from goban.errors import InputError
from goban.rulesets import RULESETS, Ruleset

NAMES: Final = {
    **{name: name for name in RULESETS},
    "chinese-ogs": "chinese",
    "chinese-kgs": "chinese",
    "aga-button": "aga",
    "nz": "new-zealand",
    "stone-scoring": "area",
    "ancient-area": "area",
    "ancient-territory": "territory",
}
_UNCOUNTED: Final = {
    "aga-button": "the button",
    "stone-scoring": "the tax on groups",
    "ancient-area": "the tax on groups",
    "ancient-territory": "the tax on groups",
}
BONUSES: Final = {"0": "none", "N": "n", "N-1": "n-1"}
_TAXES: Final = {"AREA": ("NONE",), "TERRITORY": ("NONE", "SEKI")}


def named_rules(text: str) -> Ruleset:
    """Return the rules of a name; raise InputError."""
    name = _name(text)
    if name not in NAMES:
        raise InputError(f"unknown ruleset: expected {', '.join(NAMES)} or an object. Received: {name[:40]!r}")
    return RULESETS[NAMES[name]]


def uncounted(text: str) -> str:
    """Return what the rules of a name have that this program does not count, "" for nothing."""
    return _UNCOUNTED.get(_name(text), "")


def _name(text: str) -> str:
    return text.strip().lower().replace("_", "-").replace(" ", "-")


def rules_of(fields: Mapping[str, Any]) -> Ruleset:
    """Return the rules of an object; raise InputError for a value that is none, or that this program cannot count."""
    counting = _choice(fields, "scoring", {"AREA": "area", "TERRITORY": "territory"})
    _choice(fields, "tax", dict.fromkeys(_TAXES[counting.upper()]))
    _choice(fields, "hasButton", {"False": False})
    superko = _choice(fields, "ko", {"POSITIONAL": True, "SITUATIONAL": True, "SIMPLE": False})
    suicide = _choice(fields, "suicide", {"False": False, "True": True})
    bonus = _choice(fields, "whiteHandicapBonus", BONUSES)
    return Ruleset(counting, counting, suicide, superko, bonus)


def fields_of(ruleset: Ruleset) -> dict[str, Any]:
    """Return the object that stands for rules."""
    return {
        "ko": "POSITIONAL" if ruleset.superko else "SIMPLE",
        "scoring": ruleset.counting.upper(),
        "suicide": ruleset.suicide,
        "tax": "NONE",
        "whiteHandicapBonus": next(text for text, bonus in BONUSES.items() if bonus == ruleset.handicap_bonus),
        "hasButton": False,
        "friendlyPassOk": True,
    }


def _choice(fields: Mapping[str, Any], key: str, choices: Mapping[str, Any]) -> Any:
    """Return the value of a field, by default that of the first choice; raise InputError for an unknown choice."""
    value = str(fields.get(key, next(iter(choices))))
    if value not in choices:
        raise InputError(f"expected {key} to be one of {', '.join(choices)}. Received: {value[:40]!r}")
    return choices[value]
