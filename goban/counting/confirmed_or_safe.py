"""Whether the count of a finished position is confirmed, safe or not safe, and the sentence about it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from goban.counting.counted_score import format_result
from goban.counting.estimate import State, first_that_holds
from goban.counting.finished_or_not import OPEN_EMPTY
from goban.counting.languages import say

if TYPE_CHECKING:
    from goban.counting.count_estimate import Count


def state_of(answer: "Count") -> State:
    """Return whether a count is confirmed by the record, safe by the board, or unsafe."""
    if answer.confirmed:
        return "confirmed"
    doubtful = answer.reasons or answer.changed_by_claims or answer.second_opinion is not None
    return "unsafe" if doubtful or answer.contradicts is not None else "safe"


def trust_in(answer: "Count") -> str:
    """Return a sentence that says whether a count can be trusted, and why or why not."""
    recorded, counted = map(format_result, answer.contradicts or (0, 0))
    values = {"recorded": recorded, "counted": counted, "program": answer.second_opinion, "reasons": _reasons(answer)}
    return say(first_that_holds(_TRUST, answer), **values)


def _is_confirmed_with_protective_moves(answer: "Count") -> bool:
    return answer.confirmed and answer.protected


def _is_confirmed(answer: "Count") -> bool:
    return answer.confirmed


def _is_safe_as_claimed(answer: "Count") -> bool:
    return answer.safe and answer.claimed


def _is_safe(answer: "Count") -> bool:
    return answer.safe


def _differs_from_the_record(answer: "Count") -> bool:
    return answer.contradicts is not None and not answer.claimed


def _ignores_claims(answer: "Count") -> bool:
    return bool(answer.ignored.any())


def _has_a_second_opinion(answer: "Count") -> bool:
    return bool(answer.second_opinion)


def _is_open_for_all_claims(answer: "Count") -> bool:
    return answer.claimed and int(answer.uncertain_points.sum()) > OPEN_EMPTY * answer.position.stones.size


def _changes_other_groups(answer: "Count") -> bool:
    return bool(answer.also_changed.any())


def _has_claims_and_no_doubts(answer: "Count") -> bool:
    return answer.claimed and not answer.reasons


def _is_doubtful(answer: "Count") -> bool:
    return not answer.safe


_TRUST: Final[tuple[tuple[str, Callable[["Count"], bool]], ...]] = (
    ("trust_confirmed_protected", _is_confirmed_with_protective_moves),
    ("trust_confirmed", _is_confirmed),
    ("trust_claims", _is_safe_as_claimed),
    ("trust_safe", _is_safe),
    ("trust_contradicts", _differs_from_the_record),
    ("trust_claims_ignored", _ignores_claims),
    ("trust_second_opinion", _has_a_second_opinion),
    ("trust_claims_open", _is_open_for_all_claims),
    ("trust_claims_change", _changes_other_groups),
    ("trust_claims", _has_claims_and_no_doubts),
    ("trust_doubt", _is_doubtful),
)
"""The sentences about trust in a count, each with its test: the first that holds is said."""


def _reasons(answer: "Count") -> str:
    """Return the first reason why a count is not safe, and how many others there are."""
    if not answer.reasons:
        return ""
    first, *others = answer.reasons
    if not others:
        return first.text
    return say(f"doubts_more_{'one' if len(others) == 1 else 'many'}", first=first.text, count=len(others))
