"""The `ownership-analysis` program, which clients of KataGo's analysis engine can start in its place."""

import argparse
import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from goban.errors import FieldError, InputError, cut, naming, parse_object, parse_whole, shown, suggestion
from goban.json_request_fields import Fields
from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import ModelFiles
from ownership.katago_protocol.query import Defaults, Query, parse_query
from ownership.katago_protocol.query_fields import ID, PERSPECTIVES, SET_SECONDS, SET_VISITS, TERMINATE_ID, WIDTH
from ownership.katago_protocol.query_searches import QuerySearches
from ownership.katago_protocol.release import engine_version
from ownership.search.mcts.search_pool import default_workers
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import check_search_heads
from runtime.command_line import Argument, declare
from runtime.standard_streams import end_with_reader, open_stderr, stream_descriptor, write_all

_LONGEST_QUERY: Final = 1 << 24
_MOST_WORKERS: Final = 64
_MOST_THREADS: Final = 16_384  # that a configuration of KataGo may name
_SETTINGS: Final = ("maxVisits", "maxTime", "numAnalysisThreads", "reportAnalysisWinratesAs", "version")
_CONFIG_HELP: Final = (
    "file with a setting KEY = VALUE a line; may be given several times. Known: maxVisits (of each "
    f"search; default: {Defaults.visits}), maxTime (seconds a position; default: no limit), "
    f"numAnalysisThreads (as -analysis-threads), reportAnalysisWinratesAs ({', '.join(PERSPECTIVES)}; "
    "default: BLACK) and version (the answer to query_version; default: that of this program)"
)
_READY: Final = "Started, ready to begin handling requests"


@dataclass(frozen=True)
class Options:
    """The user's choices.

    Attributes:
        defaults: values for what a query leaves out.
        workers: positions that are searched at the same time.
        quit_at_once: whether the end of the input ends all searches.
        version: the answer to query_version.
    """

    defaults: Defaults
    workers: int
    quit_at_once: bool = False
    version: str = field(default_factory=engine_version)


def main(argv: Sequence[str] | None = None) -> int:
    """Answer queries on stdin until its end.

    Returns:
        0, also if the reader of the answers is gone; 2 for wrong arguments, a closed stream or answers that cannot be
        written, with one line on stderr.
    """
    open_stderr()
    arguments, ignored = _parser().parse_known_args(argv)
    if arguments.subcommand == "version":
        print(f"ownership-analysis {engine_version()}")
        return 0
    try:
        options = _options(arguments)
        evaluator = Evaluator(_model(arguments.model))
        check_search_heads(evaluator.files, TreeOptions())
        for name in ignored:
            _warn(f"expected an option of this engine. Received: {cut(name)}, which is ignored")
        source, target = stream_descriptor("stdin"), stream_descriptor("stdout")
        end_with_reader(target, 0)
        evaluator.evaluate([Position.empty(evaluator.files.network.side or 19)])
        print(f"Model: {evaluator.name}", _READY, sep="\n", file=sys.stderr, flush=True)
        with open(source, "rb", closefd=False) as lines:
            serve_queries(evaluator, options, lines, target)
    except BrokenPipeError:
        os._exit(0)  # the reader is gone, and workers may still try to write
    except (InputError, OSError) as error:
        print(f"ownership-analysis: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0


def serve_queries(evaluator: Evaluator, options: Options, source: IO[bytes], target: int) -> None:
    """Answer the queries of a stream until its end.

    Args:
        evaluator: the model.
        options: the user's choices.
        source: queries, a line each.
        target: a file descriptor, for answers, a line each.

    Raises:
        BrokenPipeError: the reader of the answers is gone.
        OSError: the answers cannot be written.
    """
    output = _Output(target)
    with QuerySearches(evaluator, output.write, options.workers) as searches:
        while output.failure is None and (line := source.readline(_LONGEST_QUERY)):
            if line.strip():
                for found in _answers(line, searches, evaluator, options):
                    output.write(found)
        searches.close(finish=output.failure is None and not options.quit_at_once)
    if output.failure is not None:
        raise output.failure


class _Output:
    """Writes answers, from any thread; `failure`: why they cannot be written any more."""

    def __init__(self, target: int) -> None:
        self.failure: OSError | None = None
        self._target = target
        self._writing = threading.Lock()

    def write(self, found: Mapping[str, Any]) -> None:
        """Write an answer as a line; after a failure, nothing."""
        line = json.dumps(found, separators=(",", ":")).encode("ascii") + b"\n"
        with self._writing:
            if self.failure is None:
                try:
                    write_all(self._target, line)
                except OSError as error:
                    self.failure = error


def _answers(line: bytes, searches: QuerySearches, evaluator: Evaluator, options: Options) -> Iterator[dict[str, Any]]:
    """Yield the immediate answers to a line, and carry it out or queue its query after its warnings."""
    try:
        values = parse_object(line)
    except InputError as error:
        yield {"error": str(error)}
        return
    identity = {"id": values["id"]} if isinstance(values.get("id"), str | int) else {}
    try:
        if "action" in values:
            yield _acted(values, searches, evaluator, options.version)
            return
        query = parse_query(values, options.defaults, searches.latest)
        _check_side(query, evaluator)
    except FieldError as error:
        yield {"error": error.fault, "field": error.field, **identity}
        return
    for name, text in query.warnings:
        yield {"warning": text, "field": name, **identity}
    searches.submit(query)


def _acted(values: Mapping[str, Any], searches: QuerySearches, evaluator: Evaluator, version: str) -> dict[str, Any]:
    """Carry out an action, and return its echo; raise FieldError."""
    fields = Fields(values)
    fields.read(ID)
    action = values["action"]
    if action == "query_version":
        return {**values, "version": version, "git_hash": "none"}
    if action == "query_models":
        return {**values, "models": [_described(evaluator)]}
    if action == "clear_cache":
        evaluator.clear_cache()
        return dict(values)
    turns = values.get("turnNumbers")
    if "turnNumbers" in values and not (isinstance(turns, list) and all(type(turn) is int for turn in turns)):
        raise FieldError("turnNumbers", f"expected a list of whole numbers. Received: {shown(turns)}")
    if action == "terminate":
        searches.terminate(fields.read(TERMINATE_ID), turns)
    elif action == "terminate_all":
        searches.terminate(None, turns)
    else:
        known = "query_version, query_models, clear_cache, terminate, terminate_all"
        raise FieldError("action", f"expected an action {known}. Received: {shown(action)}")
    return dict(values)


def _check_side(query: Query, evaluator: Evaluator) -> None:
    with naming(WIDTH.name):
        evaluator.files.require_side(query.game.side)


def _described(evaluator: Evaluator) -> dict[str, Any]:
    return {
        "name": str(evaluator.files.weights),
        "internalName": evaluator.name,
        "maxBatchSize": 16,
        "usesHumanSLProfile": False,
        "version": 8,
        "usingFP16": "false",
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ownership-analysis",
        description="Answers queries of KataGo's analysis protocol, a JSON object a line, with a tree search.",
        allow_abbrev=False,
    )
    command = "analysis answers queries, as without it; version prints the version: as clients call KataGo"
    model = "model by name or directory; a network file of KataGo stands for the default model, as does none"
    threads = "positions searched at the same time"
    declare(
        parser,
        Argument("subcommand", ("analysis", "version"), command, count="?"),
        Argument("-model --model NAME|DIR", str, model),
        Argument("-config --config FILE", Path, _CONFIG_HELP, repeated=True),
        Argument(
            "-override-config --override-config KEY=VALUE,...",
            str,
            "the same settings, which override the settings of files",
            repeated=True,
        ),
        Argument("-analysis-threads --analysis-threads N", str, threads, otherwise="one more than processors"),
        Argument(
            "-quit-without-waiting --quit-without-waiting",
            bool,
            "end all searches at the end of the input, without their answers",
        ),
    )
    return parser


def _options(arguments: argparse.Namespace) -> Options:
    """Return the options of the command line and of configuration files; raise InputError."""
    settings = _settings(arguments)
    version = settings.get("version") or engine_version()
    return Options(_defaults(settings), _workers(arguments, settings), arguments.quit_without_waiting, version)


def _settings(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the settings of configuration files, overridden by the command line; raise InputError."""
    lines = [line for path in arguments.config for line in _lines(path)]
    named = _pairs([part for text in arguments.override_config for part in text.split(",")])
    for name in named:
        if name not in _SETTINGS:
            near = suggestion(name, _SETTINGS)
            _warn(f"-override-config: expected a setting of this engine. Received: {cut(name)}, which is ignored{near}")
    return _pairs(lines) | named


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8", "replace").splitlines()
    except OSError as error:
        raise InputError(f"-config: expected a file. Received: {path}, {error.strerror}") from None


def _pairs(lines: Iterable[str]) -> dict[str, str]:
    pairs = [line.partition("#")[0].partition("=") for line in lines]
    return {key.strip(): value.strip() for key, sign, value in pairs if sign}


def _defaults(settings: Mapping[str, str]) -> Defaults:
    name = settings.get("reportAnalysisWinratesAs", "BLACK").upper()
    if name not in PERSPECTIVES:
        raise InputError(f"reportAnalysisWinratesAs must be one of {', '.join(PERSPECTIVES)}. Received: {cut(name)}")
    values = Fields(settings)
    return Defaults(values.read(SET_VISITS) or Defaults.visits, values.read(SET_SECONDS), PERSPECTIVES[name])


def _workers(arguments: argparse.Namespace, settings: Mapping[str, str]) -> int:
    given = arguments.analysis_threads or settings.get("numAnalysisThreads")
    if given is None:
        return min(_MOST_WORKERS, default_workers())
    with naming("numAnalysisThreads"):
        return min(_MOST_WORKERS, parse_whole(given, 1, _MOST_THREADS))


def _model(text: str | None) -> ModelFiles:
    """Return a model, the default one in place of a network file of KataGo's own, which clients name."""
    if text is not None and Path(text).is_file():
        _warn(f"-model: expected a model by name or directory. Received: {text}; `ownership import` makes one of it")
        text = None
    try:
        return find_model(text)
    except InputError as error:
        raise InputError(f"-model: {error}") from None


def _warn(message: str) -> None:
    print(f"ownership-analysis: warning: {message}", file=sys.stderr)
