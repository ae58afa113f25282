"""The commands of GUIs at their start and to analyze a position, in order, and their checks of the answers.

Each client here does as the source of its program does: Lizzie, LizzieYzy, Ogatak, Sabaki, q5Go.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.gtp import Process, ownership_gtp

VERTEX = r"[A-HJ-Z][0-9]+|pass"


@dataclass
class Shown:
    """The parts of a line of an analysis that a client shows.

    Attributes:
        moves: vertices in their order, each with its visits, win rate in percent and, where it has one, its score.
        ownership: of all points, rows from the top, of the side to move.
    """

    moves: dict[str, tuple[int, float, float | None]] = field(default_factory=dict)
    ownership: list[float] = field(default_factory=list)


def numbered(engine: Process, commands: list[str]) -> list[str]:
    """Send all commands together, numbered from 1, and return the answers without their numbers."""
    engine.send("".join(f"{number} {command}\n" for number, command in enumerate(commands, 1)))
    answers = [engine.read() for _ in commands]
    for number, answer in enumerate(answers, 1):
        assert answer.startswith(f"={number} "), answer
    return [answer.partition(" ")[2] for answer in answers]


def report(engine: Process, command: str) -> str:
    """Start an analysis and return its first line."""
    engine.send(command + "\n")
    assert re.fullmatch("=[0-9]* ?", engine.read(b"\n"))
    return engine.read(b"\n")


def fields(info: str) -> dict[str, str]:
    """Return the keys and values before the variation."""
    words = info.partition(" pv ")[0].split()
    return dict(zip(words[::2], words[1::2], strict=True))


def of_katago(line: str) -> Shown:
    """Read a line of kata-analyze as Lizzie and LizzieYzy do: the ownership follows that word."""
    infos, _, ownership = line.partition(" ownership ")
    shown = Shown(ownership=[float(word) for word in ownership.split()])
    for info in re.split(r"(?:^| )info ", infos)[1:]:
        found = fields(info)
        shown.moves[found["move"]] = int(found["visits"]), 100 * float(found["winrate"]), float(found["scoreMean"])
        assert 0 <= float(found["lcb"]) <= 1 and 0 <= float(found["prior"]) <= 1 and float(found["scoreStdev"]) >= 0
    return shown


def of_leela_zero(line: str) -> Shown:
    """Read a line of lz-analyze: probabilities are whole numbers."""
    shown = Shown()
    for info in re.split(r"(?:^| )info ", line)[1:]:
        found = fields(info)
        assert 0 <= int(found["prior"]) <= 10000 and 0 <= int(found["lcb"]) <= 10000
        shown.moves[found["move"]] = int(found["visits"]), int(found["winrate"]) / 100, None
    return shown


def check(shown: Shown, side: int, ownership: bool = False, score: bool = True) -> None:
    """Check that a client gets the parts that it needs to show moves and, if it requests it, ownership."""
    assert shown.moves
    for vertex, (visits, win_rate, lead) in shown.moves.items():
        assert re.fullmatch(VERTEX, vertex) and visits >= 0
        assert 1 < win_rate < 99, "the first moves of a game decide nothing"
        assert (lead is not None and abs(lead) < side**2) if score else lead is None
    assert len(shown.ownership) == (side**2 if ownership else 0)
    assert all(abs(value) <= 1 for value in shown.ownership)


@pytest.mark.parametrize(
    ("options", "is_katago"),
    [(["--name", "KataGo"], True), (["--version", "0.17.0"], False)],
)
def test_lizzie(options: list[str], is_katago: bool, small_model: Path) -> None:
    """A name that begins with KataGo lets it ask for scores and ownership; else it warns of minor versions below 15."""
    with ownership_gtp(small_model, *options) as engine:
        name, version, *_ = numbered(engine, ["name", "version", "boardsize 9", "komi 7.5"])
        assert name.startswith("KataGo") == is_katago
        assert is_katago or int(version.split(".")[1]) >= 15
        if is_katago:
            check(of_katago(report(engine, "5 kata-analyze 10 ownership true")), 9, ownership=True)
        else:
            check(of_leela_zero(report(engine, "5 lz-analyze 10")), 9, score=False)
        engine.send("6 name\n")
        engine.rest()
        assert engine.read() == f"=6 {name}"


def test_lizzie_plays_and_goes_back(small_model: Path) -> None:
    with ownership_gtp(small_model, "--name", "KataGo") as engine:
        numbered(engine, ["name", "version", "boardsize 9", "komi 7.5"])
        report(engine, "5 kata-analyze 10 ownership true")
        for number, command in ((6, "play B E5"), (8, "play W C3"), (10, "undo")):
            engine.send(f"{number} {command}\n")
            engine.rest()
            assert engine.read() == f"={number} "
            shown = of_katago(report(engine, f"{number + 1} kata-analyze 10 ownership true"))
            check(shown, 9, ownership=True)
            assert "E5" not in shown.moves


def test_lizzieyzy(small_model: Path) -> None:
    """It numbers no commands, wants a name that begins with kata, and a minor version above 10 for moves' ownership."""
    with ownership_gtp(small_model, "--name", "KataGo", "--version", "1.16.0") as engine:
        engine.send("name\nversion\nlist_commands\nkomi 7.5\nboardsize 9\n")
        name, version, commands, komi, size = [engine.read() for _ in range(5)]
        assert name.lower().startswith("= kata")
        major, minor, _ = map(int, version.removeprefix("= ").split("."))
        assert major > 1 or minor > 10
        assert commands.startswith("= protocol_version\n"), "where it begins to list the engine's commands"
        assert (komi, size) == ("= ", "= ")
        engine.send("kata-get-rules\nstop\n")
        assert json.loads(engine.read().removeprefix("= "))["scoring"] == "AREA"
        assert engine.read() == "= "
        line = report(engine, "kata-analyze B 10 ownership true pvVisits true movesOwnership true")
        shown = of_katago(line)
        check(shown, 9, ownership=True)
        assert line.count(" movesOwnership ") == line.count(" pvVisits ") == len(shown.moves)
        engine.send("stop\n")
        engine.rest()
        assert engine.read() == "= "
        rows = engine.value("kata-raw-nn 3").split("\n")
        assert rows[0] == "symmetry 3"
        owners = rows[rows.index("whiteOwnership") + 1 :]
        assert [len(row.split()) for row in owners] == [9] * 9


def test_ogatak(small_model: Path) -> None:
    """It lists the commands first, and knows only those; it needs no name."""
    with ownership_gtp(small_model) as engine:
        commands, version = numbered(engine, ["list_commands", "version"])
        known = commands.split("\n")
        assert {"kata-analyze", "kata-set-rules"} <= set(known) and "kata-set-param" not in known
        assert re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", version)
        position = ["boardsize 9", "kata-set-rules Chinese", "komi 7.5", "clear_board", "play B E5", "play W C3"]
        engine.send("".join(f"{number} {command}\n" for number, command in enumerate(position, 3)))
        assert [engine.read() for _ in position] == [f"={number} " for number in range(3, 9)]
        shown = of_katago(report(engine, "9 kata-analyze b 10 ownership true"))
        check(shown, 9, ownership=True)
        assert not shown.moves.keys() & {"E5", "C3"}
        engine.send("10 name\n")
        engine.rest()
        assert engine.read() == "=10 Ownership"


def sabaki_command(commands: list[str], kinds: tuple[str, ...]) -> str:
    return next(name for name in kinds if name in commands)


def of_sabaki(line: str) -> Shown:
    """Read a line as Sabaki 0.60 reads that of `analyze`: the win rate is a whole number, the lead optional."""
    shown = Shown()
    for info in re.split(r"\s*info\s+", line)[1:]:
        variation = re.search(rf"(?:{VERTEX})(?:\s+(?:{VERTEX}))*$", info)
        assert variation
        found = fields(info)
        lead = float(found["scoreLead"]) if "scoreLead" in found else None
        shown.moves[found["move"]] = int(found["visits"]), int(found["winrate"]) / 100, lead
        assert variation[0].split()[0] == found["move"]
    return shown


def test_sabaki(small_model: Path) -> None:
    """Of the kinds of analysis that the engine knows it takes its own, `analyze`, first."""
    with ownership_gtp(small_model) as engine:
        _, _, protocol, listed = numbered(engine, ["name", "version", "protocol_version", "list_commands"])
        assert protocol == "2"
        known = listed.split("\n")
        position = ["komi 6.5", "boardsize 9", "clear_board", "set_free_handicap C3 G7", "play W E5"]
        assert engine.all(position) == ["= "] * 5
        analysis = sabaki_command(known, ("analyze", "kata-analyze", "lz-analyze"))
        assert analysis == "analyze"
        check(of_sabaki(report(engine, f"{analysis} B 50")), 9)
        engine.send("protocol_version\n")
        engine.rest()
        assert engine.read() == "= 2"
        move = sabaki_command(known, ("genmove_analyze", "kata-genmove_analyze", "lz-genmove_analyze"))
        lines = engine.ask(f"{move} B 50").split("\n")
        check(of_sabaki(lines[1]), 9)
        assert re.fullmatch(rf"play (?:{VERTEX})", lines[-1])
        assert lines[-1] != "play E5"
        assert engine.all(["undo", "undo", "play W E6"]) == ["= "] * 3


def test_q5go(small_model: Path) -> None:
    """It asks for each command by name, and reads score and deviation from KataGo's lines."""
    with ownership_gtp(small_model) as engine:
        assert engine.value("protocol_version") == "2"
        assert engine.all(["boardsize 9", "clear_board", "komi 6.5"]) == ["= "] * 3
        names = ("lz-analyze", "kata-analyze", "kata-set-rules")
        assert [engine.value(f"known_command {name}") for name in names] == ["true"] * 3
        assert engine.all(["kata-set-rules japanese", "clear_board", "komi 6.5", "play black E5"]) == ["= "] * 4
        check(of_katago(report(engine, "kata-analyze white 100")), 9)
        engine.send("known_command known_command\n")
        engine.rest()
        assert engine.read() == "= true"
