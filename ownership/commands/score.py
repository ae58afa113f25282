"""Show who owns each point of a game, and the score.

Examples:
    ownership score game.sgf
    ownership score game.sgf --move 150 --picture board.png
    ownership score games.zip --csv

See docs/scoring.md.
"""

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain, islice

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.record_sources import files_of, read_games
from goban.errors import InputError, naming
from ownership.commands.shared.game_arguments import (
    GAMES_ARGUMENT,
    move_argument,
    score_arguments,
    score_options,
    with_warning,
)
from ownership.commands.shared.model_arguments import load_model, model_names
from ownership.commands.shared.output_files import InputFiles, report_file
from ownership.commands.shared.run_arguments import cluster_argument
from ownership.inference.model_catalogue import find_model
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.scoring.captured_groups import CAPTURE_VISITS
from ownership.scoring.score_csv import as_row
from ownership.scoring.score_games import usable, with_move
from ownership.scoring.score_json import as_json
from ownership.scoring.score_line import LINE_HEADINGS, as_line
from ownership.scoring.score_processes import score_list
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.timeline import caption
from ownership.scoring.vertex_claims import VertexClaims
from preprocessing.gnugo import GnuGo, find_gnugo
from runtime.command_line import Argument, declare
from runtime.safe_writing import replacing
from runtime.workers import chosen_workers

_OF_ONE_GAME = ("picture", "explain", "dead", "alive", "seki")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership score`."""
    claims = (("dead", "that are dead"), ("alive", "that live"), ("seki", "that are in seki"))
    by_vertex = "each by the vertex of one of its stones; overrides the model"
    declare(
        parser,
        replace(GAMES_ARGUMENT, name="files FILE"),
        move_argument("score"),
        *score_arguments(),
        Argument("--json", bool, "print JSON: an object, or a list if there are several games"),
        Argument("--csv", bool, "print a table: a line of headings, then one row per game"),
        Argument("--picture FILE", str, "also draw the ownership of the only game: .png, .svg or .pdf"),
        Argument("--explain", bool, "also show how players count the only game, if it is finished"),
        *(Argument(f"--{name} D4,Q16", _vertices, f"chains {which}, {by_vertex}", ()) for name, which in claims),
        Argument(
            "--second-judge MODEL|none",
            str,
            "model that is asked too where a finished game is not safe to count",
            otherwise=f"{SECOND_JUDGE} for one game, none for several",
            completer=model_names,
        ),
        Argument(
            "--capture-visits N",
            int,
            "visits of a search for each dead group that is left in doubt, which may show its capture; 0 for none",
            None,
            0,
            100_000,
            otherwise=f"{CAPTURE_VISITS} for one game, 0 for several",
        ),
        Argument("--gnugo", bool, "let GNU Go decide where a finished game is not safe to count"),
        cluster_argument("score"),
    )


def _vertices(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def run(arguments: argparse.Namespace) -> int:
    """Score the games and print the scores; return 0, or 2 if a record could not be scored."""
    options = _options(arguments)
    records = map(with_warning, read_games(arguments.files))
    first = list(islice(records, 2))
    if len(first) > 1:
        _refuse_several(arguments, first[0].source)
        second, visits = _second_judge(arguments.second_judge, None), _capture_visits(arguments.capture_visits, 0)
        options = replace(options, second_judge=second, capture_visits=visits)
    else:
        _check_claims(first, options)
    if arguments.picture:
        _check_picture(arguments.picture, InputFiles(files_of(arguments.files)))
    evaluator = load_model(arguments.model)
    with chosen_workers(arguments.cluster, nullcontext()) as cluster:
        answers = map(_with_referee_warning, score_list(chain(first, records), evaluator, options, cluster))
        if len(first) == 1:
            return _print_only(next(answers), arguments)
        return _print_several(answers, arguments)


def _print_several(answers: Iterator[ScoredGame | BadRecord], arguments: argparse.Namespace) -> int:
    """Print the scores of several games, each as soon as it is there; return 2 if a record could not be scored."""
    bad: list[BadRecord] = []
    scored = _without_bad(answers, bad)
    if arguments.csv:
        _print_table(scored)
    elif arguments.json:
        _print_list(scored)
    else:
        _print_lines(scored)
    return 2 if bad else 0


def _options(arguments: argparse.Namespace) -> ScoreOptions:
    if arguments.csv and arguments.json:
        raise InputError("expected --csv or --json. Received: both")
    if arguments.explain and (arguments.csv or arguments.json):
        raise InputError(f"--explain adds to the text. Received: {'--csv' if arguments.csv else '--json'}")
    referee = GnuGo(find_gnugo()) if arguments.gnugo else None
    claims = VertexClaims(arguments.dead, arguments.alive, arguments.seki) or None
    second = _second_judge(arguments.second_judge, SECOND_JUDGE)
    visits = _capture_visits(arguments.capture_visits, CAPTURE_VISITS)
    options = replace(score_options(arguments), move=arguments.move, claims=claims, referee=referee)
    return replace(options, second_judge=second, capture_visits=visits)


def _capture_visits(given: int | None, otherwise: int) -> int:
    return otherwise if given is None else given


def _second_judge(given: str | None, otherwise: str | None) -> str | None:
    """Return the second judge, or None for none; raise InputError for an unknown model."""
    chosen = otherwise if given is None else given if given != "none" else None
    if given is not None and chosen is not None:
        with naming("--second-judge"):
            find_model(chosen)
    return chosen


def _refuse_several(arguments: argparse.Namespace, source: str) -> None:
    for name in _OF_ONE_GAME:
        if getattr(arguments, name):
            raise InputError(f"--{name} is about one game. Received: several; name one, such as {source}")


def _check_claims(records: Sequence[GameRecord | BadRecord], options: ScoreOptions) -> None:
    """Raise InputError, naming file and option, for claims that do not fit the position of the only game."""
    for record in records:
        checked = with_move(record, options.move)
        if options.claims is not None and isinstance(checked, GameRecord):
            with naming(checked.source):
                try:
                    options.claims.on(checked.position(options.move))
                except InputError as error:
                    raise InputError(f"--{error}") from None


def _check_picture(path: str, inputs: InputFiles) -> None:
    from viz.figure import check_picture

    check_picture(path)
    inputs.check_output(path)


def _print_only(answer: ScoredGame | BadRecord, arguments: argparse.Namespace) -> int:
    scored = usable(answer)
    if arguments.picture:
        _draw(scored, arguments.picture)
    if arguments.csv:
        _print_table([scored])
    else:
        print(json.dumps(as_json(scored)) if arguments.json else as_text(scored, explain=arguments.explain))
    return 0


def _with_referee_warning(answer: ScoredGame | BadRecord) -> ScoredGame | BadRecord:
    """Return the answer; print a warning on stderr if GNU Go was asked and did not decide."""
    if isinstance(answer, ScoredGame) and answer.undecided:
        print(f"ownership: warning: {answer.game.source}: GNU Go did not decide: {answer.undecided}", file=sys.stderr)
    return answer


def _without_bad(answers: Iterable[ScoredGame | BadRecord], bad: list[BadRecord]) -> Iterator[ScoredGame]:
    """Yield the scored games; add the bad records to `bad` and report each on stderr."""
    for answer in answers:
        if isinstance(answer, ScoredGame):
            yield answer
        else:
            bad.append(answer)
            print(f"ownership: error: {answer}", file=sys.stderr)


def _print_lines(games: Iterable[ScoredGame]) -> None:
    """Print a line of headings, then one for each game, as soon as it is scored."""
    for number, game in enumerate(games):
        if not number:
            print(LINE_HEADINGS)
        print(as_line(game))


def _print_list(games: Iterable[ScoredGame]) -> None:
    """Print a JSON list, each game as soon as it is scored."""
    separator = "[\n"
    for game in games:
        print(separator + json.dumps(as_json(game)), end="")
        separator = ",\n"
    print("[]" if separator == "[\n" else "\n]")


def _print_table(games: Iterable[ScoredGame]) -> None:
    """Print comma-separated values, the row of each game as soon as it is scored."""
    table = None
    for row in map(as_row, games):
        if table is None:
            table = csv.DictWriter(sys.stdout, list(row), lineterminator="\n")
            table.writeheader()
        table.writerow(row)


def _draw(scored: ScoredGame, path: str) -> None:
    from ownership.commands.shared.score_pictures import draw_scored, heading
    from viz.figure import add_heading, new_axes, save

    axes = new_axes(7.2, 8.0)
    draw_scored(scored, {"ax": axes})
    add_heading(axes, heading(scored.game), caption(scored))
    with replacing(path) as partial:
        save(axes, partial)
    report_file(path)
