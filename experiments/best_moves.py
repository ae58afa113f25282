"""python -m experiments.best_moves GAMES... --engine COMMAND [--engine COMMAND] --kept FILE -o TEXT [--most 1000]

Find positions in which one move is at least 5 points better than every other. GAMES are folders that `ownership
selfplay` made, or records, each of one board side; COMMAND starts a strong engine that speaks KataGo's analysis
protocol. Of the positions that `--positions` draws from each game, those count in which it is worth most to be to
move: `--most` of each folder by the ownership that a model expects. The engine searches these, and those whose best
move looks good enough once more without that move: the difference between both scores is what the move is worth.
A second, stronger engine does the same with the positions that the first one found, and has to find the same move.
With `--prior 0.5` the policies alone do not find it: a search does.
`experiments.best_moves_found` measures players on them: docs/lab/play.md, "Best moves".

FILE keeps what the engine found, position by position: the same command goes on where it was interrupted.
"""

import argparse
import json
import math
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.command import exit_with
from experiments.everyday_boards import games_of, labels_of, until
from goban.coords import BLACK, gtp_name, parse_gtp
from goban.errors import InputError
from goban.game import Game
from goban.rulesets import RULESETS
from ownership.commands.progress import progress_bar
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from preprocessing.records.game import GameRecord

_FIRST: Final = 6  # ply from which positions are drawn
_LAST: Final = 0.9  # of a game's moves: later ones are dame and passes
_PROMISING: Final = 3.0  # points by which the best move leads among those that the first search tried
_LEAST: Final = 5.0
_KOMI: Final = 7.5
_AT_ONCE: Final = 8  # positions that the engine has in hand


@dataclass(frozen=True)
class BestMove:
    """A position with a move that is better than every other; a line of text.

    Attributes:
        side: of the board.
        move: the best one, as GTP writes it.
        points: by which it is better.
        before: the moves that lead to the position, Black's first.
    """

    side: int
    move: str
    points: float
    before: tuple[str, ...]

    @classmethod
    def parse(cls, line: str) -> "BestMove":
        """Return the position of a line."""
        side, move, points, *before = line.split()
        return cls(int(side), move, float(points), tuple(before))

    def __str__(self) -> str:
        """Return the line."""
        return " ".join([str(self.side), self.move, f"{self.points:.1f}", *self.before])

    @property
    def point(self) -> int:
        """The flat index of the best move."""
        return parse_gtp(self.move, self.side)

    def game(self) -> Game:
        """Return the game up to the position, by Chinese rules."""
        game = Game.empty(self.side, ruleset=RULESETS["chinese"], komi=_KOMI)
        for move in self.before:
            game = game.play(parse_gtp(move, self.side))
        return game


@dataclass(frozen=True)
class _Drawn:
    """A position: the first `plies` moves of a game."""

    name: str
    record: GameRecord
    plies: int

    @property
    def moves(self) -> list[str]:
        return [gtp_name(int(point), self.record.side) for point in self.record.moves[: self.plies]]

    def query(self, visits: int, without: str | None = None) -> dict[str, Any]:
        """Return the query about the position, or about what it is worth without one of its moves."""
        query = {
            "id": self.name,
            "moves": [["BW"[number % 2], move] for number, move in enumerate(self.moves)],
            "rules": "chinese",
            "komi": _KOMI,
            "boardXSize": self.record.side,
            "boardYSize": self.record.side,
            "maxVisits": visits,
            "overrideSettings": {"reportAnalysisWinratesAs": "SIDETOMOVE"},
        }
        if without is not None:
            query["avoidMoves"] = [{"player": "BW"[self.plies % 2], "moves": [without], "untilDepth": 1}]
        return query

    def best_move(self, move: str, points: float) -> BestMove:
        return BestMove(self.record.side, move, points, tuple(self.moves))


def main() -> int:
    """Search what was not yet searched, and write the positions."""
    parser = argparse.ArgumentParser(prog="python -m experiments.best_moves", description=main.__doc__)
    parser.add_argument("games", nargs="+", metavar="GAMES")
    parser.add_argument(
        "--engine",
        required=True,
        action="append",
        metavar="COMMAND",
        help="several check each other's positions in turn",
    )
    parser.add_argument("--kept", required=True, type=Path, metavar="FILE")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="TEXT")
    parser.add_argument(
        "--visits", type=int, nargs="+", default=[100], help="of each search, the last number for further engines (100)"
    )
    parser.add_argument(
        "--prior",
        type=float,
        default=1.0,
        metavar="P",
        help="drop positions in which an engine's policy gives the best move more (%(default)s)",
    )
    parser.add_argument("--positions", type=int, default=10, help="of each game (%(default)s)")
    parser.add_argument("--most", type=int, default=1000, metavar="N", help="positions of each folder (%(default)s)")
    parser.add_argument("--model", default="fast", metavar="NAME|DIR", help="that draws positions (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model, cached=0)
    drawn: list[_Drawn] = []
    for place in arguments.games:
        found_here = list(_drawn(place, arguments.positions, arguments.seed))
        drawn += _most_urgent(found_here, arguments.most, evaluator)
    best: dict[str, BestMove] | None = None  # by name, as far as all engines so far agree
    for number, engine in enumerate(arguments.engine):
        asked = drawn if best is None else [each for each in drawn if each.name in best]
        visits = arguments.visits[min(number, len(arguments.visits) - 1)]
        found = _kept_and_searched(asked, number, engine, visits, arguments.kept)
        best = {
            each.name: each.best_move(line["move"], line["points"])
            for each in asked
            if (line := found[each.name])["points"] >= _LEAST
            and line["prior"] <= arguments.prior
            and (best is None or best[each.name].move == line["move"])
        }
        print(f"{len(best)} of {len(drawn)} positions have a move that is {_LEAST:g} points better than the others")
    arguments.output.write_text("".join(f"{each}\n" for each in (best or {}).values()))
    return 0


def _kept_and_searched(
    positions: Sequence[_Drawn], number: int, engine: str, visits: int, file: Path
) -> dict[str, dict[str, Any]]:
    """Return by name what an engine found, from the file of kept lines or by a search that adds to it."""
    with file.open("a+") as kept:
        kept.seek(0)
        found = {line["name"]: line for line in map(json.loads, kept) if line["engine"] == number}
        left = [each for each in positions if each.name not in found]
        answers = _searched(left, engine, visits)
        for line in progress_bar(answers, unit="position", total=len(left)):
            kept.write(json.dumps({"engine": number, **line}) + "\n")
            kept.flush()
            found[line["name"]] = line
    return found


def _drawn(place: str, count: int, seed: int) -> Iterator[_Drawn]:
    """Yield positions of games without stones set up, in which the colours alternate from Black on."""
    for number, (record, first) in enumerate(games_of(place)):
        alternate = (record.colours == np.where(np.arange(len(record.moves)) % 2, -BLACK, BLACK)).all()
        start, stop = max(first, _FIRST), int(_LAST * len(record.moves))
        if not alternate or record.setup.any() or stop - start < count:
            continue
        chance = np.random.default_rng((seed, int(record.id, 16)))
        for plies in sorted(chance.choice(np.arange(start, stop), count, replace=False).tolist()):
            yield _Drawn(f"{Path(place).name}/{number}/{plies}", record, plies)


def _most_urgent(positions: Sequence[_Drawn], count: int, evaluator: Evaluator) -> list[_Drawn]:
    """Return the positions in which the owners depend most on who is to move."""
    records = [until(each.record, each.plies) for each in positions]
    urgency = [
        int((if_black.astype(int) - if_white).sum())
        for start in range(0, len(records), MAX_BATCH)
        for if_black, if_white in labels_of(records[start : start + MAX_BATCH], evaluator)
    ]
    return [positions[number] for number in np.argsort(urgency, kind="stable")[::-1][:count]]


def _searched(positions: Sequence[_Drawn], engine: str, visits: int) -> Iterator[dict[str, Any]]:
    """Yield the best move of each position and by how many points it is better, 0 where it does not look good."""
    with subprocess.Popen(shlex.split(engine), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        queries = [each.query(visits) for each in reversed(positions)]
        asked: dict[str, _Drawn] = {each.name: each for each in positions}
        promising: dict[str, dict[str, Any]] = {}  # the best move, by name
        in_hand = 0
        while queries or in_hand:
            while queries and in_hand < _AT_ONCE:
                process.stdin.write(json.dumps(queries.pop()) + "\n")
                in_hand += 1
            process.stdin.flush()
            answer = json.loads(process.stdout.readline() or '{"error": "nothing"}')
            if "error" in answer:
                raise InputError(f"expected an answer of {engine.split()[0]}. Received: {answer['error']}")
            in_hand -= 1
            name = answer["id"]
            if name in promising:
                best = promising.pop(name)
                yield _line(name, best, round(best["scoreLead"] - answer["rootInfo"]["scoreLead"], 2))
                continue
            best, lead = _best(answer["moveInfos"])
            if lead < _PROMISING:
                yield _line(name, best, 0.0)
            else:
                promising[name] = best
                queries.append(asked[name].query(visits, best["move"]))
        process.stdin.close()


def _best(moves: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], float]:
    """Return the best move of a search, and its lead over all others that were tried."""
    best, *others = sorted(moves, key=lambda each: int(each["order"]))
    return best, best["scoreLead"] - max((each["scoreLead"] for each in others), default=-math.inf)


def _line(name: str, best: dict[str, Any], points: float) -> dict[str, Any]:
    return {"name": name, "move": best["move"], "points": points, "prior": best["prior"]}


if __name__ == "__main__":
    exit_with(main)
