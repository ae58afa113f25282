"""Records in any format: SGF, the servers' own, and boards as text."""

import numpy as np

from goban import diagram
from goban.coords import BLACK
from preprocessing.records.collection import MAX_GAME, START
from preprocessing.records.encoding import decode
from preprocessing.records.game import GameRecord, Result
from preprocessing.records.grammar import Fault
from preprocessing.records.servers import server_nodes
from preprocessing.records.sgf import RecordError, game_of_nodes, parse_game


def parse_record(data: bytes, source: str) -> tuple[GameRecord, bytes]:
    """Return the first game, or the board, in a file, and the file as SGF.

    Raises:
        RecordError: it cannot be used, or is no record.
    """
    text = decode(data[:MAX_GAME])
    if START.search(text):
        return parse_game(data, source), data
    try:
        nodes = server_nodes(text)
        if nodes is not None:
            game = game_of_nodes(nodes, source)
        elif diagram.has_board(text):
            game = _board(text, source)
        else:
            return parse_game(data, source), data
    except Fault as fault:
        raise RecordError(source, fault.reason, fault.detail) from None
    except diagram.DiagramError as error:
        raise RecordError(source, "bad diagram", str(error)) from None
    return game, game.to_sgf()


def _board(text: str, source: str) -> GameRecord:
    """Return a board without moves, Black to move, as the record of a game."""
    stones = diagram.parse_text(text)
    return GameRecord(
        source=source,
        side=len(stones),
        setup=stones.ravel(),
        to_move=BLACK,
        moves=np.array([], np.int16),
        colours=np.array([], np.int8),
        komi=0.0,
        handicap=0,
        rules="",
        result=Result(0, None, "unknown", ""),
        komi_given=False,
    )
