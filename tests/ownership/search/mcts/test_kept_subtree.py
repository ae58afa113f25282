"""The part of a tree that the next search keeps."""

from dataclasses import replace

import pytest

from goban.coords import WHITE
from goban.game import Game
from goban.rulesets import RULESETS
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits
from tests.support.positions import random_positions
from tests.support.tree_searches import ALONE, Area, check_tree, game_of, searched, tree_of


@pytest.mark.parametrize("options", [ALONE, TreeOptions(threads=3, batch=4)])
def test_the_tree_is_kept_while_the_game_goes_on(options: TreeOptions) -> None:
    options = replace(options, score_centre=0.0)  # a centre that moves with the root moves values
    game = game_of(random_positions(5, 4)[1])
    search = searched(game, Area(noise=1.0), options, visits=400)
    before = search.result()
    answer = before.moves[0].line[1]
    later = game.play(before.move).play(answer)
    maps = search.ownership()[1][before.move]
    first = next(search.run(game.play(before.move), Limits(visits=1)))
    assert first == before.moves[0].visits
    assert search.result().root.score == pytest.approx(before.moves[0].value.score)
    assert search.ownership()[0].mean == pytest.approx(maps.mean)
    check_tree(search)
    kept = next(search.run(later, Limits(visits=1)))
    assert kept == before.moves[0].line_visits[1]
    check_tree(search)
    assert next(search.run(game_of(random_positions(5, 4)[2]), Limits(visits=1))) == 1, "another game"


def test_the_tree_is_not_kept_when_a_player_moved_twice() -> None:
    game = Game.empty(3, ruleset=RULESETS["area"])
    search = TreeSearch(Area(), game.ruleset, ALONE)
    for _ in search.run(game, Limits(visits=60)):
        pass
    first, second = search.result().moves[0].line[:2]
    twice = game.play(first, WHITE).play(second, WHITE)
    assert twice.position.to_move == game.position.to_move
    assert next(search.run(twice, Limits(visits=60))) == 1


def test_a_search_goes_on_where_it_ended() -> None:
    game = game_of(random_positions(5, 4)[1])
    search = searched(game, Area(noise=1.0), visits=50)
    assert list(search.run(game, Limits(visits=80)))[-1] == 80
    alone = tree_of(searched(game, Area(noise=1.0), visits=80))
    assert (tree_of(search).nodes["visits"][:70] == alone.nodes["visits"][:70]).all()
