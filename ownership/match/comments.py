"""Records with comments on the score and the ownership of every position."""

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from game_records.sgf_grammar import escape_value
from game_records.sgf_tree import read_tree, write_tree
from goban.counting.estimate_position import estimate
from goban.rulesets import RULESETS, Terms
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_figures import headline

_LEVELS = 9


def annotated(game: GameRecord, evaluator: Evaluator | None, remark: str = "") -> bytes:
    """Return the game as SGF, with a comment at every position.

    A comment holds the score in one line, and the ownership in one line of digits for each row of the board: from 0 for
    White's points to 9 for Black's.

    Args:
        game: the record.
        evaluator: the model; None for no comments.
        remark: put before the last comment.
    """
    tree = read_tree(game.to_sgf())
    comments = [""] * len(tree.nodes)
    if evaluator is not None:
        comments = _comments(game, evaluator)
    comments[-1] = "\n".join(part for part in (remark, comments[-1]) if part)
    for node, comment in zip(tree.nodes, comments, strict=True):
        if comment:
            node["C"] = [escape_value(comment)]
    return write_tree(tree)


def _comments(game: GameRecord, evaluator: Evaluator) -> list[str]:
    positions = list(game.positions())
    terms = Terms(RULESETS[game.rules], game.komi, game.handicap)
    found = []
    for position, prediction in zip(positions, evaluator.evaluate(positions, terms=terms), strict=True):
        answer = estimate(position, prediction.owners, terms, forecast=prediction.forecast)
        found.append(f"{headline(answer)}\n{digits(prediction.owners)}")
    return found


def digits(ownership: NDArray[np.float32]) -> str:
    """Return ownership float32 (N, N) as rows of digits, 0 for White's points up to 9 for Black's."""
    levels = np.rint((1 + ownership) / 2 * _LEVELS).astype(int)
    return "\n".join("".join(map(str, row)) for row in levels.tolist())
