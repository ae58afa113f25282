"""Let players and GTP programs play each other, and print win rates and Elo differences.

Examples:
    ownership match mcts:visits=100 policy -o runs/match --games 100 --size 9
    ownership match mcts:time=1 'gnugo --mode gtp --level 10 --chinese-rules' -o runs/gnugo

See docs/play.md.
"""

import argparse
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from goban.errors import InputError, naming, shown
from goban.rulesets import RULESETS
from ownership.commands.shared.game_arguments import chosen_rules, komi_argument
from ownership.commands.shared.kernel_compilation import compile_kernels
from ownership.commands.shared.model_arguments import model_argument, report_model
from ownership.commands.shared.progress import progress_bar
from ownership.commands.shared.run_arguments import LONGEST_TIME, cluster_argument, seed_argument
from ownership.inference.evaluator import Evaluator
from ownership.match.match_conditions import Conditions
from ownership.match.match_folder import GameResult, MatchFolder
from ownership.match.match_run import Match, MatchSetup
from ownership.match.pairings import Pairing, schedule
from ownership.match.random_openings import most_opening_moves
from ownership.match.referee import GnuGoReferee, ModelReferee, Referee
from ownership.match.results_table import summary
from ownership.players.gtp_client import GtpFailure
from ownership.players.player_interface import Player
from ownership.players.registry import PLAYERS, make_player
from preprocessing.gnugo import MAX_SIDE, MIN_SIDE, GnuGo, plays
from runtime.command_line import Argument, declare
from runtime.safe_writing import one_writer
from runtime.workers import cluster_workers

MAX_PLAYERS = 26
_PLAYERS_HELP = (
    "{}, with options such as mcts:visits=400,time=2, or the command line of a GTP program, such as "
    "'gnugo --mode gtp --level 10'; docs/play.md lists the options"
)
_FILE_HELP = (
    "play the matches of a file, one after the other: a line for each, NAME: PLAYER PLAYER [OPTION ...], and its games "
    "in FOLDER/NAME; other options hold for lines that do not give their own; $NAME is an environment variable"
)
_TIMEOUT_HELP = "time after which a program without a clock loses"
_CLUSTER_HELP = ", a game on each thread of its workers, whose machines have the models and programs in the same places"

_load = cache(Evaluator.load)
_compile = cache(compile_kernels)
_LINE = re.compile(r"([\w.-]+):\s+(\S.*)")
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership match`."""
    parser.set_defaults(kept="the finished games")
    declare(
        parser,
        Argument("players PLAYER", str, _PLAYERS_HELP.format(", ".join(PLAYERS)), count="*"),
        Argument(
            "-o --output FOLDER", Path, "folder for results and games; continues the match that it holds", required=True
        ),
        Argument("--file FILE", Path, _FILE_HELP),
        Argument("--games N", int, "games of each pair of players", 100, least=1),
        Argument("--size S", int, "board side", 9),
        komi_argument("6.5 up to 9x9, else 7.5; 0.5 with handicap"),
        Argument("--handicap H", int, "stones for Black before the first move", 0),
        Argument("--rules NAME", str, "rules to play and count by", "chinese", completer=lambda **_: list(RULESETS)),
        Argument("--opening N", int, "random moves at the start of a game", otherwise="2, on 5x5 and below 1"),
        seed_argument("the random openings"),
        Argument("--time SECONDS", float, "main time of each player", 0.0, 0, LONGEST_TIME, "unlimited"),
        Argument("--byo-yomi SECONDS", float, "time of each period after the main time", 0.0, 0, LONGEST_TIME, "none"),
        Argument("--byo-yomi-stones N", int, "moves in each period: more than 1 for a Canadian clock", 1, 1, 1000),
        Argument("--move-timeout SECONDS", float, _TIMEOUT_HELP, 60.0, 0.001, LONGEST_TIME),
        Argument("--referee gnugo|MODEL", str, "who counts finished games: GNU Go, or a model", "gnugo"),
        model_argument("model of the comments, and of players that name none"),
        Argument("--no-comments", bool, "write no ownership into the games"),
        Argument("--jobs N", int, "games to play at the same time", 1, least=1),
        cluster_argument("play", _CLUSTER_HELP),
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the games that are missing, and print the results; return 2 if a program could not begin a game."""
    if arguments.file is None:
        _play(arguments)
        return 0
    if arguments.players:
        raise InputError(f"expected no players besides --file. Received: {' '.join(arguments.players)}")
    matches = _read_matches(arguments.file, arguments)
    for _, each in matches:
        _check(each)
    return max([_status(name, each) for name, each in matches])


def _status(name: str, arguments: argparse.Namespace) -> int:
    """Play a match of a file; return 2 after reporting that a program cannot begin a game, else 0."""
    print(f"{name}\n", flush=True)
    try:
        _play(arguments)
    except GtpFailure as error:
        print(f"ownership: error: {name}: {error}", file=sys.stderr)
        return 2
    print(flush=True)
    return 0


def _play(arguments: argparse.Namespace) -> None:
    _check(arguments)
    match = _match(arguments)
    with one_writer(arguments.output):
        results = match.folder.results()
        done = {result.pairing for result in results}
        pairings = [each for each in schedule(arguments.players, arguments.games) if each not in done]
        with _games(match, arguments, pairings) as games:
            results.extend(progress_bar(games, initial=len(results), total=len(results) + len(pairings), unit="game"))
    print(summary(arguments.players, results))


@contextmanager
def _games(match: Match, arguments: argparse.Namespace, pairings: Sequence[Pairing]) -> Iterator[Iterable[GameResult]]:
    """Yield the results of games that are played here or on the cluster."""
    if arguments.cluster is None:
        with closing(match.play(pairings, arguments.jobs)) as games:
            yield games
    else:
        with cluster_workers(arguments.cluster) as workers, closing(match.play_on(workers, pairings)) as games:
            yield games


@dataclass(frozen=True)
class _MakePlayer:
    """Makes players for boards of a side.

    `model` is that of players that name none, `move_seconds` the longest move of a program.
    """

    model: str | None
    side: int
    move_seconds: float

    def __call__(self, player: str) -> Player:
        """Return a player for the games, after kernels are compiled, which would cost time on its clock."""
        _compile()
        return self.checked(player)

    def checked(self, player: str) -> Player:
        """Return a player; raise InputError if there is none of that name."""
        return make_player(player, self.load, move_seconds=self.move_seconds)

    def load(self, model: str | None) -> Evaluator:
        if model is not None:
            return _loaded(model, self.side)
        with naming("--model"):
            return _loaded(self.model, self.side)


def _loaded(model: str | None, side: int) -> Evaluator:
    """Return the evaluator of a model; raise InputError if it does not play on boards of a side."""
    evaluator = _load(model)
    evaluator.files.require_side(side)
    return evaluator


def _match(arguments: argparse.Namespace) -> Match:
    """Return the match, with every player made once, so that a wrong name is found before the first game."""
    make = _MakePlayer(arguments.model, arguments.size, arguments.move_timeout)
    conditions, referee = _conditions(arguments), _referee(arguments)
    for player in dict.fromkeys(arguments.players):
        make.checked(player)
    commentator = None if arguments.no_comments else make.load(None)
    report_model(arguments.model)
    if commentator:
        commentator.files.require_head("ownership", "--model without --no-comments")
    folder = MatchFolder(arguments.output, arguments.players, conditions, arguments.referee)
    return Match(MatchSetup(arguments.players, make, conditions, referee, commentator), folder)


def _check(arguments: argparse.Namespace) -> None:
    if not 2 <= len(arguments.players) <= MAX_PLAYERS:
        raise InputError(f"expected 2..{MAX_PLAYERS} players. Received: {len(arguments.players)}")


def _conditions(arguments: argparse.Namespace) -> Conditions:
    ruleset, komi, opening = chosen_rules(arguments.rules), arguments.komi, arguments.opening
    assert ruleset is not None
    if opening is None:
        opening = min(2, most_opening_moves(arguments.size))
    if komi is None:
        komi = 0.5 if arguments.handicap else 6.5 if arguments.size <= 9 else 7.5
    return Conditions(
        arguments.size,
        komi,
        arguments.handicap,
        ruleset.name,
        opening,
        arguments.seed,
        arguments.time,
        arguments.byo_yomi,
        arguments.byo_yomi_stones,
    )


def _referee(arguments: argparse.Namespace) -> Referee:
    if arguments.referee != "gnugo":
        with naming("--referee"):
            evaluator = _loaded(arguments.referee, arguments.size)
            evaluator.files.require_head("ownership", "counting")
            return ModelReferee(evaluator)
    if not plays(arguments.size):
        raise InputError(
            f"--size {arguments.size}: GNU Go, the referee, plays on sides {MIN_SIDE} to {MAX_SIDE}; "
            "--referee default counts other boards"
        )
    gnugo = GnuGo()
    gnugo.version()  # a missing GNU Go is found before the first game
    return GnuGoReferee(gnugo)


class _LineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(message)


def _read_matches(path: Path, shared: argparse.Namespace) -> list[tuple[str, argparse.Namespace]]:
    """Return the name and the arguments of each match of a file: a line for each, `NAME: ARGUMENTS`.

    Empty lines and those that begin with # count for nothing. `$NAME` is the environment variable NAME.

    Args:
        path: the file.
        shared: arguments of the command line, which hold wherever a line has no others; its output is the folder of
            the matches' own folders.

    Raises:
        InputError: a line that is no match, two of the same name, or an unknown variable.
        OSError: the file cannot be read.
    """
    matches: dict[str, argparse.Namespace] = {}
    for number, line in _lines(path):
        with naming(f"{path}, line {number}"):
            found = _LINE.fullmatch(line)
            if found is None or found[1] in matches:
                raise InputError(f"expected NAME: PLAYER PLAYER [OPTION ...], each name once. Received: {shown(line)}")
            matches[found[1]] = _arguments(found[2], found[1], shared)
    if not matches:
        raise InputError(f"{path}: expected at least one line NAME: PLAYER PLAYER [OPTION ...]. Received: none")
    return list(matches.items())


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8 text. Received: byte {error.object[error.start]:#04x}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()


def _arguments(line: str, name: str, shared: argparse.Namespace) -> argparse.Namespace:
    parser = _LineParser(add_help=False)
    add_arguments(parser)
    output = shared.output / name
    parser.set_defaults(**{**vars(shared), "file": None})
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise InputError(f"{str(error).lower()} in {shown(line)}") from None
    found = parser.parse_args([_VARIABLE.sub(_value, word) for word in words] + ["--output", str(output)])
    if found.file or found.output != output:
        raise InputError(f"expected neither --file nor --output. Received: {shown(line)}")
    return found


def _value(variable: re.Match[str]) -> str:
    value = os.environ.get(variable[1])
    if not value:
        raise InputError(f"the environment variable {variable[1]} is not set")
    return value
