"""The run of `ownership selfplay`: from plans to a dataset of games."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from game_datasets.manifest import claim
from game_datasets.portions import Portions
from game_datasets.rejected_csv import write_rejected
from game_datasets.rows import Label, Row, accepted_row, rejected_row
from game_datasets.shards import GAMES_A_PORTION
from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.result_property import Result
from goban.counting.counted_score import format_result
from goban.counting.estimate import Estimate
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.selfplay.branched_game_plans import Mistakes, Plan
from ownership.selfplay.policy_games import Ended, play_games, refusal_of
from ownership.selfplay.weak_game_plans import SparseGames, WeakGames, WeakPlan
from runtime.folders import Folder
from runtime.workers import Workers

RowListener = Callable[[Row], None]

_NOT_COUNTED: Final = ("unlabelled", "a teacher labels the positions of weak players")


@dataclass(frozen=True, eq=False)
class SelfPlay:
    """Plays games and writes them to a dataset folder, one shard at a time.

    Attributes:
        output: the dataset folder.
        games: plans them; its `counted` is whether their ends are counted.
        evaluator: plays and counts.
        model: the name of its model, with the hash of the weights.
        seed: of all random choices.
        shard_size: games in a shard.

    Raises:
        InputError: the model has no policy.

    The games of a shard are played together from start to end, and a shard appears whole or not at all: a run that was
    killed goes on with the first missing one, and ends with the same bytes.
    """

    output: Folder
    games: Mistakes | WeakGames | SparseGames
    evaluator: Evaluator
    model: str
    seed: int
    shard_size: int = GAMES_A_PORTION

    def __post_init__(self) -> None:
        self.evaluator.files.require_head("policy", "player policy")

    def run(
        self,
        games: int,
        ended: Ended = lambda count: None,
        listener: RowListener = lambda row: None,
        cluster: Workers | None = None,
    ) -> None:
        """Play the games that are missing.

        Args:
            games: how many the dataset will hold; a larger number than before adds games.
            ended: receives how many games ended, whenever some do; on a cluster, whenever a shard does.
            listener: receives every row, those of missing shards last.
            cluster: the workers that play, a shard each; by default this process.

        Raises:
            DatasetError: `output` holds something else.
            InputError: several workers died while they played the same shard.
        """
        with claim(self.output, self._options()):
            missing, portions = [], Portions(self.output)
            for shard, numbers in enumerate(self._shards(games)):
                rows = portions.rows(shard)
                if len(rows) < len(numbers):
                    missing.append((shard, numbers))
                    continue
                ended(len(rows))
                for row in rows:
                    listener(row)
            for (shard, _), rows in zip(
                missing, self._played([each for _, each in missing], ended, cluster), strict=True
            ):
                portions.write(shard, rows)
                for row in rows:
                    listener(row)
            write_rejected(self.output)
            portions.join()

    def _shards(self, games: int) -> Iterator[range]:
        """Yield the numbers of the games of each shard."""
        return (range(start, min(start + self.shard_size, games)) for start in range(0, games, self.shard_size))

    def _played(self, shards: Sequence[range], ended: Ended, cluster: Workers | None) -> Iterator[list[Row]]:
        """Yield the rows of the games of each shard."""
        plans = ([self.games.plan(self.seed, number) for number in numbers] for numbers in shards)
        play = partial(played_rows, evaluator=self.evaluator, model=self.model if self.games.counted else None)
        if cluster is None:
            yield from map(partial(play, ended=ended), plans)
            return
        for rows in cluster.in_order(play, plans):
            ended(len(rows))
            yield rows

    def _options(self) -> dict[str, Any]:
        return {
            "selfplay": {**self.games.options, "model": self.model, "seed": self.seed},
            "shard_size": self.shard_size,
        }


def played_rows(
    plans: Sequence[Plan | WeakPlan], evaluator: Evaluator, model: str | None, ended: Ended = lambda count: None
) -> list[Row]:
    """Return the rows of the games of some plans; `model` labels them, None leaves them to a teacher."""
    played = play_games(plans, evaluator, ended)
    if model is None:
        rows = [rejected_row(game, *_NOT_COUNTED) for game in played]
    else:
        rows = [_counted_row(answer, model) for answer in score_games(played, evaluator, ScoreOptions())]
    return [row | _own_columns(plan, game) for plan, game, row in zip(plans, played, rows, strict=True)]


def _counted_row(scored: ScoredGame | BadRecord, model: str) -> Row:
    assert isinstance(scored, ScoredGame)
    game, end = scored.game, scored.estimate
    refusal = refusal_of(game, end)
    return rejected_row(game, *refusal) if refusal else _accepted(game, end, model)


def _accepted(game: GameRecord, end: Estimate, model: str) -> Row:
    score = float(end.owner.sum()) - game.komi
    result = Result(int(np.sign(score)), abs(score), "counted" if score else "draw", format_result(score))
    return accepted_row(replace(game, result=result), Label(end.owner, score, model))


def _own_columns(plan: Plan | WeakPlan, game: GameRecord) -> Row:
    """Return the columns that a game has from its plan: its opening is that of the record, where it has one."""
    opening = plan.record.opening if len(plan.record.move_points) else game.opening
    return {"opening": opening, "split": "train", "branch": min(plan.branch, len(game.move_points))}
