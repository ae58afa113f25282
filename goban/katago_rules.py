"""Rules as KataGo writes them, in queries and in records: names, JSON objects, and strings.

A string is such as `koSIMPLEscoreAREAtaxNONEsui0whbN`. Rules of which a part is not counted here are refused.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple

from goban.errors import InputError, check_number, shown
from goban.rulesets import BUTTON, GROUP_TAX, MAX_KOMI, RULESETS, Ruleset, find_rules, parse_rules, uncounted_words

_SEKI_TAX: Final = "the tax on seki"
BONUSES: Final[Mapping[str, Literal["none", "n", "n-1"]]] = {"0": "none", "N": "n", "N-1": "n-1"}
_SHOWN: Final = (*RULESETS, "chinese-ogs", "chinese-kgs", "nz")
# By the letters of the name, as `_squeezed` returns them.
_NAMES: Final = {
    **{name.replace("-", ""): name for name in RULESETS},
    "chineseogs": "chinese",
    "chinesekgs": "chinese",
    "nz": "new-zealand",
}
_UNCOUNTED: Final = {
    "agabutton": BUTTON,
    "stonescoring": GROUP_TAX,
    "ancientarea": GROUP_TAX,
    "ancientterritory": GROUP_TAX,
}
_FLAG: Final = {False: False, True: True}
_CHOICES: Final[Mapping[str, Mapping[Any, Any]]] = {
    "ko": {"POSITIONAL": True, "SITUATIONAL": True, "SIMPLE": False},
    "scoring": {"AREA": "area", "TERRITORY": "territory"},
    "tax": {"NONE": "NONE", "SEKI": "SEKI", "ALL": "ALL"},
    "suicide": {True: True, False: False},
    "hasButton": _FLAG,
    "whiteHandicapBonus": BONUSES,
    "friendlyPassOk": _FLAG,
}
_PART: Final = re.compile(
    r"(?:komi(?P<komi>[-+.0-9]+)|ko(?P<ko>[A-Z]+)|scor(?:e|ing)(?P<scoring>AREA|TERRITORY)|tax(?P<tax>NONE|SEKI|ALL)"
    r"|sui(?P<suicide>[01])|button(?P<hasButton>[01])|whb(?P<whiteHandicapBonus>0|N-1|N)|fpok(?P<friendlyPassOk>[01]))\s*"
)


class KataRules(NamedTuple):
    """Rules as a client names them: what scores, and the komi if they name one."""

    ruleset: Ruleset
    komi: float | None


def read_rules(value: str | Mapping[str, Any]) -> KataRules:
    """Return the rules of a name, a string of KataGo's, an object, or any other spelling that `find_rules` knows.

    Raises:
        InputError: other rules, or rules that have a button or a tax that is not counted.
    """
    if not isinstance(value, str):
        return _of_fields(value, value)
    name = _squeezed(value)
    if name in _UNCOUNTED:
        raise _uncounted(_UNCOUNTED[name], value)
    if name in _NAMES:
        return KataRules(RULESETS[_NAMES[name]], None)
    if (fields := string_fields(value)) is not None:
        return _of_fields(fields, value)
    try:
        return KataRules(find_rules(value), None)
    except InputError:
        expected = f"unknown ruleset: expected {', '.join(_SHOWN)} or an object"
        raise InputError(f"{expected}. Received: {shown(value)}") from None


def string_fields(text: str) -> dict[str, Any] | None:
    """Return the fields of one of KataGo's strings of rules, as of an object; None for another text."""
    fields: dict[str, Any] = {}
    rest = text.strip()
    while rest:
        match = _PART.match(rest)
        if match is None:
            return None
        for name, value in match.groupdict().items():
            if value is not None:
                fields[name] = _typed(name, value)
        rest = rest[match.end() :]
    return fields or None


def record_rules(text: str) -> Ruleset | None:
    """Return the ruleset that the text of a record names, or None; of KataGo's strings the first that counts alike."""
    fields = _scoring_fields(text)
    return parse_rules(text) if fields is None else _alike(_counted(fields))


def record_uncounted(text: str) -> str:
    """Return the parts of the rules in a record's text that are not counted here, "" for none."""
    fields = _scoring_fields(text)
    return uncounted_words(text) if fields is None else uncounted(fields)


def _scoring_fields(text: str) -> dict[str, Any] | None:
    """Return the fields of one of KataGo's strings that bear on the count; None for a text without what scores."""
    fields = string_fields(text)
    if fields is None or "scoring" not in fields:
        return None
    return {name: value for name, value in fields.items() if name not in ("ko", "komi")}


def _alike(wanted: Ruleset) -> Ruleset:
    """Return the first ruleset with a name that agrees in most of: what is counted, the bonus, suicide."""

    def agreeing(each: Ruleset) -> list[bool]:
        return [getattr(each, name) == getattr(wanted, name) for name in ("counting", "handicap_bonus", "suicide")]

    return max(RULESETS.values(), key=agreeing)


def uncounted(fields: Mapping[str, Any]) -> str:
    """Return the parts of rules that are not counted here, "" for none; raise InputError for a bad value."""
    territory = _choice(fields, "scoring") == "territory"
    tax = _choice(fields, "tax") if "tax" in fields else "SEKI" if territory else "NONE"
    left_out = {
        "NONE": "points in seki" if territory else "",
        "SEKI": "" if territory else _SEKI_TAX,
        "ALL": GROUP_TAX,
    }
    return " and ".join(filter(None, (BUTTON if _choice(fields, "hasButton") else "", left_out[tax])))


def _counted(fields: Mapping[str, Any]) -> Ruleset:
    """Return the rules of fields without what `uncounted` names, called by what they count; raise InputError."""
    counting = _choice(fields, "scoring")
    return Ruleset(
        counting, counting, _choice(fields, "suicide"), _choice(fields, "ko"), _choice(fields, "whiteHandicapBonus")
    )


def rules_fields(ruleset: Ruleset) -> dict[str, Any]:
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


def read_komi(value: object) -> float:
    """Return a komi, a whole or half number of points, -400 to 400; raise InputError for anything else."""
    with suppress(InputError):
        komi = check_number(value, -MAX_KOMI, MAX_KOMI)
        if komi % 0.5 == 0:
            return komi
    raise InputError(f"expected a whole or half number {-MAX_KOMI}..{MAX_KOMI}. Received: {shown(value)}")


def _of_fields(fields: Mapping[str, Any], given: object) -> KataRules:
    fields = {"scoring" if name == "score" else name: value for name, value in fields.items()}
    if unknown := [name for name in fields if name not in (*_CHOICES, "komi")]:
        raise InputError(f"expected rules {', '.join(_CHOICES)}. Received: {shown(unknown[0])}")
    for name in _CHOICES:
        _choice(fields, name)
    if part := uncounted(fields):
        raise _uncounted(part, given)
    return KataRules(_counted(fields), read_komi(fields["komi"]) if "komi" in fields else None)


def _choice(fields: Mapping[str, Any], key: str) -> Any:
    """Return the meaning of a field, by default the first choice; raise InputError for an unknown value."""
    choices = _CHOICES[key]
    value = fields.get(key, next(iter(choices)))
    for choice, meaning in choices.items():
        if type(value) is type(choice) and value == choice:
            return meaning
    known = ", ".join("true" if each is True else "false" if each is False else each for each in choices)
    raise InputError(f"expected {key} to be one of {known}. Received: {shown(value)}")


def _typed(name: str, text: str) -> Any:
    """Return the value of a field of an object for the text of a string's part."""
    if name == "komi":
        return float(text) if re.fullmatch(r"[-+]?[0-9]+\.?[0-9]*", text) else text
    return text == "1" if _CHOICES[name].keys() == {True, False} else text


def _uncounted(part: str, given: object) -> InputError:
    return InputError(f"expected rules without {part}, which this program does not count. Received: {shown(given)}")


def _squeezed(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.lower())
