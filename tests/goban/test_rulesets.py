"""Names of rules that options take."""

import pytest

from goban.errors import InputError
from goban.rulesets import RULESETS, as_ruleset, find_rules


@pytest.mark.parametrize("name", RULESETS)
def test_every_name_is_found(name: str) -> None:
    assert find_rules(name) is find_rules(f"{name.upper()} rules") is RULESETS[name]


@pytest.mark.parametrize(
    ("text", "name"),
    [("New Zealand", "new-zealand"), ("jp", "japanese"), ("TrompTaylor", "tromp-taylor"), ("中国", "chinese")],
)
def test_spellings(text: str, name: str) -> None:
    assert find_rules(text) is RULESETS[name]


@pytest.mark.parametrize(
    ("text", "meant"),
    [("japanesee", "japanese"), ("areas", "area"), ("chinesse", "chinese"), ("tromp-tailor", "tromp-taylor")],
)
def test_other_texts_name_the_nearest_rules(text: str, meant: str) -> None:
    with pytest.raises(InputError, match=rf"--rules must be one of area, .* Received: {text}; did you mean {meant}\?"):
        find_rules(text, "--rules")


def test_of_a_long_text_only_the_beginning_is_named() -> None:
    with pytest.raises(InputError, match=rf"Received: {'x' * 60}\.\.\.$"):
        find_rules("x" * 5000)


@pytest.mark.parametrize("text", ["", "rules", "7", "klingon"])
def test_texts_that_are_like_no_rules(text: str) -> None:
    with pytest.raises(InputError, match=rf"one of area, .*\. Received: {text}$"):
        find_rules(text)


@pytest.mark.parametrize("rules", [None, 7])
def test_what_is_neither_a_ruleset_nor_a_name(rules: object) -> None:
    with pytest.raises(TypeError, match=rf"expected a ruleset or its name\. Received: \w+ {rules}"):
        as_ruleset(rules)  # type: ignore[arg-type]
