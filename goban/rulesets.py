"""Rulesets by name: what is counted, and which moves are allowed."""

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What a name of rules stands for.

    Attributes: `counting`, what scores; `suicide`, whether it is allowed; `superko`, whether no position may come
    back (otherwise simple ko); `handicap_bonus`, points that White gets for n handicap stones: n, n-1 or none.
    """

    name: str
    counting: Literal["area", "territory"]
    suicide: bool = False
    superko: bool = True
    handicap_bonus: Literal["none", "n", "n-1"] = "none"


RULESETS: Final = {
    rules.name: rules
    for rules in (
        Ruleset("area", "area"),
        Ruleset("territory", "territory", superko=False),
        Ruleset("chinese", "area", handicap_bonus="n"),
        Ruleset("japanese", "territory", superko=False),
        Ruleset("korean", "territory", superko=False),
        Ruleset("aga", "area", handicap_bonus="n-1"),
        Ruleset("bga", "area", handicap_bonus="n-1"),
        Ruleset("new-zealand", "area", suicide=True),
        Ruleset("tromp-taylor", "area", suicide=True),
        Ruleset("ing", "area", suicide=True, handicap_bonus="n"),
    )
}

# Looked for in this order in a text of which only letters are left.
_SPELLINGS: Final = {
    "tromptaylor": "tromp-taylor",
    "newzealand": "new-zealand",
    "scorearea": "area",
    "scoreterritory": "territory",
    "japan": "japanese",
    "nihon": "japanese",
    "日本": "japanese",
    "chin": "chinese",
    "中国": "chinese",
    "中國": "chinese",
    "korea": "korean",
    "韩国": "korean",
    "韓國": "korean",
    "한국": "korean",
    "aga": "aga",
    "american": "aga",
    "french": "aga",
    "bga": "bga",
    "british": "bga",
    "area": "area",
    "territory": "territory",
}
_ABBREVIATIONS: Final = {
    "tt": "tromp-taylor",
    "nz": "new-zealand",
    "ing": "ing",
    "ing/goe": "ing",
    "goe": "ing",
    "jp": "japanese",
    "jpn": "japanese",
    "cn": "chinese",
    "kr": "korean",
}


def parse_rules(text: str) -> Ruleset | None:
    """Return the ruleset that a record's or server's text names in any spelling, or None."""
    letters = "".join(letter for letter in text.casefold() if letter.isalpha())
    if (words := text.casefold().split()) and words[0] in _ABBREVIATIONS:
        return RULESETS[_ABBREVIATIONS[words[0]]]
    return next((RULESETS[name] for spelling, name in _SPELLINGS.items() if spelling in letters), None)
