"""The formats of records that are read: SGF, formats of servers, and boards as text.

To add one of a server, write its module and add its `Format` here.
"""

from typing import Final

import numpy as np

from game_records.encoding import decode_text
from game_records.game_record import GameRecord
from game_records.gib import GIB
from game_records.ngf import NGF
from game_records.record_errors import Fault, RecordError
from game_records.result_property import Result
from game_records.sgf import game_of_nodes, parse_game
from game_records.sgf_collection import MAX_GAME, START
from game_records.sgf_grammar import SgfNode
from game_records.ugf import UGF
from goban import text_diagram
from goban.coords import BLACK, gtp_name
from goban.move_kernels import setup_facts

SERVER_FORMATS: Final = (GIB, NGF, UGF)
ENDINGS: Final = tuple(ending for each in SERVER_FORMATS for ending in each.endings)


def server_nodes(text: str) -> list[SgfNode] | None:
    """Return the nodes of a record of a server, None for other text; raise Fault for one that cannot be used."""
    server_format = next((each for each in SERVER_FORMATS if each.sign.search(text)), None)
    return None if server_format is None else server_format.nodes(text)


def parse_record(data: bytes, source: str) -> tuple[GameRecord, bytes]:
    """Return the first game, or the board, in a file, and the file as SGF.

    Raises:
        RecordError: it cannot be used, or is no record.
    """
    text = decode_text(data[:MAX_GAME])
    if START.search(text):
        return parse_game(data, source), data
    try:
        nodes = server_nodes(text)
        if nodes is not None:
            game = game_of_nodes(nodes, source)
        elif text_diagram.has_board(text):
            game = _board(text, source)
        else:
            return parse_game(data, source), data
    except Fault as fault:
        raise RecordError(source, fault.reason, fault.detail) from None
    except text_diagram.DiagramError as error:
        raise RecordError(source, "bad diagram", str(error)) from None
    return game, game.to_sgf()


def _board(text: str, source: str) -> GameRecord:
    """Return a board without moves, Black to move, as the record of a game; raise DiagramError or Fault."""
    stones = text_diagram.parse_text(text)
    _, without = setup_facts(len(stones), stones.ravel())
    if without >= 0:
        found = f"none at {gtp_name(int(without), len(stones))}"
        raise Fault("bad set-up", f"expected a liberty for every chain. Received: {found}")
    return GameRecord(
        source=source,
        side=len(stones),
        setup=stones.ravel(),
        to_move=BLACK,
        move_points=np.array([], np.int16),
        move_colours=np.array([], np.int8),
        komi=0.0,
        handicap=0,
        rules="",
        result=Result(0, None, "unknown", ""),
        komi_given=False,
    )
