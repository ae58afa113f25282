"""Analysis that streams, in the formats that Sabaki, Lizzie and others read."""

import re
import time
from pathlib import Path

import numpy as np
import pytest

from goban.coords import BLACK, WHITE, parse_gtp
from goban.game import Game
from gogui_plugin.analyze_arguments import AnalyzeArguments
from gogui_plugin.analyze_lines import kata_line
from ownership.inference.evaluator import Evaluator
from ownership.search.leaf_evaluation import NetworkLeaves
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits
from tests.support.gtp import Inside
from tests.support.paths import EXAMPLES

NUMBER = r"-?[0-9]+\.[0-9]+"
LEELA = r"info move (\S+) visits [0-9]+ winrate [0-9]+ prior [0-9]+ lcb [0-9]+ order [0-9]+ pv \1( [A-Z]\S+)*"
KATA = (
    rf"info move (\S+) visits [0-9]+ utility {NUMBER} winrate {NUMBER} scoreMean {NUMBER} scoreStdev {NUMBER} "
    rf"scoreLead {NUMBER} scoreSelfplay {NUMBER} prior {NUMBER} lcb {NUMBER} utilityLcb {NUMBER} order [0-9]+ "
    r"pv \1( ([A-Z][0-9]+|pass))*"
)
SABAKI = LEELA.replace(" prior", rf" scoreLead {NUMBER} prior")
FORMATS = {"lz-": LEELA, "kata-": KATA, "": SABAKI}


def infos(line: str) -> list[str]:
    return re.split(r" (?=info )", line)


@pytest.mark.parametrize("prefix", FORMATS)
def test_lines_come_until_anything_arrives(engine: Inside, prefix: str) -> None:
    for ending, answers in (("\n", 0), ("name\n", 1)):
        engine.send(f"7 {prefix}analyze b 10\n")
        assert engine.read(b"\n") == "=7"
        before = 0.0
        for _ in range(4):
            moves = infos(engine.read(b"\n"))
            assert all(re.fullmatch(FORMATS[prefix], info) for info in moves)
            assert [f"order {n} pv" in info for n, info in enumerate(moves)] == [True] * len(moves)
            counts, bounds = (
                [float(re.findall(rf"{name} ([0-9.]+)", info)[0]) for info in moves] for name in ("visits", "lcb")
            )
            assert sum(counts) > before, "the search goes on"
            tried = [bound for count, bound in zip(counts, bounds, strict=True) if 10 * count >= max(counts)]
            assert tried == sorted(tried, reverse=True)
            before = sum(counts)
        engine.send(ending)
        assert len(engine.rest()) < 100
        assert [engine.read() for _ in range(answers)] == ["= Ownership"] * answers


def test_what_kata_analyze_can_add(engine: Inside) -> None:
    engine.ask(f"loadsgf {EXAMPLES / 'finished-9x9.sgf'} 20")
    engine.send(
        "kata-analyze w 50 maxmoves 3 rootInfo true ownership true ownershipStdev true movesOwnership true "
        "pvVisits true\n"
    )
    engine.read(b"\n")
    for _ in range(100):
        line = engine.read(b"\n")
        if int(re.findall("rootInfo visits ([0-9]+)", line)[0]) > 50:
            break
    engine.send("\n")
    engine.rest()
    assert line.count("info move") == line.count("pvVisits") == line.count("movesOwnership") == 3
    root = re.search(rf"rootInfo visits ([0-9]+) utility {NUMBER} winrate ({NUMBER}) .* scoreLead {NUMBER}", line)
    assert root and int(root[1]) > 50
    bound = re.search(rf"rootInfo .* lcb ({NUMBER}) ownership", line)
    assert bound and bound[1] == root[2], "as KataGo gives it"
    words = line.partition(" ownership ")[2].split(" ownershipStdev ")
    ownership, deviation = (np.array(text.split(), float) for text in words)
    assert ownership.shape == deviation.shape == (81,)
    assert (deviation >= 0).all() and deviation.max() > 0
    assert np.abs(ownership).max() <= 1


def test_all_numbers_are_from_the_view_of_the_colour(small_model: Path) -> None:
    game = Game.empty(5).play(12)
    network = NetworkLeaves(Evaluator.load(small_model), game.ruleset, game.komi)
    search = TreeSearch(network, game.ruleset, TreeOptions(threads=1))
    for _ in search.run(game, Limits(visits=40)):
        pass
    lines = [
        kata_line(AnalyzeArguments(colour, 5, flags={"ownership", "rootInfo"}), search) for colour in (BLACK, WHITE)
    ]
    black, white = ([float(word) for word in re.findall(r" (-?[0-9]+\.[0-9]+)", line)] for line in lines)
    assert black[-25:] == [-value for value in white[-25:]]
    leads = [[float(lead) for lead in re.findall("scoreLead (\\S+)", line)] for line in lines]
    assert leads[0] == [-lead for lead in leads[1]]
    wins = [np.array(re.findall("winrate (\\S+)", line), float) for line in lines]
    assert wins[0] + wins[1] == pytest.approx(1, abs=2e-4)


def test_the_longest_of_several_prohibitions_holds() -> None:
    forbidden = AnalyzeArguments(BLACK, 9).forbidden
    for plies in (2, 10, 3):
        forbidden.add("avoid", BLACK, {40}, plies)
    assert forbidden.plies is not None
    assert forbidden.plies[0, 40:42].tolist() == [10, 0] and not forbidden.plies[1].any()


@pytest.mark.parametrize(
    ("keys", "allowed"),
    [
        ("avoid b A1,B2,pass 10", lambda point: point not in (72, 64, 81)),
        ("avoid w A1 10", lambda point: True),
        ("allow b E5,E4 1", lambda point: point in (40, 49)),
        ("maxmoves 1", lambda point: True),
    ],
)
def test_moves_can_be_avoided_and_allowed(engine: Inside, keys: str, allowed: object) -> None:
    engine.send(f"lz-analyze b 50 {keys}\n")
    engine.read(b"\n")
    shown = [parse_gtp(info.split()[2], 9) for info in infos(engine.read(b"\n"))]
    engine.send("\n")
    engine.rest()
    assert callable(allowed) and all(allowed(point) for point in shown)
    assert len(shown) == 1 or "maxmoves" not in keys


@pytest.mark.parametrize("prefix", FORMATS)
@pytest.mark.parametrize(
    ("keys", "count"),
    [
        ("minmoves 5", 5),
        ("minmoves 5 maxmoves 2", 5),
        ("minmoves 2 maxmoves 2", 2),
        ("minmoves 5 allow b E5,E4,D4 1", 3),
        ("minmoves 500", 82),
    ],
)
def test_the_first_report_has_as_many_moves_as_are_wanted(engine: Inside, prefix: str, keys: str, count: int) -> None:
    engine.send(f"{prefix}analyze b 50 {keys}\n")
    engine.read(b"\n")
    moves = infos(engine.read(b"\n"))
    engine.send("\n")
    engine.rest()
    assert len(moves) == count or ("maxmoves" not in keys and len(moves) > count)
    assert all(re.fullmatch(FORMATS[prefix], info) for info in moves)
    assert len({info.split()[2] for info in moves}) == len(moves)
    visits = [int(info.split()[4]) for info in moves]
    assert visits[0] > 0, "the best move comes first, those without visits last"
    assert all(visits[: len(visits) - visits.count(0)])


@pytest.mark.parametrize(
    "arguments",
    [
        "x",
        "b interval",
        "b interval x",
        "b avoid b A1",
        "b avoid b Z99 3",
        "b ownership maybe",
        "b -1",
        "b avoid b A1 0",
        "b avoid b A1 1 allow b A2 1",
        "b allow b A1 1 allow b A2 1",
        "b interval -1",
    ],
)
def test_bad_arguments_are_failures_and_no_streams(engine: Inside, arguments: str) -> None:
    assert engine.ask(f"kata-analyze {arguments}").startswith("? ")


@pytest.mark.parametrize("prefix", FORMATS)
def test_genmove_analyze_ends_with_the_best_move_shown(engine: Inside, prefix: str) -> None:
    engine.ask("ownership-options player mcts:visits=40,time=60")
    lines = engine.ask(f"5 {prefix}genmove_analyze b 10").split("\n")
    assert lines[0] == "=5"
    assert all(re.fullmatch(FORMATS[prefix], info) for line in lines[1:-1] for info in infos(line))
    assert lines[-1] == f"play {engine.value('list_stones b')}"
    assert lines[-1].split()[1] == infos(lines[-2])[0].split()[2]


def test_genmove_analyze_of_another_player_shows_nothing_that_it_does_not_play(engine: Inside) -> None:
    assert re.fullmatch(r"=\nplay [A-J][1-9]", engine.ask("kata-genmove_analyze b 10"))


def test_genmove_analyze_of_a_replay_plays_the_record(engine: Inside) -> None:
    engine.ask(f"loadsgf {EXAMPLES / 'finished-9x9.sgf'} 1")
    engine.ask("ownership-options player replay")
    assert engine.ask("lz-genmove_analyze b").endswith("\nplay F6")
    assert engine.ask("lz-genmove_analyze b").startswith("? expected the colour")


def test_raw_network(engine: Inside) -> None:
    engine.ask(f"loadsgf {EXAMPLES / 'finished-9x9.sgf'} 20")
    blocks = re.split(r"(?m)^(?=symmetry )", engine.value("kata-raw-nn all"))[1:]
    assert [block.rstrip("\n") for block in blocks] == [engine.value(f"kata-raw-nn {k}") for k in range(8)]
    lines = blocks[3].split("\n")
    facts = dict(line.split(" ", 1) for line in lines if re.match("[a-zA-Z]+ ", line))
    assert float(facts["whiteWin"]) + float(facts["whiteLoss"]) == pytest.approx(1)
    start = lines.index("policy") + 1
    policy = [word for line in lines[start : start + 9] for word in line.split()]
    assert len(policy) == 81
    assert policy.count("NAN") >= 19
    total = sum(float(word) for word in policy if word != "NAN") + float(facts["policyPass"])
    assert total == pytest.approx(1, abs=1e-3)
    start = lines.index("whiteOwnership") + 1
    assert all(len(line.split()) == 9 for line in lines[start : start + 9])
    assert blocks[3] != blocks[4]
    assert engine.value("kata-raw-nn w 3") == engine.value("kata-raw-nn 3") != engine.value("kata-raw-nn black 3")
    for wrong in ("8", "b", "3 b", "b 3 0.5", ""):
        assert engine.ask(f"kata-raw-nn {wrong}").startswith(
            "? expected a colour or none, and a symmetry 0 to 7 or all"
        )


def test_priors_are_the_models_policy_in_one_of_the_symmetries(engine: Inside) -> None:
    policies = [raw_policy(engine, k) for k in range(8)]
    engine.send("kata-analyze b 10\n")
    engine.read(b"\n")
    line = engine.read(b"\n")
    engine.send("\n")
    engine.rest()
    priors = re.findall(r"info move ([A-J][1-9]) .*?prior ([0-9.]+)", line)
    assert priors
    differences = [
        max(abs(float(prior) - policy[parse_gtp(vertex, 9)]) for vertex, prior in priors) for policy in policies
    ]
    assert min(differences) < 2e-4


def raw_policy(engine: Inside, symmetry: int) -> list[float]:
    rows = engine.value(f"kata-raw-nn {symmetry}").split("\n")
    start = rows.index("policy") + 1
    return [float(word) for row in rows[start : start + 9] for word in row.split()]


def visits_after_a_move(model: Path, *options: str, seconds: float) -> int:
    """Return the visits that an analysis finds some time after a move of 20 visits."""
    engine = Inside("--model", str(model), "--player", "mcts:visits=20", *options)
    engine.all(["boardsize 5", "genmove b"])
    time.sleep(seconds)
    engine.send("lz-analyze 5\n")
    engine.read(b"\n")
    visits = sum(int(info.split()[4]) for info in infos(engine.read(b"\n")))
    engine.send("\n")
    engine.rest()
    engine.close()
    return visits


def test_pondering_goes_on_after_a_move(small_model: Path) -> None:
    assert visits_after_a_move(small_model, seconds=1) <= 30
    pondered = (visits_after_a_move(small_model, "--ponder", seconds=seconds) for seconds in (1, 5, 25))
    assert any(visits > 30 for visits in pondered)
