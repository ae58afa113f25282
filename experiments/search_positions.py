"""python -m experiments.search_positions OUTPUT DATASET... [--searcher MODEL] [--records 1024]

Positions that searches look at, as a dataset: a game for each, which ends with it. Games do not show such positions,
and a network that serves a search is asked about little else. A teacher labels them:

    ownership teach OUTPUT --teacher b18 --symmetries 1 --every 1 --further 0 -o LABELS

A search begins with a position of a record, most of them after some odd moves and with a komi that makes them close,
and plays on for some moves. A run that was killed goes on. docs/lab/models.md, "A larger network", has what it gave.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from benchmarks.command import exit_with, parser_of
from experiments.leaf_values import searched
from goban.errors import InputError
from goban.game import Game
from goban.position import RECENT_MOVES, Position
from ownership.inference.evaluator import Evaluator
from ownership.selfplay.plan import UNFINISHED
from ownership.teaching.run import TaughtGames
from preprocessing.dataset.pipeline import claim
from preprocessing.dataset.rows import Row, rejected_row
from preprocessing.dataset.schema import GAMES
from preprocessing.dataset.shards import write_shard
from preprocessing.records.game import GameRecord
from preprocessing.storage import Folder

_SHARD: Final = 32  # records
_LEAVES: Final = 0.32  # share of the positions of a search that are kept, besides its root
_ODD: Final = 0.6  # share of the records that are left by one to four moves drawn from a policy
_FLATTENED: Final = 0.8  # power of the policy that these are drawn from
_CLOSE: Final = 0.75  # share of the records whose komi makes them close
_MOST_LEAD: Final = 45.0  # points that a komi makes up for
_GOES_ON: Final = 0.8  # chance of a further search after the next move
_DRAWN: Final = 0.35  # share of these moves that are drawn by their visits; others are the most visited ones
_UNLABELLED: Final = ("unlabelled", "a teacher labels positions of searches")

Key = tuple[bytes, tuple[int, ...]]


def main() -> int:
    """Search and write the shards that are missing."""
    parser = parser_of("experiments.search_positions", __doc__)
    parser.add_argument("output")
    parser.add_argument("datasets", nargs="+", metavar="DATASET")
    parser.add_argument("--searcher", default="default", metavar="MODEL", help="(default: %(default)s)")
    parser.add_argument("--records", type=int, default=1024, metavar="N", help="rounded up to 32s (%(default)s)")
    parser.add_argument("--visits", type=int, default=100, metavar="N", help="of a search (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="default: %(default)s")
    arguments = parser.parse_args()
    for name, least in (("records", 1), ("visits", 2)):
        if getattr(arguments, name) < least:
            raise InputError(f"--{name}: expected {least} or more. Received: {getattr(arguments, name)}")
    source, evaluator = TaughtGames(arguments.datasets), Evaluator.load(arguments.searcher)
    options = {"searcher": evaluator.name, "games": source.name, "visits": arguments.visits, "seed": arguments.seed}
    output = Folder(arguments.output)
    with claim(output, {"search_positions": options}) as written:
        for shard in range(math.ceil(arguments.records / _SHARD)):
            if GAMES.file_name(shard) in written:
                continue
            generator = np.random.default_rng((arguments.seed, shard))
            rows = list(_rows(source, evaluator, arguments.visits, generator))
            write_shard(output, shard, rows)
            print(f"{GAMES.file_name(shard)}: {len(rows):,} positions", flush=True)
    return 0


def _rows(source: TaughtGames, evaluator: Evaluator, visits: int, generator: np.random.Generator) -> Iterator[Row]:
    """Yield the rows of a shard."""
    for _ in range(_SHARD):
        record = source[int(generator.integers(len(source)))]
        yield from _searched_rows(record, evaluator, visits, generator)


def _searched_rows(
    record: GameRecord, evaluator: Evaluator, visits: int, generator: np.random.Generator
) -> Iterator[Row]:
    """Yield the rows of one search after the other, the first from a position of a record."""
    game = _begin(record, evaluator, generator)
    while not game.ended:
        positions, result = searched(evaluator, game, visits, int(generator.integers(1 << 30)))
        others = generator.choice(np.arange(1, len(positions)), round(_LEAVES * (len(positions) - 1)), replace=False)
        lines = _lines(game, positions)
        yield from (_row(lines[_key(positions[each])], record) for each in (0, *sorted(others.tolist())))
        if not result.moves or generator.random() >= _GOES_ON:
            return
        shares = np.array([move.visits for move in result.moves], np.float64)
        drawn = generator.random() < _DRAWN
        chosen = generator.choice(len(shares), p=shares / shares.sum()) if drawn else shares.argmax()
        game = game.play(result.moves[int(chosen)].point)


def _begin(record: GameRecord, evaluator: Evaluator, generator: np.random.Generator) -> Game:
    """Return a position of a record, perhaps after odd moves, perhaps with a komi that makes it close."""
    game = record.as_game(int(generator.integers(max(1, len(record.moves)))))
    for _ in range(int(generator.integers(1, 5)) if generator.random() < _ODD else 0):
        [prediction] = evaluator.evaluate([game.position], [int(generator.integers(8))], game.terms)
        policy = game.position.legal_moves() * np.asarray(prediction.policy, np.float64) ** _FLATTENED
        game = game.play(int(generator.choice(len(policy), p=policy / policy.sum())), superko=False)
    [prediction] = evaluator.evaluate([game.position], 1, game.terms)
    if prediction.lead is None:
        raise InputError(f"expected a model that predicts leads. Received: {evaluator.name}")
    if generator.random() < _CLOSE and abs(prediction.lead) < _MOST_LEAD:
        komi = math.floor(game.terms.total_komi + prediction.lead + generator.normal(0, 2)) + 0.5
        game = replace(game, komi=komi, handicap=0)
    return game


def _lines(game: Game, positions: list[Position]) -> dict[Key, Game]:
    """Return the game to each position of a search, by its key; each comes after the one before its last move."""
    lines = {_key(game.position): game}
    for position in positions[1:]:
        before = (position.earlier[0].stones.tobytes(), position.recent[1:])
        lines[_key(position)] = lines[before].play(position.recent[0], superko=False)
    return lines


def _key(position: Position) -> Key:
    """Return what tells a position of a search from all others."""
    return position.stones.tobytes(), position.recent[: RECENT_MOVES - 1]


def _row(game: Game, record: GameRecord) -> Row:
    """Return the row of a game whose last position alone is to be labelled."""
    line = GameRecord.of_game(game, f"search below {record.source}", UNFINISHED)
    own = {"opening": record.opening, "split": "train", "branch": len(line.moves)}
    return rejected_row(line, *_UNLABELLED) | own


if __name__ == "__main__":
    exit_with(main)
