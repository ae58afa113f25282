"""python -m experiments.tactics_in_games DATASET... [--stones 6] > PROBLEMS

Positions of games in which the life of a big chain depends on who moves first, with all the moves that decide it.
`python -m experiments.tactics MODEL --problems PROBLEMS` counts how many a player solves; this is behind the 244
positions in docs/lab/play.md, "How they are tested".

Games made by `ownership selfplay` are full of such positions, since threats go unanswered there. GNU Go decides: it
finds the chain lost if the other side moves first and saved if its own does, and tries every move. No player chooses
the positions, so what a player finds of them shows how often it does so in such games.
"""

import argparse
from collections.abc import Iterator, Sequence

from benchmarks.command import exit_with
from goban.coords import colour_name, gtp_name
from goban.position import Chain, Position
from goban.regions import pass_alive
from goban.tactics import sensible_moves
from ownership.players.gtp_client import GtpClient
from preprocessing.dataset.rows import RECORD_COLUMNS, Row, record_of
from preprocessing.dataset.shards import listed, read_shard, shard_names
from preprocessing.labels.gnugo import find_gnugo
from preprocessing.storage import Folder
from tests.support.ladders import ladders
from tests.support.problems import Problem, gnugo_confirms, set_up

_TIMEOUT = 600.0  # seconds for an answer, on a busy machine
_COLUMNS = (*RECORD_COLUMNS, "branch", "target")
_MOST_LIBERTIES, _MOST_TRIED, _MOST_ANSWERS = 5, 6, 3
_EVERY = 3  # plies, so that each side is to move by turns
_LEAST = 3  # stones of another chain that counts
_CLEARLY = 2.0  # times as much must be at stake as elsewhere


def main() -> int:
    """Print tactical problems as they are found in the games of datasets."""
    parser = argparse.ArgumentParser(prog="python -m experiments.tactics_in_games", description=main.__doc__)
    parser.add_argument("datasets", nargs="+", metavar="DATASET")
    parser.add_argument("--stones", type=int, default=6, help="of the chain, at least (%(default)s)")
    arguments = parser.parse_args()
    gnugo = GtpClient([str(find_gnugo()), "--mode", "gtp"], _TIMEOUT)
    for row in _rows(arguments.datasets):
        for problem in problems_in(row, arguments.stones, gnugo):
            print(problem, flush=True)
    gnugo.close()
    return 0


def _rows(datasets: Sequence[str]) -> Iterator[Row]:
    for folder in map(Folder, listed(datasets)):
        for name in shard_names(folder):
            yield from read_shard(folder, name, _COLUMNS).to_pylist()


def problems_in(row: Row, stones: int, gnugo: GtpClient) -> Iterator[Problem]:
    """Yield problems of the positions after the branch of a game, one for each chain of so many stones."""
    asked = set[int]()
    for position in list(record_of(row).positions())[row["branch"] or 0 :: _EVERY]:
        big = [each for each in position.chains() if _is_weak(each, stones) and not asked & set(each.points)]
        if not big or position.ko >= 0:
            continue
        set_up(gnugo, position)
        at_stake = [each for each in big if _is_at_stake(position, each, gnugo)]
        if at_stake:
            target = max(at_stake, key=_stake)
            asked.update(target.points)
            yield from _problem(position, target, gnugo)


def _is_weak(chain: Chain, stones: int) -> bool:
    return len(chain.points) >= stones and len(chain.liberties) <= _MOST_LIBERTIES


def _stake(chain: Chain) -> int:
    return 2 * len(chain.points) + len(chain.liberties)


def _is_at_stake(position: Position, chain: Chain, gnugo: GtpClient) -> bool:
    """Return whether it depends on who moves first; GNU Go has been shown the position."""
    name = gtp_name(chain.points[0], position.side)
    return all(gnugo.ask(f"{what} {name}").startswith("1") for what in ("attack", "defend"))


def _problem(position: Position, target: Chain, gnugo: GtpClient) -> Iterator[Problem]:
    """Yield the problem of a chain, if a few moves decide it, none of which just captures it, and nothing else is big.

    A chain that would be saved and die all the same is none.
    """
    point, own = target.points[0], target.colour == position.to_move
    if not own and (len(target.liberties) == 1 or not _can_live(position, target, gnugo)):
        return
    answers = [each for each in sensible_moves(position) if gnugo_confirms(gnugo, position, each, point)]
    if own and len(answers) <= _MOST_TRIED:
        answers = [each for each in answers if gnugo_confirms(gnugo, position, each, point, "owl_")]
    if not 1 <= len(answers) <= _MOST_ANSWERS:
        return
    rivals = [each for each in position.chains() if each != target and _is_rival(each, target)]
    rivals = [each for each in rivals if _is_at_stake(position, each, gnugo)]
    if all(gnugo_confirms(gnugo, position, move, each.points[0]) for each in rivals for move in answers):
        yield Problem(_kind(position, target, answers), point, tuple(answers), position)


def _is_rival(chain: Chain, target: Chain) -> bool:
    return _is_weak(chain, _LEAST) and _CLEARLY * _stake(chain) > _stake(target)


def _can_live(position: Position, chain: Chain, gnugo: GtpClient) -> bool:
    """Return whether a chain of the other side lives after the move that GNU Go saves it with."""
    name, colour = gtp_name(chain.points[0], position.side), colour_name(chain.colour)
    gnugo.ask(f"play {colour} {gnugo.ask(f'defend {name}').split()[1]}")
    lives = gnugo.ask(f"owl_attack {name}").startswith("0")
    gnugo.ask("undo")
    return lives


def _kind(position: Position, target: Chain, answers: Sequence[int]) -> str:
    """Return what a problem is about, as far as its answers show it."""
    goal = "save" if target.colour == position.to_move else "catch"
    _, catching, saving = ladders(position.side, position.flat, position.to_move, False, -1)
    if any(_is_throw_in(position, move) for move in answers) and goal == "catch":
        theme = "snapback"
    elif (saving if goal == "save" else catching)[list(answers)].any():
        theme = "ladder"
    elif any(_is_alive(position.play(move), target.points[0]) for move in answers):
        theme = "life and death"
    else:
        theme = "net" if goal == "catch" and not set(answers) & set(target.liberties) else "race"
    return f"{theme}, {goal}"


def _is_alive(position: Position, point: int) -> bool:
    return bool(pass_alive(position.side, position.stones.ravel().copy())[point])


def _is_throw_in(position: Position, move: int) -> bool:
    return any(move in each.points and len(each.liberties) == 1 for each in position.play(move).chains())


if __name__ == "__main__":
    exit_with(main)
