"""How well it is known when the owner of each point will be final, beside the certainty of the owner itself.

    python -m ownership.training.settled_measures DATASET... --labels FILE...
        --learned DATASET... --learned-labels FILE...

The other measure is |ownership|. To become a chance it is calibrated by the best monotone curve on games of the split
`train` of the datasets `--learned`. Figures are means over games with their standard errors.

Concordance is the share of pairs of points of a position, one settled before the other, that are in the right order
(Harrell's C-index). Of a point that is settled only by the end of the game it is known that it was not settled before.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games
from goban.rulesets import RULESETS, Terms
from ownership.explaining.settled import settled
from ownership.inference.evaluator import Evaluator
from ownership.inference.settling_network import RANGES, SOON, WEIGHTS, Weights, network_answer, read_weights
from ownership.training.settled_cases import UNKNOWN, SettlingCases, settling_cases
from ownership.training.settled_labels import read_labels
from runtime.command_line import exit_with

_EXPECTED: Final = np.array([0, 5.5, 15.5, 30.5, 60.5, 120])  # moves of each range
_STEPS: Final = 1000  # of a monotone curve, before those that fall are joined
_TENTHS: Final = 10
_BATCH: Final = 8
_VERDICTS: Final = 5  # moves between positions that are judged

Float64 = NDArray[np.float64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class MonotoneCurve:
    """A curve that never falls, through the means of equal parts of the data it was fitted to."""

    places: Float64
    values: Float64

    def __call__(self, x: NDArray[np.float32]) -> Float64:
        """Return the values at some places."""
        return np.interp(x, self.places, self.values)


def fit_monotone(x: NDArray[np.float32], y: Booleans) -> MonotoneCurve:
    """Return the monotone curve of least squares (pool adjacent violators), given x and y, (n,)."""
    parts = np.array_split(np.argsort(x, kind="stable"), min(_STEPS, len(x)))
    blocks = list[tuple[float, int, int]]()  # mean, size, parts
    for part in parts:
        mean, size, joined = float(y[part].mean()), len(part), 1
        while blocks and blocks[-1][0] >= mean:
            before, count, more = blocks.pop()
            mean = (before * count + mean * size) / (count + size)
            size, joined = size + count, joined + more
        blocks.append((mean, size, joined))
    values = np.repeat([mean for mean, _, _ in blocks], [joined for _, _, joined in blocks])
    return MonotoneCurve(np.array([x[part].mean(dtype=np.float64) for part in parts]), values)


def concordance(late: Float64, moves: NDArray[np.int16], censored: Booleans) -> float:
    """Return the share of comparable pairs in the right order, a tie counting half; NaN without such a pair.

    Args:
        late: (n,), higher for points that are expected to be settled later.
        moves: (n,), until each is settled.
        censored: bool (n,), where it is only known that it is not settled before these moves.
    """
    after = (moves[:, None] < moves) | ((moves[:, None] == moves) & censored)
    pairs = after & ~censored[:, None]
    return float(((late > late[:, None]) + 0.5 * (late == late[:, None]))[pairs].mean()) if pairs.any() else np.nan


def reliability_rows(
    chance: Float64, happened: Booleans, game: NDArray[np.int64]
) -> list[tuple[float, float, float, float]]:
    """Return for each tenth of chances their mean, how often it happened, the error over games, and its share."""
    found, tenth = [], np.minimum((chance * _TENTHS).astype(int), _TENTHS - 1)
    for number in np.unique(tenth):
        chosen = tenth == number
        rows = np.unique(game[chosen], return_inverse=True)[1]
        sizes, count = np.bincount(rows), int(chosen.sum())
        share = float(happened[chosen].mean())
        error = np.sqrt(np.square(np.bincount(rows, happened[chosen]) - share * sizes).sum()) / count
        found.append((float(chance[chosen].mean()), share, float(error), float(chosen.mean())))
    return found


def _mean_over_games(values: Float64, game: NDArray[np.int64]) -> str:
    known = ~np.isnan(values)
    rows = np.unique(game[known], return_inverse=True)[1]
    means = np.bincount(rows, values[known]) / np.bincount(rows)
    return f"{means.mean():.4f} ±{means.std(ddof=1) / np.sqrt(len(means)):.4f}"


def _report(cases: SettlingCases, side: int, curve: MonotoneCurve, weights: Weights) -> None:
    """Print the figures of a board side."""
    chances = _chances(cases, side, weights)
    soon = {"network": chances[..., : SOON + 1].sum(-1), "|ownership|": curve(cases.sure)}
    late = {"network": chances @ _EXPECTED, "|ownership|": -cases.sure.astype(np.float64)}
    print(f"{side}x{side}: {len(np.unique(cases.game))} games, {len(cases.game)} positions")
    _compare("concordance", cases, [_concordances(cases, each) for each in late.values()])
    _compare("Brier score", cases, [_brier_scores(cases, each) for each in soon.values()])
    known = cases.ranges != UNKNOWN
    games = np.broadcast_to(cases.game[:, None], known.shape)[known]
    for name, each in soon.items():
        rows = reliability_rows(each[known], (cases.moves <= RANGES[SOON])[known], games)
        error = sum(share * abs(mean - real) for mean, real, _, share in rows)
        print(f"{name}: calibration error {error:.4f}")
        print("\n".join(f"  {mean:.2f}: {real:.3f} ±{off:.3f} ({share:.0%})" for mean, real, off, share in rows))


def _chances(cases: SettlingCases, side: int, weights: Weights) -> Float64:
    images = cases.planes.reshape(-1, side, side, cases.planes.shape[-1])
    parts = (images[start : start + _BATCH].astype(np.float32) for start in range(0, len(images), _BATCH))
    found = np.concatenate([network_answer(weights, part) for part in parts]).astype(np.float64)
    return found.reshape(*cases.moves.shape, -1)


def _compare(name: str, cases: SettlingCases, figures: Sequence[Float64]) -> None:
    ours, theirs = figures
    means = (_mean_over_games(each, cases.game) for each in (ours, theirs, ours - theirs))
    print(name, "network {}, |ownership| {}, difference {}".format(*means))


def _concordances(cases: SettlingCases, late: Float64) -> Float64:
    known = cases.ranges != UNKNOWN
    censored = (cases.moves == cases.length[:, None]) & (cases.moves > 0)
    rows = zip(late, cases.moves, censored, known, strict=True)
    return np.array([concordance(each[chosen], moves[chosen], end[chosen]) for each, moves, end, chosen in rows])


def _brier_scores(cases: SettlingCases, soon: Float64) -> Float64:
    errors = np.square(soon - (cases.moves <= RANGES[SOON]))
    result: Float64 = errors.mean(axis=1, where=cases.ranges != UNKNOWN)
    return result


def _report_verdicts(evaluator: Evaluator, table: GameTable, side: int, rows: Sequence[int]) -> None:
    """Print when games of a board side are first called decided and nearly finished, and how often that is wrong."""
    decided, ending = list[tuple[float, bool]](), list[tuple[float, float]]()
    for row in rows:
        length, score = int(table.lengths[row]), float(table.score[row])
        plies = range(row % _VERDICTS, length + 1, _VERDICTS)
        terms = Terms(RULESETS["area"], float(table.komi[row]))
        found = settled(evaluator, [table.position(row, ply) for ply in plies], terms)
        said = list(zip(plies, found, strict=True))
        decided += [(ply / length, score * each.winner > 0) for ply, each in said if each.winner is not None][:1]
        ending += [(ply / length, abs(score - each.lead)) for ply, each in said if each.only_small_endgame][:1]
    when, right = np.array(decided, float).reshape(-1, 2).T
    called = f"{len(when)} called decided after {np.median(when):.0%} of the game (median)"
    print(f"{side}x{side}: of {len(rows)} games {called}, {int((1 - right).sum())} wrongly")
    when, off = np.array(ending, float).reshape(-1, 2).T
    called = f"{len(when)} with small endgame only after {np.median(when):.0%}"
    print(f"  {called}, the lead then {off.mean():.1f} points off, within 5 in {(off <= 5).mean():.0%}")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures of each board side; return 0."""
    parser = argparse.ArgumentParser(prog="python -m ownership.training.settled_measures")
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--labels", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--learned", nargs="+", required=True, metavar="DATASET")
    parser.add_argument("--learned-labels", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--positions", type=int, default=8, metavar="N", help="of each game")
    parser.add_argument("--games", type=int, default=300, metavar="N", help="for the curve, of each board side")
    parser.add_argument("--verdicts", type=int, default=0, metavar="N", help="also judge whether N games are decided")
    parser.add_argument("--symmetries", type=int, default=1, choices=(1, 4, 8))
    parser.add_argument("--weights", default=WEIGHTS, metavar="FILE")
    parser.add_argument("--model", metavar="NAME|DIR")
    arguments = parser.parse_args(argv)
    evaluator, weights = Evaluator.load(arguments.model, cached=0), read_weights(arguments.weights)
    drawn = (arguments.positions, arguments.symmetries)
    learned = load_games(arguments.learned, "train"), read_labels(arguments.learned_labels)
    curves = dict[int, MonotoneCurve]()
    for side, cases in settling_cases(evaluator, *learned, *drawn, most=arguments.games):
        known = cases.ranges != UNKNOWN
        curves[side] = fit_monotone(cases.sure[known], (cases.moves <= RANGES[SOON])[known])
    table = load_games(arguments.datasets)
    for side, cases in settling_cases(evaluator, table, read_labels(arguments.labels), *drawn):
        _report(cases, side, curves[side], weights)
        rows = np.unique(cases.game)[: arguments.verdicts].tolist()
        if rows:
            _report_verdicts(evaluator, table, side, rows)
    return 0


if __name__ == "__main__":
    exit_with(main)
