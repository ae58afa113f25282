"""Rulesets by name: what is counted, which moves are allowed, and how records and servers spell the name.

To add a ruleset, add an entry to `_REGISTERED`.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Final, Literal

from goban.errors import InputError, as_whole, cut, require_number, suggestion, wrong_type

_CHOICES: Final = {"counting": ("area", "territory"), "handicap_bonus": ("none", "n", "n-1")}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What a name of rules stands for.

    Attributes:
        name: the name in options, answers and datasets.
        counting: what scores.
        suicide: whether suicide is allowed.
        superko: whether no position may come back; otherwise simple ko.
        handicap_bonus: points that White gets for n handicap stones: n, n-1 or none.
        spellings: each names the rules wherever the letters in the text of a record contain it.
        abbreviations: each names the rules if it is the first word of the text of a record.

    Raises:
        InputError: no such way of counting, or bonus.
    """

    name: str
    counting: Literal["area", "territory"]
    suicide: bool = False
    superko: bool = True
    handicap_bonus: Literal["none", "n", "n-1"] = "none"
    spellings: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            if (value := getattr(self, name)) not in known:
                raise InputError(f"{name} must be one of {', '.join(known)}. Received: {cut(str(value))}")

    def bonus(self, handicap: int) -> int:
        """Return the points that White gets for so many handicap stones; none for fewer than two."""
        if handicap < 2 or self.handicap_bonus == "none":
            return 0
        return handicap if self.handicap_bonus == "n" else handicap - 1


# Where a text has spellings of several rulesets, the last of them here is meant: the general names come first.
_REGISTERED: Final = (
    Ruleset("area", "area", spellings=("area",)),
    Ruleset("territory", "territory", superko=False, spellings=("territory",)),
    Ruleset("chinese", "area", handicap_bonus="n", spellings=("chin", "中国", "中國"), abbreviations=("cn",)),
    Ruleset("japanese", "territory", superko=False, spellings=("japan", "nihon", "日本"), abbreviations=("jp", "jpn")),
    Ruleset("korean", "territory", superko=False, spellings=("korea", "韩国", "韓國", "한국"), abbreviations=("kr",)),
    Ruleset("aga", "area", handicap_bonus="n-1", spellings=("aga", "american", "french")),
    Ruleset("bga", "area", handicap_bonus="n-1", spellings=("bga", "british")),
    Ruleset("new-zealand", "area", suicide=True, spellings=("newzealand",), abbreviations=("nz",)),
    Ruleset("tromp-taylor", "area", suicide=True, spellings=("tromptaylor",), abbreviations=("tt",)),
    Ruleset("ing", "area", suicide=True, handicap_bonus="n", abbreviations=("ing", "ing/goe", "goe")),
)
RULESETS: Final = {ruleset.name: ruleset for ruleset in _REGISTERED}


@dataclass(frozen=True, slots=True, init=False)
class Terms:
    """What a game is counted by.

    Attributes:
        ruleset: what scores; it may be given by its name.
        komi: points for White, without those for handicap stones.
        handicap: handicap stones, which some rules pay White for.

    Raises:
        InputError: an unknown name of a ruleset, an infinite komi, or a negative handicap.
        TypeError: an attribute of another type.
    """

    ruleset: Ruleset
    komi: float
    handicap: int

    def __init__(self, ruleset: Ruleset | str, komi: float, handicap: int = 0) -> None:
        require_number("komi", komi, "points")
        if not isfinite(komi):
            raise InputError(f"komi must be finite. Received: {komi}")
        if as_whole("handicap", handicap) < 0:
            raise InputError(f"handicap must be at least 0. Received: {handicap}")
        object.__setattr__(self, "ruleset", as_ruleset(ruleset))
        object.__setattr__(self, "komi", komi)
        object.__setattr__(self, "handicap", handicap)

    @property
    def bonus(self) -> int:
        """White's points for the handicap stones."""
        return self.ruleset.bonus(self.handicap)

    @property
    def total_komi(self) -> float:
        """Everything that is added to White's points: the komi and the bonus for handicap stones."""
        return self.komi + self.bonus


def find_rules(text: str, option: str = "rules") -> Ruleset:
    """Return the ruleset of a name or spelling, in any case, with or without hyphens and a last word "rules".

    Args:
        text: such as "New Zealand" or "jp".
        option: what the message calls the text.

    Raises:
        InputError: another text.
    """
    known = {
        _letters(name): ruleset
        for ruleset in _REGISTERED
        for name in (ruleset.name, *ruleset.spellings, *ruleset.abbreviations)
    }
    found = known.get(_letters(text), known.get(_letters(text).removesuffix("rules")))
    if found is None:
        raise wrong_rules(cut(text) + suggestion(text.casefold(), [*RULESETS, *known]), option)
    return found


def wrong_rules(received: str, option: str = "rules") -> InputError:
    """Return the error about what names no ruleset."""
    return InputError(f"{option} must be one of {', '.join(RULESETS)}. Received: {received}")


def as_ruleset(rules: Ruleset | str) -> Ruleset:
    """Return a ruleset, which may be given by any name that `find_rules` knows.

    Raises:
        InputError: another name.
        TypeError: neither a ruleset nor a name.
    """
    if not isinstance(rules, Ruleset | str):
        raise wrong_type("a ruleset or its name", rules)
    return find_rules(rules) if isinstance(rules, str) else rules


def parse_rules(text: str) -> Ruleset | None:
    """Return the ruleset that the text of a record names, among other words or not, or None."""
    letters = _letters(text)
    first = text.casefold().split()[:1]
    abbreviated = (ruleset for ruleset in _REGISTERED if set(first) & set(ruleset.abbreviations))
    spelled = (
        ruleset for ruleset in reversed(_REGISTERED) if any(_letters(name) in letters for name in ruleset.spellings)
    )
    return next(abbreviated, next(spelled, None))


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalpha())
