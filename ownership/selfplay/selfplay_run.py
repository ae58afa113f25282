"""The run of `ownership selfplay`: from plans to a dataset of games."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from game_datasets.columns import GAMES
from game_datasets.manifest import claim
from game_datasets.rejected_games import write_rejected
from game_datasets.rows import Label, Row, accepted_row, rejected_row
from game_datasets.shards import GAMES_A_SHARD, read_rows, write_shard
from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.result_property import Result
from goban.counting.counted_score import format_result
from goban.counting.estimate import Estimate
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.selfplay.game_plans import Mistakes, Plan
from ownership.selfplay.policy_games import Ended, play_games, refusal_of
from ownership.selfplay.weak_game_plans import SparseGames, WeakGames, WeakPlan
from runtime.folders import Folder

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
    shard_size: int = GAMES_A_SHARD

    def __post_init__(self) -> None:
        self.evaluator.files.require_head("policy", "player policy")

    def run(self, games: int, ended: Ended = lambda count: None, listener: RowListener = lambda row: None) -> None:
        """Play the games that are missing.

        Args:
            games: how many the dataset will hold; a larger number than before adds games.
            ended: receives how many games ended, whenever some do.
            listener: receives every row, in order.

        Raises:
            DatasetError: `output` holds something else.
        """
        with claim(self.output, self._options()) as written:
            for shard, start in enumerate(range(0, games, self.shard_size)):
                numbers = range(start, min(start + self.shard_size, games))
                rows = read_rows(self.output, GAMES.file_name(shard)) if GAMES.file_name(shard) in written else []
                if len(rows) < len(numbers):
                    rows = self._play(numbers, ended)
                    write_shard(self.output, shard, rows)
                else:
                    ended(len(numbers))
                for row in rows:
                    listener(row)
            write_rejected(self.output)

    def _options(self) -> dict[str, Any]:
        return {
            "selfplay": {**self.games.options, "model": self.model, "seed": self.seed},
            "shard_size": self.shard_size,
        }

    def _play(self, numbers: range, ended: Ended) -> list[Row]:
        plans = [self.games.plan(self.seed, number) for number in numbers]
        played = play_games(plans, self.evaluator, ended)
        rows = self._counted(played) if self.games.counted else [rejected_row(game, *_NOT_COUNTED) for game in played]
        return [row | _own_columns(plan, game) for plan, game, row in zip(plans, played, rows, strict=True)]

    def _counted(self, played: Sequence[GameRecord]) -> list[Row]:
        scored = score_games(played, self.evaluator, ScoreOptions())
        return [self._row(answer) for answer in scored]

    def _row(self, scored: ScoredGame | BadRecord) -> Row:
        assert isinstance(scored, ScoredGame)
        game, end = scored.game, scored.estimate
        refusal = refusal_of(game, end)
        return rejected_row(game, *refusal) if refusal else self._accepted(game, end)

    def _accepted(self, game: GameRecord, end: Estimate) -> Row:
        score = float(end.owner.sum()) - game.komi
        result = Result(int(np.sign(score)), abs(score), "counted" if score else "draw", format_result(score))
        return accepted_row(replace(game, result=result), Label(end.owner, score, self.model))


def _own_columns(plan: Plan | WeakPlan, game: GameRecord) -> Row:
    """Return the columns that a game has from its plan: its opening is that of the record, where it has one."""
    opening = plan.record.opening if len(plan.record.move_points) else game.opening
    return {"opening": opening, "split": "train", "branch": min(plan.branch, len(game.move_points))}
