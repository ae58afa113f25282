"""python -m experiments.katago_parity KATAGO NETWORK... [--games N] [--positions N]

Networks of KataGo as this package builds them, in float32, compared with KataGo's answers to `kata-raw-nn 0 0`:
the same positions in the same symmetry. KATAGO is its program, NETWORK a model file. This is behind docs/measured.md,
"Networks of KataGo".

The positions are of games of random moves on 7x7, 9x9, 13x13 and 19x19 under several rules, with komi and handicap
stones of all sizes. Most moves are near the last one, so that there are many more kos and ladders than in real games.
A position has no history, so that the points which only superko forbids are added to the planes.
"""

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from benchmarks.katago import RawAnswer, play, raw_answer, set_up, start_katago
from goban.coords import BLACK, WHITE, pass_point
from goban.game import Game
from goban.handicap_stones import fixed_handicap
from goban.rulesets import RULESETS
from ownership.commands.shared.progress import progress_bar
from planes.katago_inputs import katago_numbers, katago_planes

LIMIT: Final = 0.001  # of probabilities, ownership (-1 to 1) and points
_SIDES: Final = (7, 9, 13, 19)
_TERMS: Final = (("chinese", 7.5), ("japanese", 6.5), ("tromp-taylor", -3.0), ("korean", 0.5), ("aga", 20.0))
_HANDICAPS: Final = (0, 0, 2, 4)
_NEAR: Final = 0.6  # of the moves
_PASSES: Final = 0.03  # of the moves
_BATCH: Final = 16
_OUTPUTS: Final = ("ownership", "policy", "outcome", "lead")


@dataclass(frozen=True, eq=False)
class Case:
    """A position as its game reached it, and KataGo's evaluation."""

    game: Game
    answer: RawAnswer


def main() -> int:
    """Print a table for each network; return 1 if a position differs by more than `LIMIT`."""
    parser = parser_of("experiments.katago_parity", __doc__)
    parser.add_argument("katago")
    parser.add_argument("networks", nargs="+", type=Path, metavar="NETWORK")
    parser.add_argument("--games", type=int, default=40, metavar="N", help="games (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=5, metavar="N", help="of each game (default: %(default)s)")
    arguments = parser.parse_args()
    return max([_compared(arguments, network) for network in arguments.networks])


def _compared(arguments: argparse.Namespace, path: Path) -> int:
    """Print how far a network is from KataGo; return whether it is too far at some position."""
    from ownership.katago_networks.build_katago_network import build_katago_network
    from ownership.katago_networks.katago_file import read_model

    model = read_model(path)
    network = build_katago_network(model)
    cases = list(progress_bar(_cases(arguments, path), total=arguments.games * arguments.positions, unit="position"))
    cases.sort(key=lambda case: case.game.side)
    differences = np.concatenate([_differences(network, part, model.strict_pass_alive) for part in _batches(cases)])
    print(f"{path.name}: {len(cases)} positions, largest difference at each: mean, at most, share within {LIMIT}")
    for name, values in zip(_OUTPUTS, differences.T, strict=True):
        print(f"  {name:10} {values.mean():.6f} {values.max():.6f} {np.mean(values <= LIMIT):7.1%}")
    far = [(case, row) for case, row in zip(cases, differences, strict=True) if row.max() > LIMIT]
    print(f"  {len(cases) - len(far)} of {len(cases)} within {LIMIT} in all")
    for case, row in far:
        game = case.game
        sizes = ", ".join(f"{name} {value:.4f}" for name, value in zip(_OUTPUTS, row, strict=True))
        print(f"\n  {sizes}: {game.ruleset.name}, komi {game.komi}, move {len(game.moves)}")
        print(f"  {game.position!r}")
    return bool(far)


def _cases(arguments: argparse.Namespace, network: Path) -> Iterator[Case]:
    with tempfile.TemporaryDirectory() as folder, start_katago(arguments.katago, network, Path(folder)) as katago:
        for seed in range(arguments.games):
            random = np.random.default_rng(seed)
            game = _start(seed)
            stones = [(point, BLACK) for point in np.flatnonzero(game.start.stones).tolist()]
            set_up(katago, game.side, game.terms, stones)
            length = game.side**2
            asked = set(random.choice(length, arguments.positions, replace=False).tolist())
            for ply in range(length):
                point = _next(game, random)
                play(katago, game.side, point, game.position.to_move)
                game = game.play(point)
                if ply in asked:
                    yield Case(game, raw_answer(katago, game.side))


def _start(seed: int) -> Game:
    """Return the beginning of a game, every board side with all kinds of rules and handicap in turn."""
    side = _SIDES[seed % len(_SIDES)]
    rules, komi = _TERMS[seed // len(_SIDES) % len(_TERMS)]
    game = Game.empty(side, ruleset=RULESETS[rules], komi=komi)
    handicap = _HANDICAPS[seed % len(_HANDICAPS) - seed // len(_SIDES) % len(_HANDICAPS)]
    if not handicap:
        return game
    return game.with_setup(dict.fromkeys(fixed_handicap(side, handicap), BLACK), WHITE, handicap)


def _next(game: Game, random: np.random.Generator) -> int:
    """Return a legal move, mostly near the last one, which makes ladders and kos; sometimes a pass, never a second."""
    side = game.side
    legal = np.flatnonzero(game.legal_points()[:-1])
    passed = game.position.recent[:1] == (pass_point(side),)
    if not len(legal) or (random.random() < _PASSES and not passed):
        return pass_point(side)
    if game.indexed_moves and not passed and random.random() < _NEAR:
        row, column = divmod(game.indexed_moves[-1][1], side)
        near = legal[abs(legal // side - row) + abs(legal % side - column) <= 2]
        legal = near if len(near) else legal
    return int(random.choice(legal))


def _batches(cases: list[Case]) -> Iterator[list[Case]]:
    for side in _SIDES:
        alike = [case for case in cases if case.game.side == side]
        yield from (alike[start : start + _BATCH] for start in range(0, len(alike), _BATCH))


def _differences(network: Any, cases: list[Case], strict: bool) -> NDArray[np.float64]:
    """Return float64 (P, 4): the largest difference in each of `_OUTPUTS` about positions of one board side."""
    positions, terms = [case.game.position for case in cases], [case.game.terms for case in cases]
    planes = katago_planes(positions, terms, strict)
    for image, case in zip(planes, cases, strict=True):
        _mark_superko(case.game, image)
    found = network.predict_on_batch({"planes": planes, "globals": katago_numbers(positions, terms)})
    rows = []
    for index, case in enumerate(cases):
        sign, answer = case.game.position.to_move, case.answer
        legal = ~np.isnan(answer.policy)
        policy = np.where(legal, found["policy"][index].astype(np.float64), 0)
        outcome = found["value"][index][[1, 0, 2] if sign == BLACK else [0, 1, 2]]  # White wins, loses, no result
        rows.append(
            [
                np.abs(sign * (2 * found["ownership"][index] - 1) - answer.ownership).max(),
                np.abs(policy / policy.sum() - np.where(legal, answer.policy, 0)).max(),
                np.abs(outcome - answer.outcome).max(),
                abs(sign * found["score"][index, 0] - answer.lead),
            ]
        )
    return np.array(rows)


def _mark_superko(game: Game, planes: NDArray[np.float32]) -> None:
    """Add what superko forbids to the plane of ko, as KataGo does."""
    if not game.ruleset.superko:
        return
    for point in np.flatnonzero(game.position.legal_points(suicide=game.ruleset.suicide)[:-1]).tolist():
        after = game.position.play(point, suicide=True).hash
        if after in game.hashes and after != game.position.hash:
            planes[divmod(point, game.side)][6] = 1


if __name__ == "__main__":
    exit_with(main)
