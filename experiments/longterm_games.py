"""python -m experiments.longterm_games OUTPUT [--agent FILE | --untrained] [--options OPTIONS] [--games 100] [--size 9]

Games of long-term evaluation against the policy of the same model, with an agent or with the policy playing the
continuations. This is behind the games in docs/papers/long-term-evaluation.md.

OPTIONS are those of the player `longterm`. OUTPUT keeps the games; the same command resumes an interrupted match.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from benchmarks.command import exit_with
from benchmarks.duels import played, players_of, strength
from experiments.longterm.choice import add_agent_arguments, chosen_agent
from ownership.inference.evaluator import Evaluator
from ownership.match.conditions import Conditions
from ownership.match.referee import GnuGoReferee
from ownership.players.base import Player
from ownership.players.longterm import LongTermPlayer
from preprocessing.labels.gnugo import GnuGo


def main() -> int:
    """Print the games, the share won, and the difference in Elo points with its 95% interval."""
    parser = argparse.ArgumentParser(prog="python -m experiments.longterm_games", description=main.__doc__)
    parser.add_argument("output", type=Path, help="where games are kept")
    parser.add_argument("--options", default="", help="of the player, such as steps=8,episodes=4")
    parser.add_argument("--model", default="fast", metavar="NAME|DIR", help="of both players (%(default)s)")
    parser.add_argument("--games", type=int, default=100, help="(%(default)s)")
    parser.add_argument("--size", type=int, default=9, help="board side (%(default)s)")
    add_agent_arguments(parser)
    arguments = parser.parse_args()
    make = players_of(Evaluator.load(arguments.model))

    def make_with_agent(text: str) -> Player:
        player = make(text)
        return replace(player, choose_local=chosen_agent(arguments)) if isinstance(player, LongTermPlayer) else player

    players = [f"longterm:{arguments.options}", "policy"]
    conditions = Conditions(side=arguments.size, komi=6.5 if arguments.size <= 9 else 7.5)
    referee, folder = GnuGoReferee(GnuGo()), arguments.output
    record = played(players, conditions, referee, folder, make_with_agent, games=arguments.games, jobs=1)
    print(f"| {players[0]} | {strength(record)} |")
    return 0


if __name__ == "__main__":
    exit_with(main)
