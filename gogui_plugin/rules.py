"""The names of rules at KGS and in KataGo."""

import json
from typing import Any

from goban.rulesets import RULESETS, Ruleset
from gogui_plugin.gtp import GtpError

KGS = {"chinese": "chinese", "aga": "aga", "japanese": "japanese", "new_zealand": "new-zealand"}
_KATA = {
    **{name: name for name in RULESETS},
    "chinese-ogs": "chinese",
    "chinese-kgs": "chinese",
}
_BONUS = {"none": "0", "n": "N", "n-1": "N-1"}
_REFUSED = {"tax": "NONE", "hasButton": False}


def parse_kgs_rules(text: str) -> Ruleset:
    """Return the rules of a name of `kgs-rules`; raise GtpError."""
    name = text.strip().lower()
    if name not in KGS:
        raise GtpError(f"unknown ruleset: expected {', '.join(KGS)}. Received: {name!r}")
    return RULESETS[KGS[name]]


def parse_kata_rules(text: str) -> Ruleset:
    """Return the rules of a name, or of a JSON object, of `kata-set-rules`; raise GtpError."""
    if not text.startswith("{"):
        name = text.strip().lower()
        if name not in _KATA:
            raise GtpError(f"unknown ruleset: expected {', '.join(_KATA)} or JSON. Received: {name!r}")
        return RULESETS[_KATA[name]]
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise GtpError("expected rules as JSON. Received: text that is not") from None
    return _from_fields(fields)


def as_kata_rules(ruleset: Ruleset) -> str:
    """Return the rules as KataGo's JSON object on one line."""
    return json.dumps(
        {
            "ko": "POSITIONAL" if ruleset.superko else "SIMPLE",
            "scoring": ruleset.counting.upper(),
            "suicide": ruleset.suicide,
            "tax": "NONE",
            "whiteHandicapBonus": _BONUS[ruleset.handicap_bonus],
            "hasButton": False,
            "friendlyPassOk": True,
        },
        separators=(",", ":"),
    )


def _from_fields(fields: dict[str, Any]) -> Ruleset:
    for key, value in _REFUSED.items():
        if fields.get(key, value) != value:
            raise GtpError(f"expected {key} {value}. Received: {fields[key]!r}")
    counting = _choice(fields, "scoring", {"AREA": "area", "TERRITORY": "territory"})
    superko = _choice(fields, "ko", {"POSITIONAL": True, "SITUATIONAL": True, "SIMPLE": False})
    suicide = _choice(fields, "suicide", {"False": False, "True": True})
    bonus = _choice(fields, "whiteHandicapBonus", {"0": "none", "N": "n", "N-1": "n-1"})
    return Ruleset(counting, counting, suicide, superko, bonus)


def _choice(fields: dict[str, Any], key: str, choices: dict[str, Any]) -> Any:
    """Return the value of a field, by default that of the first choice; raise GtpError for an unknown choice."""
    value = str(fields.get(key, next(iter(choices))))
    if value not in choices:
        raise GtpError(f"expected {key} to be one of {', '.join(choices)}. Received: {value!r}")
    return choices[value]
