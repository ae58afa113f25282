"""The JSON of a score, declared once: each key with its JSON schema, its meaning, and its value.

`ownership score --json` and POST /score write it, OpenAPI describes it, and docs/scoring.md and docs/serve.md list it.
"""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np

from goban import text_diagram
from goban.coords import colour_name, gtp_name, gtp_names
from goban.counting.count_estimate import Count
from goban.counting.doubts import DOUBT_KINDS
from goban.counting.estimate import STATES, Estimate
from goban.json_schema import (
    FLAG,
    NUMBER,
    PLAYER,
    STRING,
    VERTICES,
    WHOLE,
    JsonSchema,
    array,
    choice,
    example,
    fixed,
    nullable,
    object_of,
    said,
)
from ownership.scoring.record_comparison import EXPLANATIONS
from ownership.scoring.record_text import differing_territory
from ownership.scoring.score_figures import interval_text, likely_moves, points_text
from ownership.scoring.scored_game import ScoredGame

_Answer = TypeVar("_Answer", Estimate, ScoredGame)

_LISTED: Final = 10  # likely moves
_ROWS: Final = array(example("..XO."))
_CHAIN: Final = object_of({"colour": PLAYER, "points": VERTICES, "lives": NUMBER})
_REASON: Final = object_of({"kind": choice(*DOUBT_KINDS), "text": STRING, "points": VERTICES, "worth": NUMBER})
_OWNERS: Final = array(array({**NUMBER, "minimum": -1, "maximum": 1}))
_TERMS: Final = object_of({"rules": STRING, "komi": NUMBER})
_FIGURES: Final = object_of({"black": STRING, "white": STRING, "interval": nullable(fixed(STRING, STRING))})


class ScoreKey(NamedTuple, Generic[_Answer]):
    """A key of an object.

    Attributes:
        name: as it is written.
        schema: of its value.
        meaning: of its value, in Markdown.
        value: of an answer, of JSON's types.
    """

    name: str
    schema: JsonSchema
    meaning: str
    value: Callable[[_Answer], Any]


def _same(name: str, schema: JsonSchema, meaning: str) -> ScoreKey[Estimate]:
    """Return the key of an attribute of the same name."""
    return ScoreKey(name, schema, meaning, attrgetter(name))


def _mask(name: str, meaning: str) -> ScoreKey[Estimate]:
    """Return the key of the vertices of a mask."""
    return ScoreKey(name, VERTICES, meaning, lambda answer: gtp_names(getattr(answer, name)))


def _number(name: str, meaning: str, digits: int = 2) -> ScoreKey[Estimate]:
    """Return the key of a number that is rounded."""
    return ScoreKey(name, NUMBER, meaning, lambda answer: _rounded(getattr(answer, name), digits))


GAME: Final[tuple[ScoreKey[ScoredGame], ...]] = (
    ScoreKey("source", STRING, "[the name of the game](records.md)", lambda scored: scored.game.source),
    ScoreKey("moves", WHOLE, "moves played before the position", lambda scored: scored.move),
    ScoreKey(
        "assumed",
        array(choice("rules", "komi", "handicap")),
        "terms that the record leaves open, [assumed](counting.md#rules-and-komi): rules, komi, handicap",
        lambda scored: list(scored.assumed),
    ),
)
POSITION: Final[tuple[ScoreKey[Estimate], ...]] = (
    _same("verdict", STRING, "who wins or leads, and by how much"),
    _same("trust", STRING, "whether the score can be trusted, and why"),
    ScoreKey("side", WHOLE, "N of an N by N board", lambda answer: answer.position.side),
    _same("rules", STRING, "counted by these rules"),
    _same("komi", NUMBER, "points for White, without those for handicap stones"),
    ScoreKey(
        "to_move",
        PLAYER,
        "whose turn it is, black or white",
        lambda answer: colour_name(answer.position.to_move).lower(),
    ),
    _same("finished", FLAG, "whether the position is counted; otherwise the score is the expected one"),
    _same("safe", FLAG, "whether the count is [confirmed or safe](counting.md#confirmed-safe-not-safe)"),
    _same(
        "state",
        choice(*STATES),
        "what is known about the score: counted, and confirmed, safe or unsafe; or open, and expected",
    ),
    ScoreKey(
        "reasons",
        array(_REASON),
        "why a count may be wrong on the board alone, what matters most first: `kind`, `text`, `points` (of stones, or"
        " empty), and `worth`, by how many points the count changes",
        lambda answer: _reasons(answer),
    ),
    ScoreKey(
        "ownership",
        _OWNERS,
        "N rows of N numbers from -1 (White's) to 1 (Black's), top row first; P(Black owns it) is (1 + x) / 2",
        lambda answer: (np.round(answer.ownership.astype(np.float64), 3) + 0.0).tolist(),  # without -0.0
    ),
    ScoreKey(
        "owner",
        _ROWS,
        'N rows such as `"XX.O"`: who gets each point; `.` is neutral or open',
        lambda answer: text_diagram.rows(answer.owner),
    ),
    _mask("dead", "dead stones of both colours"),
    _mask("seki", "stones in seki"),
    ScoreKey(
        "in_doubt",
        array(_CHAIN),
        "chains whose status may be wrong: `colour`, `points`, and the probability `lives`",
        lambda answer: _doubtful(answer),
    ),
    _mask("read", "stones whose status reading has decided"),
    _mask("also_changed", "stones whose status marks of others change"),
    _mask("ignored", "stones marked dead that stay because they lie in their own side's area"),
    _mask("unsettled", "points whose owner depends on who moves next, or on a ko; never any in a safe count"),
    _mask("gaps", "points that close [open borders](counting.md#the-count); neither side gets them"),
    _mask("teire", "points that their owner has to fill once the dame are filled, by territory rules"),
    _mask("uncertain_points", "empty points whose owner is not certain"),
    _number("black", "Black's points"),
    _number("white", "White's points, with komi"),
    _same(
        "before_further_stones",
        FLAG,
        "whether each side's further stones are still to be deducted from its points, by territory rules",
    ),
    _number("score", "Black minus White, komi included"),
    _same("result", example("B+8.5"), 'the score as in a game record: `"B+8.5"`, `"W+0.5"` or `"0"`'),
    ScoreKey(
        "interval",
        nullable(fixed(NUMBER, NUMBER)),
        "the final score lies between these in 90% of positions; null for a count",
        lambda answer: answer.interval and [_rounded(bound) for bound in answer.interval],
    ),
    ScoreKey(
        "black_wins",
        nullable(NUMBER),
        "probability that Black wins; null for a count",
        lambda answer: None if answer.black_wins is None else _rounded(answer.black_wins, 4),
    ),
)
COMPARISON: Final[tuple[ScoreKey[ScoredGame], ...]] = (
    ScoreKey("model", STRING, "name of the model", lambda scored: scored.model),
    ScoreKey(
        "recorded",
        nullable(STRING),
        "the result in the record; null for none",
        lambda scored: scored.game.result.text or None,
    ),
    ScoreKey(
        "difference",
        nullable(NUMBER),
        "the count by the record's terms less the recorded score; null unless both are counted, at the end of the game",
        lambda scored: _difference(scored),
    ),
    ScoreKey(
        "difference_is",
        nullable(choice(*EXPLANATIONS)),
        "what [explains a difference](counting.md#compared-with-the-record): komi, twice the komi, handicap, territory"
        " marks; else null",
        lambda scored: scored.comparison and scored.comparison.reason,
    ),
    ScoreKey(
        "record_terms",
        nullable(_TERMS),
        "`rules` and `komi` of the record, if `difference` is by these and the count by others; else null",
        lambda scored: _record_terms(scored),
    ),
    ScoreKey(
        "broken_off",
        FLAG,
        "whether the record [breaks off](records.md), or has an illegal move, so that moves may be missing",
        lambda scored: scored.game.broken_off,
    ),
    ScoreKey(
        "notes",
        array(STRING),
        "parts of the record that were skipped, or read otherwise than written",
        lambda scored: list(scored.game.notes),
    ),
    ScoreKey(
        "territory_differs",
        nullable(VERTICES),
        "points to which the record's `TB` and `TW` give another owner; null for no marks",
        lambda scored: _differing_territory(scored),
    ),
    ScoreKey(
        "second_opinion",
        nullable(STRING),
        "the program that decided about chains in doubt, such as `GNU Go 3.8`; null for none",
        lambda scored: scored.estimate.second_opinion,
    ),
    ScoreKey(
        "next_moves",
        nullable(array(fixed(STRING, NUMBER))),
        "the ten likeliest next moves, each a vertex and a probability; null at the end, or without a policy",
        lambda scored: None if scored.policy is None else [list(move) for move in likely_moves(scored, _LISTED)],
    ),
)
BOARD: Final[tuple[ScoreKey[ScoredGame], ...]] = (
    ScoreKey(
        "stones",
        _ROWS,
        "rows of `X` Black, `O` White, `.` empty",
        lambda scored: text_diagram.rows(scored.position.stones),
    ),
    ScoreKey(
        "certain", WHOLE, "number of points whose owner is certain", lambda scored: int(scored.estimate.decided.sum())
    ),
    ScoreKey(
        "ko",
        nullable(example("D4")),
        "the vertex that ko forbids to the side to move; null for none",
        lambda scored: None if scored.position.ko < 0 else gtp_name(scored.position.ko, scored.position.side),
    ),
    ScoreKey(
        "figures",
        _FIGURES,
        "`black`, `white` and `interval` (null for a count) as text, in an open game rounded to 0.1",
        lambda scored: _figures(scored.estimate),
    ),
    ScoreKey(
        "counts_prisoners",
        FLAG,
        "whether the rules count prisoners",
        lambda scored: scored.estimate.terms.ruleset.counting == "territory",
    ),
    ScoreKey(
        "sheet",
        nullable(array(fixed(STRING, NUMBER, NUMBER))),
        "parts of the score, each a name, Black's points and White's; null while the game goes on",
        lambda scored: [*scored.estimate.counted.rows] if isinstance(scored.estimate, Count) else None,
    ),
)
KEYS: Final[tuple[ScoreKey[Any], ...]] = (*GAME, *POSITION, *COMPARISON)
"""The keys of a game in `ownership score --json`."""
SCORE: Final[Mapping[str, JsonSchema]] = {key.name: said(key.schema, key.meaning) for key in (*KEYS, *BOARD)}
"""The schema of each key of the answer to POST /score."""


def as_json(answer: Estimate | ScoredGame) -> dict[str, Any]:
    """Return an estimate, or a scored game with more keys, as JSON values; docs/scoring.md lists the keys."""
    if isinstance(answer, Estimate):
        return _values(POSITION, answer)
    return _values(GAME, answer) | _values(POSITION, answer.estimate) | _values(COMPARISON, answer)


def as_board_json(scored: ScoredGame) -> dict[str, Any]:
    """Return the answer to POST /score: the same, and the keys that a program needs to draw the board."""
    return as_json(scored) | _values(BOARD, scored)


def _values(keys: Iterable[ScoreKey[_Answer]], answer: _Answer) -> dict[str, Any]:
    return {key.name: key.value(answer) for key in keys}


def _doubtful(answer: Estimate) -> list[dict[str, Any]]:
    return [
        {
            "colour": colour_name(chain.colour).lower(),
            "points": [gtp_name(point, answer.position.side) for point in chain.points],
            "lives": _rounded(chain.lives, 3),
        }
        for chain in answer.in_doubt
    ]


def _reasons(answer: Estimate) -> list[dict[str, Any]]:
    side = answer.position.side
    return [
        {
            "kind": reason.kind,
            "text": reason.text,
            "points": [gtp_name(point, side) for point in reason.points],
            "worth": reason.worth,
        }
        for reason in answer.reasons
    ]


def _difference(scored: ScoredGame) -> float | None:
    return None if scored.comparison is None else round(scored.comparison.difference, 2)


def _record_terms(scored: ScoredGame) -> dict[str, Any] | None:
    found = scored.comparison
    if found is None or found.terms == scored.estimate.terms:
        return None
    return {"rules": found.terms.ruleset.name, "komi": found.terms.komi}


def _differing_territory(scored: ScoredGame) -> list[str] | None:
    differs = differing_territory(scored)
    return None if differs is None else gtp_names(differs)


def _figures(answer: Estimate) -> dict[str, Any]:
    black, white = points_text(answer)
    return {"black": black, "white": white, "interval": answer.interval and interval_text(answer.interval)}


def _rounded(number: float, digits: int = 2) -> float:
    """Return a rounded number, never -0.0."""
    return round(float(number), digits) + 0.0
