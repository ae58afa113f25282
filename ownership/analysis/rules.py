"""KataGo's names of rules, and its rules as JSON objects."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from goban import rulesets
from goban.errors import InputError, shown
from goban.rulesets import BUTTON, GROUP_TAX, RULESETS, SEKI_TAX, Ruleset, find_rules

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
BONUSES: Final = {"0": "none", "N": "n", "N-1": "n-1"}
_TAXES: Final = {"NONE": "", "SEKI": SEKI_TAX, "ALL": GROUP_TAX}
_FIELDS: Final = ("ko", "scoring", "tax", "suicide", "hasButton", "whiteHandicapBonus", "friendlyPassOk")


def named_rules(text: str) -> Ruleset:
    """Return the rules of KataGo's name or any other spelling that `find_rules` knows; raise InputError."""
    name = _name(text)
    if name in NAMES:
        return RULESETS[NAMES[name]]
    try:
        return find_rules(text)
    except InputError:
        expected = f"unknown ruleset: expected {', '.join(NAMES)} or an object"
        raise InputError(f"{expected}. Received: {shown(name)}") from None


def uncounted(rules: str | Mapping[str, Any]) -> str:
    """Return what rules that can be read have that this program does not count, "" for nothing."""
    if isinstance(rules, str):
        return rulesets.uncounted(rules)
    tax = "" if _counting(rules) == "territory" and rules.get("tax") == "SEKI" else _TAXES[rules.get("tax", "NONE")]
    button = BUTTON if str(rules.get("hasButton")) == "True" else ""
    return " and ".join(filter(None, (button, tax)))


def _name(text: str) -> str:
    return text.strip().lower().replace("_", "-").replace(" ", "-")


def rules_of(fields: Mapping[str, Any]) -> Ruleset:
    """Return the rules of an object, without what `uncounted` names; raise InputError for an unknown field or value."""
    if unknown := [name for name in fields if name not in _FIELDS]:
        raise InputError(f"expected rules {', '.join(_FIELDS)}. Received: {shown(unknown[0])}")
    counting = _counting(fields)
    _choice(fields, "tax", _TAXES)
    _choice(fields, "hasButton", {"False": False, "True": True})
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
        "tax": "SEKI" if ruleset.counting == "territory" else "NONE",
        "whiteHandicapBonus": next(text for text, bonus in BONUSES.items() if bonus == ruleset.handicap_bonus),
        "hasButton": False,
        "friendlyPassOk": True,
    }


def _counting(fields: Mapping[str, Any]) -> Literal["area", "territory"]:
    counting: Literal["area", "territory"] = _choice(fields, "scoring", {"AREA": "area", "TERRITORY": "territory"})
    return counting


def _choice(fields: Mapping[str, Any], key: str, choices: Mapping[str, Any]) -> Any:
    """Return the value of a field, by default that of the first choice; raise InputError for an unknown choice."""
    value = str(fields.get(key, next(iter(choices))))
    if value not in choices:
        raise InputError(f"expected {key} to be one of {', '.join(choices)}. Received: {shown(value)}")
    return choices[value]
