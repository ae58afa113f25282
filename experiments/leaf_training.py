"""python -m experiments.leaf_training OUTPUT DATASET... --records RECORD... --soft SOFT... [--teacher b18]

Train a model on with positions that searches look at, on 9x9: what a search asks a network, and games do not show.

First it searches positions of the records, some after odd moves and with a komi that makes them close. A strong network
answers for some of the positions below each, for others the network that searches: OUTPUT/leaves, in parts. Then it
trains on these and, for a share of the steps, on the datasets with their labels as `ownership train` does, and leaves
a model in OUTPUT. An interrupted labelling goes on with the next part. docs/lab/models.md, "What a search asks", has
what it gave.
"""

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from experiments.leaf_values import searched
from goban.coords import sources
from goban.errors import InputError
from goban.game import Game
from ownership.inference.evaluator import Evaluator, Prediction
from ownership.inference.files import find_model
from ownership.training.games import games_for, sampler_for
from ownership.training.options import TrainingOptions
from preprocessing.dataset.table import load_soft
from preprocessing.features.planes import describe, parse_feature_set
from preprocessing.records.game import GameRecord
from preprocessing.records.sgf import parse_game

if TYPE_CHECKING:
    from ownership.training.schedule import Schedule

_SIDE: Final = 9
_BATCH: Final = 128
_ROOTS: Final = 63  # searched for a part
_LEAVES: Final = 32  # of each root, itself among them
_VISITS: Final = 200
_OWN_SHARE: Final = 0.6  # of a batch from the answers of the searchers, if there are any
_LAST_PLY: Final = 50
_ODD: Final = 0.5  # share of the roots after one to three moves drawn from a policy
_CLOSE: Final = 0.75  # share of the roots whose komi makes them close
_MOST_LEAD: Final = 45.0  # points that a komi makes up for
_POLICY, _MARGIN = 0.6, 4.0  # what the losses of these heads weigh for positions of searches, more than for others
_SHOWN: Final = 100
_PARTS: Final = "[0-9]*.npz"

Arrays = dict[str, NDArray[Any]]


class Step(NamedTuple):
    """A batch: inputs, targets and what each of these weighs, by name."""

    inputs: Arrays
    targets: Arrays
    known: Arrays


def main() -> int:
    """Label, train and export."""
    parser = parser_of("experiments.leaf_training", __doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("datasets", nargs="+", metavar="DATASET")
    parser.add_argument("--records", nargs="+", type=Path, required=True, metavar="RECORD")
    parser.add_argument("--soft", nargs="+", required=True, metavar="SOFT", help="labels of a teacher")
    parser.add_argument("--teacher", default="b18", metavar="MODEL", help="answers (default: %(default)s)")
    parser.add_argument("--searchers", nargs="+", default=["b6", "play"], metavar="MODEL", help="(default: b6 play)")
    parser.add_argument("--model", default="play", help="to begin with (default: %(default)s)")
    parser.add_argument("--parts", type=int, default=44, metavar="N", help="of 2,016 labels (default: %(default)s)")
    parser.add_argument("--own", type=int, default=0, metavar="N", help="parts by the searchers (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=53, metavar="M", help="of training (default: %(default)s)")
    parser.add_argument("--learning-rate", type=float, default=1.2e-4, metavar="R", help="peak (default: %(default)s)")
    parser.add_argument("--others", type=float, default=0.12, metavar="S", help="share of the steps (%(default)s)")
    arguments = parser.parse_args()
    if arguments.parts < 1:
        raise InputError(f"--parts: expected 1 or more. Received: {arguments.parts}")
    _label(arguments)
    _train(arguments, [_load(folder) for folder in _folders(arguments.output) if any(folder.glob(_PARTS))])
    return 0


def _folders(output: Path) -> tuple[Path, Path]:
    """Return where the answers of the teacher are, and those of the searchers."""
    return output / "leaves" / "taught", output / "leaves" / "own"


def _label(arguments: argparse.Namespace) -> None:
    """Write the parts that are missing."""
    records = [parse_game(path.read_bytes(), str(path)) for path in arguments.records]
    usable = [record for record in records if record.side == _SIDE and len(record.moves) > 1]
    if not usable:
        raise InputError(f"expected records of games on {_SIDE}x{_SIDE}. Found none of {len(records)}")
    searchers = [Evaluator.load(name) for name in arguments.searchers]
    teacher = Evaluator.load(arguments.teacher)
    for folder, parts in zip(_folders(arguments.output), (arguments.parts, arguments.own), strict=True):
        folder.mkdir(parents=True, exist_ok=True)
        for part in range(parts):
            path = folder / f"{part:03}.npz"
            if path.exists():
                continue
            generator = np.random.default_rng((part, folder.name == "own"))
            answerer = teacher if folder.name == "taught" else None
            labels = [_answers(usable, searchers, answerer, generator) for _ in range(_ROOTS)]
            joined: dict[str, Any] = {key: np.concatenate([each[key] for each in labels]) for key in labels[0]}
            np.savez_compressed(folder / "partial.npz", **joined)
            (folder / "partial.npz").rename(path)
            print(f"{path}: {len(joined['wins']):,} labels", flush=True)


def _answers(
    records: Sequence[GameRecord],
    searchers: Sequence[Evaluator],
    teacher: Evaluator | None,
    generator: np.random.Generator,
) -> Arrays:
    """Return answers about positions that a search below a position of some record looks at; None: the searcher's."""
    searcher = searchers[int(generator.integers(len(searchers)))]
    root = _root(records[int(generator.integers(len(records)))], searcher, generator)
    seen = searched(searcher, root, _VISITS, int(generator.integers(1 << 30)))
    others = generator.choice(np.arange(1, len(seen)), min(_LEAVES, len(seen)) - 1, replace=False)
    positions = [seen[0], *(seen[each] for each in others)]
    turns = generator.integers(8, size=len(positions)).tolist()
    answers = (teacher or searcher).evaluate(positions, turns, root.terms)
    planes, _ = describe(positions, parse_feature_set("tactical"))
    movers = np.array([position.to_move for position in positions], np.float32)
    komi = np.float32(root.terms.total_komi)
    return {
        "planes": planes.astype(np.float16),
        "ownership": np.array([_owned(each, mover) for each, mover in zip(answers, movers, strict=True)]),
        "policy": np.array([each.policy for each in answers], np.float16),
        "area": movers * (np.array([each.lead for each in answers], np.float32) + komi),
        "against": movers * komi,
        "wins": 0.5 + movers * (np.array([each.win_rate for each in answers], np.float32) - 0.5),
    }


def _root(record: GameRecord, evaluator: Evaluator, generator: np.random.Generator) -> Game:
    """Return a position of a record, perhaps after odd moves, perhaps with a komi that makes it close."""
    game = record.as_game(int(generator.integers(1, min(_LAST_PLY, len(record.moves)))))
    for _ in range(int(generator.integers(1, 4)) if generator.random() < _ODD else 0):
        [prediction] = evaluator.evaluate([game.position], 1, game.terms)
        policy = np.asarray(prediction.policy, np.float64)
        game = game.play(int(generator.choice(len(policy), p=policy / policy.sum())), superko=False)
    komi = game.terms.total_komi
    [prediction] = evaluator.evaluate([game.position], 1, game.terms)
    if prediction.lead is None:
        raise InputError(f"expected models that predict leads. Received: {evaluator.name}")
    if generator.random() < _CLOSE and abs(prediction.lead) < _MOST_LEAD:
        komi = math.floor(komi + prediction.lead + generator.normal(0, 2)) + 0.5
    return replace(game, komi=komi, handicap=0)


def _owned(answer: Prediction, mover: float) -> NDArray[np.float16]:
    """Return the probability that the side to move owns each point."""
    return (0.5 + 0.5 * mover * answer.ownership).astype(np.float16)


def _load(folder: Path) -> Arrays:
    """Return the labels of a folder."""
    found = [dict(np.load(path)) for path in sorted(folder.glob(_PARTS))]
    return {key: np.concatenate([each[key] for each in found]) for key in found[0]}


def _train(arguments: argparse.Namespace, leaves: Sequence[Arrays]) -> None:
    """Train for the minutes given, after the first step, and export the averaged weights."""
    import keras

    from experiments.gpu_training import export_averaged
    from ownership.training.ema import WeightEMA
    from ownership.training.losses import compile_network, network_inputs, network_targets
    from ownership.training.networks import build_network
    from ownership.training.saved import take_weights, trained_config
    from ownership.training.schedule import Schedule

    first = find_model(arguments.model)
    config = trained_config(first)
    options = TrainingOptions(
        minutes=arguments.minutes,
        batch_size=64,
        seed=11,
        learning_rate=arguments.learning_rate,
        optimizer="muon",
        weight_decay=0.02,
        precision="mixed_bfloat16",
        policy_weight=0.5,
        teacher_weight=0.88,
        history_dropout=0.05,
        ema=0.998,
    )
    games = games_for(config, arguments.datasets, "train")
    sampler = sampler_for(config, options, games, load_soft(arguments.soft))
    keras.utils.set_random_seed(options.seed)
    model = build_network(config, options.precision)
    take_weights(model, config, first)
    compile_network(model, config, options)
    average = WeightEMA(model.get_weights(), options.ema)
    schedule = Schedule(options, arguments.learning_rate)

    def step(number: int) -> Step:
        generator = np.random.default_rng((options.seed, number))
        if generator.random() >= arguments.others:
            return _leaf_step(leaves, generator)
        batch = sampler.batch(number)
        return Step(network_inputs(batch), *network_targets(batch, config, options, number))

    samples, started = 0, time.monotonic()
    for number, rate in paced(schedule, arguments.minutes):
        each = step(number)
        samples += len(each.inputs["planes"])
        model.optimizer.learning_rate = rate
        model.reset_metrics()
        values = model.train_on_batch(*each, return_dict=True)
        if average.due(number):
            average.update(number, model.get_weights())
        if number % _SHOWN == 0:
            print(f"{samples:,} samples", *(f"{name} {value:.3f}" for name, value in values.items()), flush=True)
    described = {"samples": samples, "seconds": time.monotonic() - started, "initial_weights": first.place}
    export_averaged(average.weights, config, options, games, arguments, described)


def paced(schedule: "Schedule", minutes: float) -> Iterator[tuple[int, float]]:
    """Yield the numbers of steps, from 1, with their learning rates, until the minutes after the first are over."""
    started = used = 0.0
    for number in count(1):
        yield number, schedule.learning_rate(used, number)
        started = started or time.monotonic()
        used = (time.monotonic() - started) / 60 / minutes
        if used >= 1:
            return


def _leaf_step(leaves: Sequence[Arrays], generator: np.random.Generator) -> Step:
    """Return a batch of positions of searches, turned at random."""
    own = round(_OWN_SHARE * _BATCH) if len(leaves) > 1 else 0
    counts = (_BATCH - own, own)[: len(leaves)]
    rows = [generator.integers(len(each["wins"]), size=count) for each, count in zip(leaves, counts, strict=True)]
    planes, ownership, policy, area, against, wins = (
        np.concatenate([each[key][chosen] for each, chosen in zip(leaves, rows, strict=True)]) for key in leaves[0]
    )
    source = sources(_SIDE)[generator.integers(8)]
    points = source[:-1]
    planes = planes.reshape(_BATCH, _SIDE * _SIDE, -1)[:, points].reshape(planes.shape)
    ownership = ownership.reshape(_BATCH, -1)[:, points].reshape(ownership.shape)
    moves = policy[:, source].astype(np.float32)
    targets = {
        "ownership": ownership.astype(np.float32),
        "policy": moves / moves.sum(axis=1, keepdims=True),
        "score": np.stack([area, np.ones_like(area)], axis=1),
        "margin": np.stack([area, against, wins], axis=1),
    }
    one = np.ones(_BATCH, np.float32)
    known = {"ownership": one[:, None], "policy": _POLICY * one, "score": 0 * one, "margin": _MARGIN * one}
    return Step({"planes": planes.astype(np.float32)}, targets, known)


if __name__ == "__main__":
    exit_with(main)
