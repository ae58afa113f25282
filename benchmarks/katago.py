"""KataGo itself, over GTP: the evaluation of a position by its network."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goban.coords import colour_letter, gtp_name
from goban.rulesets import Terms
from ownership.players.gtp_client import GtpClient

_SETTINGS = """
logToStderr = false
logAllGTPCommunication = false
logSearchInfo = false
rules = tromp-taylor
numSearchThreads = 1
maxVisits = 1
nnRandomize = false
"""
_PATIENCE = 300.0


@dataclass(frozen=True)
class RawAnswer:
    """The evaluation of a position of side N by the network.

    Attributes:
        ownership: float64 (N, N) in [-1, 1], +1 Black.
        policy: float64 (N*N + 1,), the probability of each move, NaN for illegal ones.
        outcome: the probabilities that White wins, loses, no result.
        lead: Black's points minus White's, komi included.
    """

    ownership: NDArray[np.float64]
    policy: NDArray[np.float64]
    outcome: tuple[float, float, float]
    lead: float


def start_katago(program: str, network: Path, folder: Path) -> GtpClient:
    """Start KataGo on one thread."""
    settings = folder / "gtp.cfg"
    settings.write_text(_SETTINGS)
    client = GtpClient([program, "gtp", "-model", str(network), "-config", str(settings)])
    client.ask("name", _PATIENCE)
    return client


def set_up(client: GtpClient, side: int, terms: Terms, stones: Sequence[tuple[int, int]] = ()) -> None:
    """Clear the board and set the rules and some stones, (point, colour) each."""
    ruleset = terms.ruleset
    rules = {
        "ko": "POSITIONAL" if ruleset.superko else "SIMPLE",
        "scoring": ruleset.counting.upper(),
        "tax": "SEKI" if ruleset.counting == "territory" else "NONE",
        "suicide": ruleset.suicide,
        "hasButton": False,
        "whiteHandicapBonus": "0",
        "friendlyPassOk": False,
    }
    placed = " ".join(f"{colour_letter(colour)} {gtp_name(point, side)}" for point, colour in stones)
    for command in (
        f"boardsize {side}",
        "clear_board",
        f"kata-set-rules {json.dumps(rules)}",
        f"komi {terms.total_komi}",
        f"set_position {placed}" if placed else "clear_board",
    ):
        client.ask(command)


def play(client: GtpClient, side: int, point: int, colour: int) -> None:
    """Play a move."""
    client.ask(f"play {colour_letter(colour)} {gtp_name(point, side)}")


def raw_answer(client: GtpClient, side: int) -> RawAnswer:
    """Return the network's evaluation of the position, unturned, without preference for bold moves."""
    words = client.ask("kata-raw-nn 0 0", _PATIENCE).split()

    def numbers(name: str, count: int = 1) -> NDArray[np.float64]:
        start = words.index(name) + 1
        return np.array([float(word) for word in words[start : start + count]])

    def number(name: str) -> float:
        return float(numbers(name)[0])

    return RawAnswer(
        ownership=-numbers("whiteOwnership", side * side).reshape(side, side),
        policy=np.append(numbers("policy", side * side), number("policyPass")),
        outcome=(number("whiteWin"), number("whiteLoss"), number("noResult")),
        lead=-number("whiteLead"),
    )
