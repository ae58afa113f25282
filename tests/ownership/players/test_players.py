"""Players: which moves they try, when they pass, resign and clean up, and how they are named."""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE, pass_point
from goban.errors import InputError
from goban.game import Game
from goban.handicap_stones import fixed_handicap, most_handicap
from goban.move_effects import sensible_moves
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_files import ModelFiles
from ownership.inference.network_config import NetworkConfig
from ownership.inference.prediction import Prediction
from ownership.inference.stack_config import Stack
from ownership.players import registry
from ownership.players.alphabeta_player import AlphaBetaPlayer
from ownership.players.greedy_player import GreedyPlayer
from ownership.players.long_term_player import LongTermPlayer
from ownership.players.mcts_player import MctsPlayer, gain_over_pass
from ownership.players.move_ranking import Candidate, Ranking
from ownership.players.passing_and_resigning import PASS_GAIN
from ownership.players.player_interface import RESIGN, Player, Turn
from ownership.players.policy_player import PolicyPlayer
from ownership.players.random_player import RandomPlayer
from ownership.players.registry import make_player
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.local_continuations import LongTermOptions
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.mcts.tree_value import TreeValue
from ownership.search.search_limits import Limits
from ownership.search.search_result import SearchResult
from tests.support.models import write_model
from tests.support.paths import EXAMPLES


def turn(board: str, plies: int = 0, number: int = 0) -> Turn:
    """Black to move, after as many passes as there were plies."""
    start = Position.from_diagram(board, BLACK)
    passes = [(BLACK, pass_point(start.side))] * plies
    game = Game((start,), ruleset=RULESETS["area"], komi=0.0).play_all(passes)
    return Turn(game.with_player(BLACK), number=number)


def candidate(point: int, gain: float, lead: float = 0.0, deviation: float = 5.0) -> Candidate:
    return Candidate(point, gain, lead, deviation, np.zeros((3, 3), np.float32), 1)


@pytest.mark.parametrize(
    ("finished", "candidates", "plies", "decision"),
    [
        (False, [candidate(4, -3.0), candidate(9, 0.0)], 0, 4),
        (False, [candidate(9, 0.0), candidate(4, -3.0)], 0, 4),
        (False, [candidate(9, 0.0)], 0, pass_point(3)),
        (True, [candidate(4, 0.7), candidate(9, 0.0)], 0, pass_point(3)),
        (True, [candidate(4, 0.8), candidate(9, 0.0)], 0, 4),
        (False, [candidate(4, 1.0, lead=-50)], 3, 4),
        (False, [candidate(4, 1.0, lead=-50)], 4, RESIGN),
        (False, [candidate(4, 1.0, lead=-5)], 4, 4),
    ],
)
def test_when_to_pass_and_to_resign(finished: bool, candidates: list[Candidate], plies: int, decision: int) -> None:
    asked = turn(". . . / . . . / X . O", plies=plies)
    ownership = np.ones((3, 3), np.float32) if finished else np.zeros((3, 3), np.float32)
    ranking = Ranking(asked.estimate(Prediction(ownership, None, None)), tuple(candidates))
    assert ranking.estimate.finished == finished
    player = GreedyPlayer(None)  # type: ignore[arg-type]
    assert player.decide(asked, ranking.estimate, player.considered(asked, ranking)) == decision


def never() -> bool:
    return False


@pytest.fixture(scope="module")
def evaluator(small_model: Path) -> Evaluator:
    return Evaluator.load(small_model)


PLAYERS: dict[str, Callable[[Evaluator], Player]] = {
    "alphabeta": lambda evaluator: AlphaBetaPlayer(
        evaluator, AlphaBetaOptions(width=4), Limits(depth=2), resign_below=0.0
    ),
    "mcts": lambda evaluator: MctsPlayer(evaluator, TreeOptions(threads=1), Limits(visits=8), resign_below=0.0),
    "longterm": lambda evaluator: LongTermPlayer(evaluator, LongTermOptions(steps=2, episodes=2), resign_below=0.0),
    "policy": lambda evaluator: PolicyPlayer(evaluator, resign_below=0.0),
    "sampled policy": lambda evaluator: PolicyPlayer(evaluator, 1.0, resign_below=0.0),
    "greedy": lambda evaluator: GreedyPlayer(evaluator, resign_below=0.0),
    "random": lambda _: RandomPlayer(),
}


@pytest.mark.parametrize("name", PLAYERS)
def test_players_end_a_game_of_legal_moves_that_fills_no_eye(name: str, evaluator: Evaluator) -> None:
    player = PLAYERS[name](evaluator)
    game = Game.empty(5, ruleset=RULESETS["chinese"])
    while not game.ended:
        assert len(game.indexed_moves) < 200
        move = player.choose(Turn(game), never)
        assert move == pass_point(5) or (move in sensible_moves(game.position) and not game.repeats(move))
        game = game.play(move)


@pytest.mark.parametrize("name", ["random", "sampled policy"])
def test_chance_depends_on_the_game_and_nothing_else(name: str, evaluator: Evaluator) -> None:
    player = PLAYERS[name](evaluator)
    asked = [turn(". . . . / . . . . / . . . . / . . . .", number=number) for number in range(30)]
    moves = [player.choose(each, never) for each in asked]
    assert moves == [player.choose(each, never) for each in asked]
    assert len(set(moves)) > 3


@pytest.fixture(scope="module")
def settled() -> Turn:
    """A finished game, Black to move, four points ahead with two dead stones of White's inside."""
    record = parse_game((EXAMPLES / "finished-9x9.sgf").read_bytes())
    game = replace(record.as_game(), ruleset=RULESETS["chinese"], komi=7.0)
    return Turn(game.play(pass_point(9), WHITE))


def at_komi(asked: Turn, komi: float) -> Turn:
    return replace(asked, game=replace(asked.game, komi=komi))


def test_a_settled_board_is_passed_and_a_lost_one_resigned(bundled: Evaluator, settled: Turn) -> None:
    player = GreedyPlayer(bundled)
    assert player.choose(settled, never) == pass_point(9)
    assert player.choose(at_komi(settled, 90.0), never) == RESIGN
    early = replace(settled.game, positions=(settled.position,), indexed_moves=(), komi=90.0)
    assert player.choose(Turn(early), never) != RESIGN


def test_a_pass_in_a_finished_game_is_valued_by_as_many_visits_as_the_best_move(
    bundled: Evaluator, settled: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[Limits] = []
    run = TreeSearch.run

    def spied(search: TreeSearch, game: Game, given: Limits, *others: Any) -> Iterator[int]:
        limits.append(given)
        return run(search, game, given, *others)

    monkeypatch.setattr(TreeSearch, "run", spied)
    player = MctsPlayer(bundled, options=TreeOptions(threads=1), limits=Limits(visits=80))
    result = list(player.results(settled, never))[-1]
    assert player.considered(settled, result, never).gain() < PASS_GAIN
    most = result.moves[0].visits
    passed = [each.visits for each in result.moves if each.point == pass_point(9)]
    assert limits[1:] == ([] if passed and passed[0] >= most else [Limits(visits=most)])


def value(wins: float, score: float) -> TreeValue:
    return TreeValue(visits=100, value=0.0, wins=wins, score=score, deviation=1.0, error=0.0)


@pytest.mark.parametrize(
    ("best", "after", "mover", "gain"),
    [
        ((0.9, 3.0), (0.9, 2.5), BLACK, 0.5),
        ((0.1, -3.0), (0.1, -2.5), WHITE, 0.5),
        ((0.7, 0.5), (0.5, 0.0), BLACK, math.inf),  # a close game, in which half a point decides
        ((0.3, -0.5), (0.5, 0.0), WHITE, math.inf),
        ((0.4, -0.4), (0.1, -0.5), BLACK, 0.1),  # a move that gains nothing, which the network has some hope for
        ((0.7, 1.0), (0.5, 2.0), BLACK, -1.0),
    ],
)
def test_what_a_move_gains_over_a_pass(
    best: tuple[float, float], after: tuple[float, float], mover: int, gain: float
) -> None:
    assert gain_over_pass(value(*best), value(*after), mover) == pytest.approx(gain)


def test_long_term_evaluation_passes_resigns_and_takes_the_policys_move_where_it_has_no_time(
    bundled: Evaluator, settled: Turn
) -> None:
    assert LongTermPlayer(bundled).choose(settled, never) == pass_point(9)
    assert LongTermPlayer(bundled).choose(at_komi(settled, 90.0), never) == RESIGN
    opening = turn(" / ".join([". . . . ."] * 5))
    hurried = LongTermPlayer(bundled, seconds=0.0)
    assert [result.depth for result in hurried.results(opening, never)] == [0]
    assert hurried.choose(opening, never) == PolicyPlayer(bundled).choose(opening, never)
    assert LongTermPlayer(bundled).choose(opening, lambda: True) == PolicyPlayer(bundled).choose(opening, never)


def test_long_term_evaluation_reports_each_ply(bundled: Evaluator) -> None:
    seen: list[SearchResult] = []
    options = LongTermOptions(candidates=3, steps=4, episodes=2, settled=0.0)
    player = LongTermPlayer(bundled, options, listener=lambda _, result: seen.append(result))
    move = player.choose(turn(" / ".join([". . . . . . . . ."] * 9)), never)
    assert [each.depth for each in seen] == [0, 1, 2, 3, 4, 5]
    assert [each.evaluations for each in seen] == [1, 4, 10, 16, 22, 28]
    assert seen[-1].move == move and len(seen[-1].line) == 5


def test_dead_stones_are_captured_where_the_players_disagree(bundled: Evaluator, settled: Turn) -> None:
    player, asked = GreedyPlayer(bundled), replace(settled, cleanup=True)
    assert asked.position.stones[2, 2] == asked.position.stones[3, 2] == WHITE
    for _ in range(10):
        move = player.choose(asked, never)
        if move == pass_point(9):
            break
        asked = replace(asked, game=asked.game.play_all([(BLACK, move), (WHITE, pass_point(9))]))
    assert asked.position.prisoners[0] == settled.position.prisoners[0] + 2


def test_a_player_that_needs_a_policy_names_it(owner_model: Path) -> None:
    for name in ("policy", "alphabeta", "mcts", "longterm"):
        with pytest.raises(InputError, match=f"player {name} needs a model with the head policy. Received: owner"):
            make_player(name, lambda _: Evaluator.load(owner_model))


def test_names_and_options(evaluator: Evaluator) -> None:
    def load(_: str | None) -> Evaluator:
        return evaluator

    given = {"time": 3.0, "resign": 0.05, "candidates": 7}
    searching = make_player(
        "alphabeta:nodes=100,evaluations=50,without=killers+history,width=all,policy_weight=2", load, given
    )
    assert isinstance(searching, AlphaBetaPlayer)
    assert searching.limits == Limits(nodes=100, evaluations=50, seconds=3.0)
    assert searching.options == AlphaBetaOptions(
        width=None, policy_weight=2.0, without=frozenset({"killers", "history"})
    )
    assert searching.resign_below == 0.05
    local = make_player("longterm:window=5,weight=0.3,time=2", load, given)
    assert local == LongTermPlayer(
        evaluator, LongTermOptions(candidates=7, window=5, weight=0.3), 2.0, resign_below=0.05
    )
    assert make_player("policy:temperature=0.5", load, given) == PolicyPlayer(evaluator, 0.5, resign_below=0.05)
    assert make_player("greedy:candidates=2", load, given) == GreedyPlayer(evaluator, 2, resign_below=0.05)
    assert make_player("random:seed=3", load, given) == RandomPlayer(3)


def test_epsilon_is_the_share_of_random_moves(evaluator: Evaluator) -> None:
    likeliest = PolicyPlayer(evaluator).choose(Turn(Game.empty(9)), never)
    player = make_player("policy:epsilon=0.5", lambda _: evaluator)
    moves = [player.choose(Turn(Game.empty(9), number=number), never) for number in range(200)]
    assert 70 < moves.count(likeliest) < 130 and len(set(moves)) > 40
    always = make_player("policy:epsilon=1", lambda _: evaluator)
    assert always.choose(Turn(Game.empty(9), number=3), never) != pass_point(9)


def test_the_mean_of_two_policies(evaluator: Evaluator, bundled: Evaluator) -> None:
    models = {"one": evaluator, "other": bundled}
    player = make_player("policy:model=one+other", lambda name: models[str(name)])
    assert isinstance(player, PolicyPlayer)
    game = Game.empty(9).play(40)
    policies = [each.evaluate([game.position])[0].policy for each in models.values()]
    mean = np.mean([each for each in policies if each is not None], axis=0)
    assert player.choose(Turn(game), never) == int(mean.argmax())


@pytest.mark.parametrize(
    ("passes", "resign", "decision"),
    [(True, 0.0, 40), (True, 0.2, 40), (True, 0.4, RESIGN), (True, None, 40), (False, None, pass_point(9))],
)
def test_a_model_of_moves_alone_passes_and_resigns_by_its_heads(
    passes: bool, resign: float | None, decision: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack = Stack(dense=(4,), side=9, passes=passes)
    files = ModelFiles("moves", Path("none"), NetworkConfig("stack", "signed1", heads=("policy",), stack=stack))
    evaluator = Evaluator.__new__(Evaluator)
    evaluator.files = files
    policy = np.zeros(82, np.float32)
    policy[[40, 41, 81]] = 0.5, 0.3, 0.2
    answer = Prediction(None, policy, resign=resign)
    monkeypatch.setattr(Evaluator, "evaluate", lambda self, positions, terms: [answer])
    after_a_pass = Turn(Game.empty(9).play(pass_point(9)))
    assert PolicyPlayer(evaluator).choose(after_a_pass, never) == decision
    assert PolicyPlayer(evaluator, resign_below=0.0).choose(Turn(Game.empty(9)), never) == 40


def test_a_rank_changes_the_planes_that_show_it(tmp_path: Path, evaluator: Evaluator) -> None:
    ranked = write_model(
        tmp_path / "ranked", NetworkConfig("residual", "maddison36", filters=8, blocks=1, heads=("policy",))
    )
    game = Game.empty(9)

    def shown(text: str) -> list[float]:
        """The planes of the ranks, from 1 dan up."""
        player = make_player(text, lambda _: Evaluator.load(ranked))
        assert isinstance(player, PolicyPlayer)
        request = player.evaluator._request([game.position], [game.terms])
        planes = request.inputs(0, 1)["planes"][0, 0, 0]
        names = player.evaluator.feature_set.planes
        return [float(planes[names.index(f"rank_{dan}")]) for dan in range(1, 10)]

    assert shown("policy") == shown("policy:rank=9p") == [0.0] * 8 + [1.0]
    assert shown("policy:rank=2d") == [0.0, 1.0] + [0.0] * 7
    assert shown("policy:rank=1p") == shown("policy") and shown("policy:rank=3k") == [1.0] + [0.0] * 8
    with pytest.raises(InputError, match="player policy, rank: expected a rank of 1 to 9 dan"):
        make_player("policy:rank=10", lambda _: Evaluator.load(ranked))
    with pytest.raises(InputError, match="player policy, rank: expected a rank such as 5d or 9p"):
        make_player("policy:rank=strong", lambda _: Evaluator.load(ranked))
    with pytest.raises(InputError, match="player policy, rank: expected a model whose planes show ranks"):
        make_player("policy:rank=5", lambda _: evaluator)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("missing", r"^expected a player \(mcts, .*, random\) or a GTP program\. Received: missing$"),
        ("alfabeta:time=1", r"Received: alfabeta:time=1; did you mean alphabeta\?$"),
        ("", "expected a player"),
        ("'", "expected a player"),
        ("random:speed=1", "player random: expected options seed=. Received: speed"),
        ("random:seed=x", "player random, seed: expected a whole number from 0 up. Received: 'x'"),
        ("random:seed=" + "1" * 5000, "player random, seed: expected a whole number from 0 up. Received: '1111"),
        ("policy:epsilon=2", "player policy, epsilon: expected a number 0..1. Received: "),
        ("policy:temperature=-1", "player policy, temperature: expected a number from 0 up"),
        ("alphabeta:without=magic", "techniques must be among"),
        ("longterm:window=4", "window must be odd. Received: 4"),
        ("alphabeta:symmetries=2", "player alphabeta, symmetries: expected one of 1, 8"),
        ("policy:resign=101", "expected a number 0..100"),
    ],
)
def test_wrong_names_and_options_give_a_message(text: str, message: str, evaluator: Evaluator) -> None:
    with pytest.raises(InputError, match=message):
        make_player(text, lambda _: evaluator)


GTP_PLAYER = f"{sys.executable} -m gogui_plugin --player random"


def test_another_program_plays_and_gets_every_move(small_model: Path) -> None:
    player = make_player(f"{GTP_PLAYER} --model {small_model}", Evaluator.load)
    start = Game.empty(5, ruleset=RULESETS["chinese"])
    first = player.choose(Turn(start), never)
    for moves in (((BLACK, first), (WHITE, 3 if first != 3 else 4)), ((BLACK, 7), (WHITE, 8))):
        game = start.play_all(moves)
        assert game.position.is_legal(player.choose(Turn(game), never))
    player.close()  # type: ignore[attr-defined]


def test_every_option_of_a_search_can_be_written(evaluator: Evaluator) -> None:
    assert {field.name for field in fields(AlphaBetaOptions)} <= set(registry.PLAYERS["alphabeta"].options)
    assert {field.name for field in fields(TreeOptions)} <= set(registry.PLAYERS["mcts"].options)
    assert {field.name for field in fields(LongTermOptions)} <= set(registry.PLAYERS["longterm"].options)
    player = make_player("mcts:visits=9,choice=lcb,noise=0.25,symmetries=8", lambda _: evaluator)
    assert player == MctsPlayer(evaluator, TreeOptions(choice="lcb", noise=0.25), Limits(visits=9), symmetries=8)


@pytest.mark.parametrize(("temperature", "moves"), [(0, 1), (3, 3)])
def test_a_tree_player_draws_moves_by_visits_where_it_has_a_temperature(
    temperature: float, moves: int, evaluator: Evaluator
) -> None:
    options = TreeOptions(threads=1, temperature=temperature)
    asked = [turn(". . . . / . . . . / . . . . / . . . .", number=number) for number in range(12)]
    found = {MctsPlayer(evaluator, options, Limits(visits=30)).choose(each, never) for each in asked}
    assert len(found) >= moves and (temperature or len(found) == 1)


@pytest.mark.parametrize(("side", "most"), [(5, 0), (6, 0), (7, 4), (8, 4), (9, 9), (12, 4), (13, 9), (19, 9)])
def test_how_many_handicap_stones_there_may_be(side: int, most: int) -> None:
    assert most_handicap(side) == most
    if most:
        assert len(set(fixed_handicap(side, most))) == most
    expected = f"2..{most}" if most else "no handicap"
    with pytest.raises(InputError, match=f"expected {expected} on {side}x{side}. Received: {most + 1}"):
        fixed_handicap(side, most + 1)
