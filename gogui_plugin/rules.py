"""The names of rules at KGS and in KataGo."""

import json

from goban.errors import shown
from goban.rulesets import RULESETS, Ruleset
from gogui_plugin.gtp import GtpError
from ownership.analysis.rules import fields_of, named_rules, rules_of, uncounted

KGS = {"chinese": "chinese", "aga": "aga", "japanese": "japanese", "new_zealand": "new-zealand"}


def parse_kgs_rules(text: str) -> Ruleset:
    """Return the rules of a name of `kgs-rules`; raise GtpError."""
    name = text.strip().lower()
    if name not in KGS:
        raise GtpError(f"unknown ruleset: expected {', '.join(KGS)}. Received: {shown(name)}")
    return RULESETS[KGS[name]]


def parse_kata_rules(text: str) -> Ruleset:
    """Return the rules of a name, or of a JSON object, of `kata-set-rules`; raise InputError.

    GTP has no warnings, so rules of which a part is not counted are refused.
    """
    if not text.startswith("{"):
        rules, ruleset = text, named_rules(text)
    else:
        try:
            rules = json.loads(text)
        except (ValueError, RecursionError):
            raise GtpError("expected rules as JSON. Received: text that is not") from None
        ruleset = rules_of(rules)
    if left_out := uncounted(rules):
        raise GtpError(f"expected rules without {left_out}")
    return ruleset


def as_kata_rules(ruleset: Ruleset) -> str:
    """Return the rules as KataGo's JSON object on one line."""
    return json.dumps(fields_of(ruleset), separators=(",", ":"))
