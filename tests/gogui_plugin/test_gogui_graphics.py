"""The drawings of GoGui while the engine searches."""

import pytest

from goban.game import Game
from gogui_plugin.gogui_graphics import show
from ownership.players.player_interface import Turn
from ownership.search.search_result import SearchResult


def test_gogui_shows_the_line_that_a_search_expects(capsys: pytest.CaptureFixture[str]) -> None:
    turn = Turn(Game.empty(9).play(40))
    result = SearchResult(3, -2.26, (41, 81, 39), 120, 80, 0.5)
    show(turn, result)
    shown = "gogui-gfx:\nVAR w F5 b pass w D5\nTEXT depth 3: W+2.3, 120 nodes, 0.5 s\n\n"
    assert capsys.readouterr().err == shown
