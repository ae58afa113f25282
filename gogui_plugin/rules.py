"""The names of rules at KGS and in KataGo."""

import json

from goban.errors import shown
from goban.fields import parse_object
from goban.kata_rules import read_rules, rules_fields
from goban.rulesets import RULESETS, Ruleset
from gogui_plugin.gtp import GtpError

KGS = {"chinese": "chinese", "aga": "aga", "japanese": "japanese", "new_zealand": "new-zealand"}


def parse_kgs_rules(text: str) -> Ruleset:
    """Return the rules of a name of `kgs-rules`; raise GtpError."""
    name = text.strip().lower()
    if name not in KGS:
        raise GtpError(f"unknown ruleset: expected {', '.join(KGS)}. Received: {shown(name)}")
    return RULESETS[KGS[name]]


def parse_kata_rules(text: str) -> Ruleset:
    """Return the rules of a name, a string of KataGo's or a JSON object of `kata-set-rules`; raise InputError."""
    rules = read_rules(parse_object(text) if text.startswith("{") else text)
    if rules.komi is not None:
        raise GtpError(f"expected rules without a komi, which the command komi sets. Received: {shown(text)}")
    return rules.ruleset


def as_kata_rules(ruleset: Ruleset) -> str:
    """Return the rules as KataGo's JSON object on one line."""
    return json.dumps(rules_fields(ruleset), separators=(",", ":"))
