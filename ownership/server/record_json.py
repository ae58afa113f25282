"""Records as JSON values: a game with all that the page shows of it, the games of a file, and refusals."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game_records.assumed_terms import excludes_its_komi, may_lack_komi
from game_records.game_record import GameRecord, printable
from game_records.node_comments import comments
from game_records.node_marks import marks
from game_records.record_errors import RecordError
from game_records.sgf_tree import SgfTree, main_line_by_ply, read_tree, write_tree
from game_records.variations import variations
from goban.coords import BLACK, WHITE, colour_name, gtp_names
from goban.move_notation import named_moves
from ownership.review.move_losses import noise, reviewed_moves
from ownership.review.read_analysis import recorded_review
from ownership.review.review_json import players_json, position_json
from ownership.server.request_limits import MOST_VARIATIONS


def game_json(game: GameRecord, data: bytes) -> dict[str, Any]:
    """Return a record as JSON values: the header, points as vertices, the first variations, and `data`, its SGF.

    What it has in common with `score` has the same names and values; what the record leaves open is null.
    """
    setup = game.setup.reshape(game.side, game.side)
    komi_known = game.komi_given and not excludes_its_komi(game)
    tree = read_tree(data)
    return {
        "side": game.side,
        "black_stones": gtp_names(setup == BLACK),
        "white_stones": gtp_names(setup == WHITE),
        "to_move": colour_name(game.to_move).lower(),
        "moves": game.moves,
        "komi": game.komi if komi_known else None,
        "may_lack_komi": may_lack_komi(game),
        "handicap": game.handicap,
        "rules": game.rules or None,
        "recorded": game.result.text or None,
        "black": game.black,
        "white": game.white,
        "black_rank": game.black_rank,
        "white_rank": game.white_rank,
        "date": game.date,
        "name": game.name,
        "handicap_from": game.handicap_from,
        "broken_off": game.broken_off,
        "notes": list(game.notes),
        "illegal_move": _illegal_move(game),
        "prisoners": dict(zip(("black", "white"), game.prisoners, strict=True)),
        "territory": {} if game.territory is None else _territory(game.territory.reshape(setup.shape)),
        "comments": _by_number(game.comments),
        "marks": _by_number(marks(((ply, tree.nodes[number]) for ply, number in main_line_by_ply(tree)), game.side)),
        "variations": [
            {
                "after": line.after,
                "moves": named_moves(line.moves, game.side),
                "comments": _by_number(comments(line.nodes)),
                "marks": _by_number(marks(line.nodes, game.side)),
            }
            for line in islice(variations(tree, game.side), MOST_VARIATIONS)
            if line.after <= len(game.move_points)
        ],
        "review": _review(game, tree),
        "sgf": write_tree(tree).decode(),
    }


def _review(game: GameRecord, tree: SgfTree) -> dict[str, Any] | None:
    """Return the review that a record holds, None for none; `players` only if it has all positions."""
    positions = recorded_review(game, tree)
    if not positions:
        return None
    moves = reviewed_moves(positions)
    by_number = {move.number: move for move in moves}
    described = [position_json(each, by_number.get(each.move)) for each in positions]
    for each in described:
        del each["ownership"]
    return {
        "noise": round(noise(game.side), 4),
        "positions": described,
        "players": players_json(moves) if len(positions) == len(game.move_points) + 1 else None,
    }


def _by_number(said: Mapping[int, Any]) -> dict[str, Any]:
    """Return what is said about positions as JSON values."""
    return {str(move): each for move, each in said.items()}


def refusal_json(error: Exception) -> dict[str, Any]:
    """Return what is wrong with a request, and the reason why a record cannot be used, as JSON values."""
    reason = {"reason": error.reason} if isinstance(error, RecordError) else {}
    return {"error": printable(str(error)), **reason}


def listing_json(count: int, games: Iterable[GameRecord | RecordError]) -> dict[str, Any]:
    """Return a list of the first games of `count` as JSON values."""
    return {"count": count, "games": list(map(_entry, games))}


def _entry(game: GameRecord | RecordError) -> dict[str, Any]:
    """Return the entry of one game in the list: players and result, or why it cannot be used."""
    if isinstance(game, RecordError):
        return refusal_json(game)
    names = ("black", "white", "black_rank", "white_rank", "date")
    return {name: getattr(game, name) for name in names} | {
        "recorded": game.result.text or None,
        "length": len(game.move_points),
    }


def _illegal_move(game: GameRecord) -> dict[str, Any] | None:
    move = game.illegal_move
    return None if move is None else asdict(move) | {"colour": colour_name(move.colour).lower()}


def _territory(marked: NDArray[np.int8]) -> dict[str, list[str]]:
    return {name: gtp_names(marked == colour) for name, colour in (("TB", BLACK), ("TW", WHITE))}
