"""The formats of servers that are read beside SGF. To add one, write its module and add its `Format` here."""

from typing import Final

from game_records.gib import GIB
from game_records.ngf import NGF
from game_records.sgf_nodes import SgfNode
from game_records.ugf import UGF

FORMATS: Final = (GIB, NGF, UGF)
ENDINGS: Final = tuple(ending for each in FORMATS for ending in each.endings)


def server_nodes(text: str) -> list[SgfNode] | None:
    """Return the nodes of a record of a server, None for other text; raise Fault for one that cannot be used."""
    found = next((each for each in FORMATS if each.sign.search(text)), None)
    return None if found is None else found.nodes(text)
