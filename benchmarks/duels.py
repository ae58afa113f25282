"""Matches between two players, as the experiments about searches play and report them."""

import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from ownership.inference.evaluator import Evaluator
from ownership.match.conditions import Conditions, schedule
from ownership.match.referee import Referee
from ownership.match.run import Games, MakePlayer, Match
from ownership.match.statistics import WinLoss, elo
from ownership.match.storage import MatchFolder, counted
from ownership.match.summary import tally
from ownership.players.registry import make_player

NODES = 50  # for each evaluation at most: where all positions are known, a search would go on for nothing


def players_of(evaluator: Evaluator) -> MakePlayer:
    """Return the maker of players that all use one model."""
    return lambda text: make_player(text, lambda _: evaluator)


def played(
    players: Sequence[str],
    conditions: Conditions,
    referee: Referee,
    place: Path,
    make: MakePlayer,
    *,
    games: int,
    jobs: int,
) -> WinLoss:
    """Return the record of the first player against the second, once all games are played.

    Args:
        players: two, as `ownership match` names them.
        conditions: of every game.
        referee: scores the games.
        place: folder of the games; those that it holds are not played again.
        make: returns the player of a text.
        games: in all.
        jobs: games at the same time.
    """
    folder = MatchFolder(place, list(players), conditions, type(referee).__name__)
    results = folder.results()
    done = {result.pairing for result in results}
    left = [each for each in schedule(players, games) if each not in done]
    match = Match(Games(players, make, conditions, referee), folder)
    shown = {"initial": len(results), "total": games, "desc": place.name, "disable": not sys.stderr.isatty()}
    results += tqdm(match.play(left, jobs), **shown)
    return tally(counted(results)[0], 0)


def strength(record: WinLoss) -> str:
    """Return the cells of a table: games, share won, difference in Elo with its interval."""
    if not record.games:
        return "- | - | -"
    low, high = (elo(rate) for rate in record.interval)
    return f"{record.games} | {record.rate:.0%} | {elo(record.rate):+.0f} ({low:+.0f} to {high:+.0f})"
