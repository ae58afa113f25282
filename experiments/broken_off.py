"""python -m experiments.broken_off RECORDS... [--games N] [--cuts N...] [--results] [--model NAME|DIR]

How often records that break off are called safe to count, how often their count is more than a point off the result of
the whole game, and the mean distances of the score shown and of the expected score from it. The records are those of
counted games, without their last moves and, unless --results is given, without their result; a cut of 0 leaves them
whole. This is behind docs/measured.md, "Games that break off".
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from statistics import mean

from benchmarks.command import exit_with, parser_of
from game_records.game_record import GameRecord
from game_records.record_sources import read_games
from game_records.result_property import parse_result
from goban.counting.estimate import Estimate
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_position import score_position
from ownership.scoring.scored_game import ScoredGame, ScoreOptions

_SHORTEST = 150  # moves


def main() -> int:
    """Print a line for each number of moves that are cut off."""
    parser = parser_of("experiments.broken_off", __doc__)
    parser.add_argument("records", nargs="+")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--cuts", type=int, nargs="+", default=[0, 20, 40, 60, 80], metavar="N")
    parser.add_argument("--results", action="store_true", help="the records name their results")
    parser.add_argument("--model", metavar="NAME|DIR")
    arguments = parser.parse_args()
    games = list(islice(_counted(arguments.records), arguments.games))
    evaluator = Evaluator.load(arguments.model)
    print(f"{len(games)} games")
    print("moves cut off  counted   safe  safe, but more than 1 point off  mean error  of expected scores")
    for cut in arguments.cuts:
        records = [_without(game, cut, arguments.results) for game in games]
        found = score_games(records, evaluator, ScoreOptions())
        pairs = zip(games, found, strict=True)
        scored = [(game, each.estimate) for game, each in pairs if isinstance(each, ScoredGame)]
        counted = sum(answer.finished for _, answer in scored)
        errors = [_error(game, answer) for game, answer in scored if answer.safe]
        shown = mean(_error(game, answer) for game, answer in scored)
        expected = mean(_error(game, _expected(answer, evaluator)) for game, answer in scored)
        wrong = sum(error > 1 for error in errors)
        print(f"{cut:>13} {counted:>8} {len(errors):>6} {wrong:>32} {shown:>11.2f} {expected:>19.2f}", flush=True)
    return 0


def _error(game: GameRecord, answer: Estimate) -> float:
    return abs(answer.score - (game.result.score or 0.0))


def _expected(answer: Estimate, evaluator: Evaluator) -> Estimate:
    """Return the expected score of the position as if the game went on."""
    terms = answer.terms
    return score_position(
        answer.position, terms.ruleset, terms.komi, handicap=terms.handicap, ended=False, evaluator=evaluator
    )


def _counted(paths: list[str]) -> Iterator[GameRecord]:
    for game in read_games(paths):
        if isinstance(game, GameRecord) and game.result.score is not None and len(game.move_points) > _SHORTEST:
            yield game


def _without(game: GameRecord, cut: int, results: bool) -> GameRecord:
    """Return the record without its last moves, its territory and, unless results are kept, its result."""
    if not cut:
        return game
    moves, colours = game.move_points[:-cut], game.move_colours[:-cut]
    result = game.result if results else parse_result("")
    return replace(game, move_points=moves, move_colours=colours, result=result, territory=None)


if __name__ == "__main__":
    exit_with(main)
