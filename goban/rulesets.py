"""The terms of a game: rulesets by name, komi and handicap.

To add a ruleset, add an entry to `_REGISTERED`. `goban.katago_rules` reads rules as KataGo writes them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from math import isfinite
from typing import Final, Literal

from goban.coords import MAX_SIDE
from goban.errors import InputError, as_whole, cut, require_number, shown, suggestion, wrong_type

DEFAULT_RULES: Final = "area"
DEFAULT_KOMI: Final = 6.5  # of a game or position without one; records have `game_records.komi`
_MOST_HANDICAP: Final = MAX_SIDE**2
MAX_KOMI: Final = 400  # points for either side that commands, servers and programs may ask for

_CHOICES: Final = {"counting": ("area", "territory"), "handicap_bonus": ("none", "n", "n-1")}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules that a name stands for.

    Attributes:
        name: the name in options, answers and datasets.
        counting: what scores.
        suicide: whether suicide is allowed.
        superko: whether no position may come back; otherwise simple ko.
        handicap_bonus: points that White gets for n handicap stones: n, n-1 or none.
        spellings: each names the rules wherever it stands in the text of a record, as words of their own.
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
        """Return the points that White gets for a number of handicap stones; none for fewer than two."""
        if handicap < 2 or self.handicap_bonus == "none":
            return 0
        return handicap if self.handicap_bonus == "n" else handicap - 1


# The general names come first: a text that has other spellings as well means those.
_REGISTERED: Final = (
    Ruleset("area", "area", spellings=("area",)),
    Ruleset("territory", "territory", superko=False, spellings=("territory",)),
    Ruleset(
        "chinese", "area", handicap_bonus="n", spellings=("chinese", "china", "中国", "中國"), abbreviations=("cn",)
    ),
    Ruleset(
        "japanese",
        "territory",
        superko=False,
        spellings=("japanese", "japan", "nihon", "日本"),
        abbreviations=("jp", "jpn"),
    ),
    Ruleset(
        "korean",
        "territory",
        superko=False,
        spellings=("korean", "korea", "韩国", "韓國", "한국"),
        abbreviations=("kr",),
    ),
    Ruleset("aga", "area", handicap_bonus="n-1", spellings=("aga", "american", "french")),
    Ruleset("bga", "area", handicap_bonus="n-1", spellings=("bga", "british")),
    Ruleset("new-zealand", "area", suicide=True, spellings=("new zealand",), abbreviations=("nz",)),
    Ruleset("tromp-taylor", "area", suicide=True, spellings=("tromp taylor",), abbreviations=("tt",)),
    Ruleset("ing", "area", suicide=True, handicap_bonus="n", spellings=("ing", "goe", "应氏", "應氏")),
)
RULESETS: Final = {ruleset.name: ruleset for ruleset in _REGISTERED}
_GENERAL: Final = ("area", "territory")

BUTTON: Final = "the button"
GROUP_TAX: Final = "the tax on groups"
# What rules may have that no ruleset here counts, with the words that name it in the text of a record.
_UNCOUNTED: Final = {
    BUTTON: ("button",),
    GROUP_TAX: ("stone scoring", "stone counting", "group tax", "ancient", "还棋头", "還棋頭"),
}
_WORD: Final = re.compile(r"[a-z]+|[^\W\d_a-z]+")


@dataclass(frozen=True, slots=True, init=False)
class Terms:
    """The terms by which a game is counted.

    Attributes:
        ruleset: what scores; it may be given by its name.
        komi: points for White, without those for handicap stones.
        handicap: handicap stones, which some rules pay White for.

    Raises:
        InputError: an unknown name of a ruleset, an infinite komi, or a handicap that is not 0 to 625.
        TypeError: an attribute of another type.
    """

    ruleset: Ruleset
    komi: float
    handicap: int

    def __init__(self, ruleset: Ruleset | str, komi: float, handicap: int = 0) -> None:
        require_number("komi", komi, "points")
        if not _is_finite(komi):
            raise InputError(f"komi must be finite. Received: {_shown_points(komi)}")
        if (stones := as_whole("handicap", handicap)) < 0:
            raise InputError(f"handicap must be at least 0. Received: {shown(stones)}")
        if stones > _MOST_HANDICAP:
            raise InputError(f"handicap must be at most {_MOST_HANDICAP}. Received: {shown(stones)}")
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


def require_komi(komi: float) -> None:
    """Raise TypeError unless a komi is a number, InputError unless it is -400 to 400."""
    require_number("komi", komi, "points")
    if not -MAX_KOMI <= komi <= MAX_KOMI:
        raise InputError(f"komi must be {-MAX_KOMI}..{MAX_KOMI} points. Received: {_shown_points(komi)}")


def _is_finite(komi: float) -> bool:
    try:
        return isfinite(komi)
    except OverflowError:  # an int or fraction that is larger than any float
        return False


def _shown_points(komi: float) -> str:
    return f"{komi:g}" if isinstance(komi, float) else shown(komi)


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
    """Return the error about an unknown name of rules."""
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


@cache
def parse_rules(text: str) -> Ruleset | None:
    """Return the ruleset that a text names, among other words or not, or None.

    Of several the first is meant, and the general names only where there are no others.
    """
    phrases = list(_phrases(text))
    abbreviated = (ruleset for ruleset in _REGISTERED if set(phrases[:1]) & set(ruleset.abbreviations))
    named = [ruleset for phrase in phrases for ruleset in _REGISTERED if _names(ruleset.spellings, phrase)]
    exact = (ruleset for ruleset in named if ruleset.name not in _GENERAL)
    return next(abbreviated, next(exact, next(iter(named), None)))


def uncounted_words(text: str) -> str:
    """Return the parts of the rules in a text that no ruleset here counts, "" for none."""
    found = [name for name, words in _UNCOUNTED.items() if any(_names(words, each) for each in _phrases(text))]
    return " and ".join(found)


def _names(spellings: tuple[str, ...], phrase: str) -> bool:
    """Return whether a phrase is one of the spellings, or contains one of the languages without spaces."""
    return any(_letters(each) == phrase if each.isascii() else each in phrase for each in spellings)


def _phrases(text: str) -> Iterator[str]:
    """Yield each word of a text, and together with the next one, in order, in small letters, without a last "rules"."""
    words = _WORD.findall(re.sub("(?<=[a-z])(?=[A-Z])", " ", text).casefold())
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        yield word.removesuffix("rules") or word
        yield word + following.removesuffix("rules")


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalpha())
