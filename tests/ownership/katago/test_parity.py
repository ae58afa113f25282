"""KataGo itself says the same, where `KATAGO` names its program and `KATAGO_NETWORK` a network."""

import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.game import Game
from goban.rulesets import RULESETS
from tests.support.katago import RawAnswer, play, raw_answer, set_up, start_katago

PROGRAM, NETWORK = os.environ.get("KATAGO"), os.environ.get("KATAGO_NETWORK")
if not (PROGRAM and NETWORK):
    pytest.skip("KATAGO and KATAGO_NETWORK are not set", allow_module_level=True)
pytest.importorskip("keras", reason="building a network needs the train extra")

from ownership.katago.model_file import read_model  # noqa: E402
from ownership.katago.network import build_katago_network  # noqa: E402
from preprocessing.features.katago import katago_numbers, katago_planes  # noqa: E402

CASES = [
    (side, rules, komi)
    for side in (7, 9, 13, 19)
    for rules, komi in (("chinese", 7.5), ("japanese", 6.5), ("tromp-taylor", -3.0))
]
ASKED = 6  # positions of each game
LIMITS = {"ownership": 1e-3, "policy": 1e-3, "value": 1e-3, "lead": 0.01, "deviation": 0.02}
LIKE = 0.95  # of all positions; KataGo reads some ladders that begin with a ko in another way


def test_the_network_says_what_katago_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert PROGRAM and NETWORK
    monkeypatch.chdir(tmp_path)  # KataGo leaves its logs where it runs
    network = build_katago_network(read_model(Path(NETWORK)))
    alike = []
    with start_katago(PROGRAM, Path(NETWORK), tmp_path) as katago:
        for seed, (side, rules, komi) in enumerate(CASES):
            game = Game.empty(side, ruleset=RULESETS[rules], komi=komi)
            set_up(katago, side, game.terms)
            random = np.random.default_rng(seed)
            asked = set(random.choice(side * side, ASKED, replace=False).tolist())
            for ply in range(side * side):
                point = _next(game, random)
                play(katago, side, point, game.position.to_move)
                game = game.play(point)
                if ply in asked:
                    alike.append(_alike(game, network, raw_answer(katago, side)))
    assert np.mean(alike) >= LIKE


def _next(game: Game, random: np.random.Generator) -> int:
    """Return a legal move, mostly near the last one, which makes ladders and kos; sometimes a pass, never a second."""
    side = game.side
    legal = np.array(game.legal_points(), int)
    passed = game.position.recent[:1] == (side * side,)
    if not len(legal) or (random.random() < 0.03 and not passed):
        return side * side
    if game.moves and not passed and random.random() < 0.6:
        row, column = divmod(game.moves[-1][1], side)
        near = legal[abs(legal // side - row) + abs(legal % side - column) <= 2]
        legal = near if len(near) else legal
    return int(random.choice(legal))


def _planes(game: Game) -> NDArray[np.float32]:
    """Return the planes, superko shown as KataGo shows it."""
    planes = katago_planes([game.position], [game.terms])
    if game.ruleset.superko:
        for point in np.flatnonzero(game.position.legal_moves(suicide=game.ruleset.suicide)[:-1]).tolist():
            after = game.position.play(point, suicide=True).hash
            if after in game.hashes and after != game.position.hash:
                planes[0, point // game.side, point % game.side, 6] = 1
    return planes


def _alike(game: Game, network: object, answer: RawAnswer) -> bool:
    sign = game.position.to_move
    numbers = katago_numbers([game.position], [game.terms])
    found = network.predict_on_batch({"planes": _planes(game), "globals": numbers})  # type: ignore[attr-defined]
    legal = ~np.isnan(answer.policy)
    policy = np.where(legal, found["policy"][0], 0)
    value = found["value"][0] if sign < 0 else found["value"][0][[1, 0, 2]]
    differences = {
        "ownership": np.abs(sign * (2 * found["ownership"][0] - 1) - answer.ownership).max(),
        "policy": np.abs(policy / policy.sum() - np.where(legal, answer.policy, 0)).max(),
        "value": np.abs(value - answer.value).max(),
        "lead": abs(sign * found["score"][0, 0] - answer.lead),
        "deviation": abs(found["score"][0, 1] - answer.deviation),
    }
    return all(differences[name] <= limit for name, limit in LIMITS.items())
