"""Have KaTrain's own engine and game classes analyze a record, and print what they hold; for a Python with KaTrain.

Arguments: the record, the command of the engine, the visits of each search.
"""

import json
import os
import sys
import tempfile
import time
from typing import Any

os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_HOME=tempfile.mkdtemp(), HOME=tempfile.mkdtemp())

from katrain.core.base_katrain import KaTrainBase  # type: ignore[import-not-found]
from katrain.core.constants import OUTPUT_ERROR  # type: ignore[import-not-found]
from katrain.core.engine import KataGoEngine  # type: ignore[import-not-found]
from katrain.core.game import Game, KaTrainSGF  # type: ignore[import-not-found]


class Base(KaTrainBase):  # type: ignore[misc]
    """KaTrain without its windows; keeps the errors and warnings that it logs."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        super().__init__(force_package_config=True, debug_level=0)

    def log(self, message: object, level: int = 0) -> None:
        if level == OUTPUT_ERROR or "'warning':" in str(message):
            self.errors.append(str(message))

    def __call__(self, *message: object) -> None:
        self.errors.append(str(message))


def node_facts(node: Any) -> dict[str, Any]:
    """Return what KaTrain shows about a node."""
    return {
        "analysed": node.analysis_complete,
        "ownership": len(node.ownership or ()),
        "policy": len(node.policy or ()),
        "candidates": [move["move"] for move in node.candidate_moves],
        "visits": node.root_visits,
        "score": node.score,
        "winrate": node.winrate,
        "points_lost": node.points_lost,
    }


def main() -> None:
    """Analyze every node, and print the nodes of the main line, the score at the end and the errors as JSON."""
    path, command, visits = sys.argv[1:]
    base = Base()
    settings = {**base.config("engine"), "altcommand": command, "max_visits": int(visits), "max_time": 100.0}
    engine = KataGoEngine(base, settings)
    game = Game(base, engine, move_tree=KaTrainSGF.parse_file(path))
    nodes = [game.root]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    deadline = time.monotonic() + 500
    while not all(node.analysis_complete for node in nodes) and time.monotonic() < deadline:
        time.sleep(0.1)
    game.set_current_node(nodes[-1])
    unknown = [node for node in nodes if not node.analysis_from_sgf]
    found = {"nodes": [node_facts(node) for node in nodes], "score": game.manual_score, "searched": len(unknown)}
    engine.shutdown(finish=None)
    print(json.dumps(found | {"errors": base.errors}))


main()
