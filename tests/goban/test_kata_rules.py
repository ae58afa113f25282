"""KataGo's rules: names, objects and strings."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.errors import InputError
from goban.katago_rules import read_rules, record_rules, record_uncounted, rules_fields, string_fields, uncounted
from goban.rulesets import RULESETS, Ruleset

FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "ko": st.sampled_from(["SIMPLE", "POSITIONAL", "SITUATIONAL"]),
        "scoring": st.sampled_from(["AREA", "TERRITORY"]),
        "tax": st.sampled_from(["NONE", "SEKI", "ALL"]),
        "suicide": st.booleans(),
        "hasButton": st.booleans(),
        "whiteHandicapBonus": st.sampled_from(["0", "N", "N-1"]),
        "friendlyPassOk": st.booleans(),
        "komi": st.integers(-800, 800).map(lambda halves: halves / 2),
    },
)
SHORT = {
    "scoring": "score",
    "suicide": "sui",
    "hasButton": "button",
    "whiteHandicapBonus": "whb",
    "friendlyPassOk": "fpok",
}


def as_string(fields: dict[str, Any]) -> str:
    """Write fields as KataGo does."""
    return "".join(
        SHORT.get(name, name) + (str(int(value)) if isinstance(value, bool) else str(value))
        for name, value in fields.items()
    )


@given(FIELDS)
def test_a_string_means_the_same_as_its_object(fields: dict[str, Any]) -> None:
    assert string_fields(as_string(fields)) == (fields or None)
    if not fields:
        return
    part = uncounted(fields)
    for value in (fields, as_string(fields)):
        if part:
            with pytest.raises(InputError, match=f"^expected rules without {part}, which this program does not count"):
                read_rules(value)
        else:
            ruleset, komi = read_rules(value)
            assert rules_fields(ruleset) | {"komi": komi} == {
                **rules_fields(Ruleset("area", "area", suicide=True)),  # what KataGo assumes
                **({"tax": "SEKI"} if ruleset.counting == "territory" else {}),
                "komi": None,
                **fields,
                "ko": {"SITUATIONAL": "POSITIONAL"}.get(fields.get("ko", ""), fields.get("ko", "POSITIONAL")),
                "friendlyPassOk": True,
                "hasButton": False,
            }


@given(FIELDS, st.sampled_from(["AREA", "TERRITORY"]))
def test_a_string_in_a_record_scores_as_it_says(fields: dict[str, Any], scoring: str) -> None:
    fields = {**fields, "scoring": scoring}
    ruleset = record_rules(as_string(fields))
    assert ruleset is not None and ruleset.counting == scoring.lower()
    assert ruleset.bonus(5) == {"0": 0, "N": 5, "N-1": 4}[fields.get("whiteHandicapBonus", "0")] or scoring != "AREA"
    assert record_uncounted(as_string(fields)) == uncounted(fields)


@given(st.text(alphabet="koscreingtaxSIMPLEAREANONE01-7. whbfpuNd", max_size=60) | st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(read_rules(text).ruleset, Ruleset)
    except InputError as error:
        assert "Received: " in str(error)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *((name, name) for name in RULESETS),
        ("Chinese_OGS", "chinese"),
        ("chinesekgs", "chinese"),
        ("nz", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("jp", "japanese"),
        ("Japan", "japanese"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert read_rules(text) == (RULESETS[name], None)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("aga_button", "expected rules without the button, which this program does not count. Received: 'aga_button'"),
        ("Stone Scoring", "expected rules without the tax on groups"),
        ("ancient-territory", "expected rules without the tax on groups"),
        ("koSIMPLEscoreAREAtaxSEKIsui0button1", "expected rules without the button and the tax on seki"),
        ("koSIMPLEscoreTERRITORYtaxNONEsui0", "expected rules without points in seki"),
        ("koSPIGHTscoreAREA", "expected ko to be one of POSITIONAL, SITUATIONAL, SIMPLE. Received: 'SPIGHT'"),
        ("koPOSITIONALscore", "unknown ruleset"),
        ("komi7.25", "expected a whole or half number -400..400. Received: 7.25"),
        ({"komi": 401}, "expected a whole or half number -400..400. Received: 401"),
        ({"tax": "SOME"}, "expected tax to be one of NONE, SEKI, ALL. Received: 'SOME'"),
        ({"suicide": "True"}, "expected suicide to be one of true, false. Received: 'True'"),
        ({"friendlyPassOk": 7}, "expected friendlyPassOk to be one of false, true. Received: 7"),
        ({"whiteHandicapBonus": 0}, "expected whiteHandicapBonus to be one of 0, N, N-1. Received: 0"),
        ({"scoringRule": "AREA"}, "friendlyPassOk. Received: 'scoringRule'"),
    ],
)
def test_other_rules_are_refused(value: str | dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        read_rules(value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Japanese", "japanese"),
        ("JAPANESE", "japanese"),
        ("jp", "japanese"),
        ("日本ルール", "japanese"),
        ("Korean", "korean"),
        ("韩国规则", "korean"),
        ("chinese", "chinese"),
        ("Chinese rules", "chinese"),
        ("中国规则", "chinese"),
        ("cn", "chinese"),
        ("AGA", "aga"),
        ("aga rules", "aga"),
        ("BGA", "bga"),
        ("British", "bga"),
        ("NZ", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("new-zealand", "new-zealand"),
        ("Tromp-Taylor", "tromp-taylor"),
        ("tromp taylor rules", "tromp-taylor"),
        ("Ing", "ing"),
        ("GOE", "ing"),
        ("Ing (SST)", "ing"),
        ("Ing's SST", "ing"),
        ("Ing/GOE", "ing"),
        ("Japanese, played against the clock", "japanese"),
        ("Chinese (magazine)", "chinese"),
        ("Chinese, not Japanese", "chinese"),
        ("Managed by the Korean league", "korean"),
        ("ChineseRules", "chinese"),
        ("chinese_rules", "chinese"),
        ("AGA (area)", "aga"),
        ("area, as in the AGA", "aga"),
        ("日本囲碁規約", "japanese"),
        ("應氏計點", "ing"),
        ("koPOSITIONALscoreAREAtaxNONEsui0button1whbNfpok1", "chinese"),
        ("koSITUATIONALscoreAREAtaxNONEsui0whbN-1", "aga"),
        ("koPOSITIONALscoreAREAtaxNONEsui0", "area"),
        ("koPOSITIONALscoreAREAtaxNONEsui1", "new-zealand"),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0", "territory"),
        ("koSPIGHTscoreTERRITORY taxSEKI komi6.5", "territory"),
        ("area", "area"),
        ("territory", "territory"),
    ],
)
def test_rules_in_a_record(text: str, name: str) -> None:
    assert record_rules(text) == RULESETS[name]


@pytest.mark.parametrize(
    "text", ["", "?", "house rules", "reading", "blitz", "6.5", "machine", "played in Chinatown", "komi7.5"]
)
def test_unknown_rules(text: str) -> None:
    assert record_rules(text) is None


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("AGA button", "the button"),
        ("aga-button", "the button"),
        ("Chinese, with a Button", "the button"),
        ("buttonhole rules", ""),
        ("stone scoring", "the tax on groups"),
        ("ancient-territory", "the tax on groups"),
        ("Chinese, with a group tax", "the tax on groups"),
        ("中国古代 还棋头", "the tax on groups"),
        ("koPOSITIONALscoreAREAtaxNONEsui0button1whbNfpok1", "the button"),
        ("koPOSITIONALscoreAREAtaxALLsui0button1", "the button and the tax on groups"),
        ("koSIMPLEscoreAREAtaxSEKIsui0", "the tax on seki"),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0", ""),
        ("koSIMPLEscoreTERRITORYtaxNONEsui0", "points in seki"),
        ("koPOSITIONALscoreAREAtaxNONEsui0button0whb0", ""),
        *((name, "") for name in RULESETS),
    ],
)
def test_what_rules_have_that_is_not_counted(text: str, left_out: str) -> None:
    assert record_uncounted(text) == left_out


@pytest.mark.parametrize("name", RULESETS)
def test_every_name_of_rules_is_parsed(name: str) -> None:
    assert record_rules(name) is RULESETS[name]
