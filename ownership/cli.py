"""The `ownership` program: its commands, errors that name the nearest word, and completion by the shell."""

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, NoReturn

from goban.errors import InputError, cut, suggestion
from runtime.signals import INTERRUPTED, SIGNALLED, Signalled, signals_raise, wait_for_compilation, was_signalled
from runtime.standard_streams import buffer_stdout

COMMANDS = {
    "score": "show who owns each point of a game, and the score",
    "explain": "show how a group lives or dies, move by move",
    "settled": "show which points have their final owner, and whether the game is decided",
    "show": "draw a game: one position, a contact sheet or an animation",
    "analyze": "search every position of a game and write the analysis into its record",
    "report": "write an offline HTML page for each game",
    "serve": "open a page to score and review games, and answer other programs in JSON",
    "mcp": "let an assistant score and explain games, over the Model Context Protocol",
    "search": "search for the best move in a position of a game",
    "prepare": "turn game records into a dataset of labelled games",
    "inspect": "show what a dataset contains",
    "compare": "compare the targets of two datasets of the same games",
    "selfplay": "make a dataset of games that go on after mistakes, or of weak players",
    "teach": "label positions with a model, a network of KataGo or a program, for training",
    "mixture": "make games of all kinds of players and label their positions, for training",
    "train": "train a network on one or more datasets",
    "recipes": "list the networks and trainings that have a name",
    "average": "average the weights of models that were fine-tuned from a common one",
    "import": "make a model of a network of KataGo, from a file, an archive or a folder",
    "export": "make a model of a network of Keras of your own",
    "models": "list the models that have a name, choose the one that all commands use, and show what repeats one",
    "calibrate": "fit the interval of the score and the chance to win of a model on games that it was not trained on",
    "evaluate": "measure models on games that they were not trained on",
    "match": "let players and GTP programs play each other",
    "doctor": "show what is installed, which runtime and GNU Go are used, and how fast models are",
    "warm-up": "compile the kernels for this machine, once after installing",
}
_EPILOG = """\
`ownership COMMAND --help` explains a command. The guide is in docs/ of the repository, beginning with README.md.
Completion in bash and zsh: eval "$(register-python-argcomplete ownership)\""""
_EXTRAS = dict.fromkeys(("fsspec", "keras", "pandas", "pyarrow", "tensorboard", "tensorflow"), "train")
_EXTRAS |= {"distributed": "cluster", "mcp": "mcp"} | dict.fromkeys(("anyio", "starlette", "uvicorn"), "serve")
_BASE = ("matplotlib", "numba", "numpy", "PIL", "psutil", "tqdm")
_BROKEN_PIPE = SIGNALLED + 13
_COMPILING = "Compiling kernels, each once for this machine"
_CLEARED = "\033[K"  # the rest of the line


def run_program() -> NoReturn:
    """Run `main` as a program; end the process without waiting for threads if it was interrupted."""
    buffer_stdout()
    status = main()
    if status > SIGNALLED or was_signalled():
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(status)
    sys.exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status of the process.

    Args:
        argv: arguments without the program's name, none for --help; None takes the process's.

    Returns:
        0 if all went well, 2 after one line on stderr for wrong input, 130 after SIGINT, 143 after SIGTERM, 129 after
        SIGHUP, 141 if the reader of stdout went away.

    Raises:
        SystemExit: wrong arguments, --help or --version, from argparse. Any other exception is a bug.
    """
    if "_ARGCOMPLETE" in os.environ:
        _complete()
    words, arguments = sys.argv[1:] if argv is None else list(argv), argparse.Namespace()
    if not _prepare_streams():
        return _fail("standard output is closed: redirect it to a file, or to /dev/null")
    try:
        arguments = _parser(words).parse_args(words or ["--help"])
        with signals_raise():
            wait_for_compilation()
            with _compilation_announced():
                status: int = arguments.run(arguments)
            _flush_output()
    except KeyboardInterrupt as signalled:
        _report_what_is_kept(arguments)
        return signalled.status if isinstance(signalled, Signalled) else INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except (InputError, OSError) as error:
        return _fail(_one_line(error))
    except MemoryError as error:
        return _fail(f"memory ran out: {_one_line(error) or 'no more is free'}")
    except ModuleNotFoundError as error:
        install = _way_to_install((error.name or "").partition(".")[0])
        if install is None:
            raise
        return _fail(f"this command needs {error.name}, which is not installed: in a clone, {install}")
    return status


def _report_what_is_kept(arguments: argparse.Namespace) -> None:
    """Write to stderr what an interrupted command keeps for the next run, if anything."""
    checkpoint = getattr(arguments, "checkpoint", None)
    if checkpoint and not (arguments.output / checkpoint).exists():
        print("Interrupted before the first checkpoint: the same command begins again", file=sys.stderr)
    elif kept := getattr(arguments, "kept", None):
        print(f"Interrupted: {arguments.output} keeps {kept}; the same command resumes", file=sys.stderr)


def _way_to_install(package: str) -> str | None:
    """Return how to install a package that a command needs; None for any other package."""
    if package in _BASE:
        return ". .venv/bin/activate after make demo, or pip install -e ."
    return f"pip install -e '.[{_EXTRAS[package]}]'" if package in _EXTRAS else None


def _compilation_announced() -> AbstractContextManager[object]:
    """Say on stderr, once or on a terminal with a count, that kernels are compiled: later processes read the disk."""
    from numba.core import event

    class Announcement(event.Listener):  # type: ignore[misc]
        running = kernels = 0
        counts = sys.stderr.isatty()

        def on_start(self, _: object) -> None:
            self.running += 1
            self.kernels += 1
            if self.counts:
                print(f"\r{_COMPILING}: {self.kernels} ...{_CLEARED}", end="", file=sys.stderr, flush=True)
            elif self.kernels == 1:
                print(f"{_COMPILING} ...", file=sys.stderr, flush=True)

        def on_end(self, _: object) -> None:
            self.running -= 1
            if self.counts and not self.running:
                print(f"\r{_CLEARED}", end="", file=sys.stderr, flush=True)

    announced: AbstractContextManager[object] = event.install_listener("numba:compile", Announcement())
    return announced


def _prepare_streams() -> bool:
    """Make stdout and stderr take any text, and return whether stdout is open. A closed one is replaced by nothing."""
    is_open = sys.stdout is not None
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, for the rest of the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="backslashreplace")
    return is_open


def _flush_output() -> None:
    """Flush the buffer of stdout; an OSError names stdout, and leaves nothing to write at the end."""
    try:
        sys.stdout.flush()
    except OSError as error:
        error.filename = "standard output"
        raise


class _Parser(argparse.ArgumentParser):
    """A parser whose errors suggest the nearest option or choice, and whose description keeps its lines."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **{"formatter_class": argparse.RawDescriptionHelpFormatter, **options})  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Print the message in one line on stderr and exit with status 2."""
        remedy = _suggestion(message, self._options()) or f"; see {self.prog} --help"
        self.exit(2, f"{self.prog}: error: {' '.join(map(cut, message.split()))}{remedy}\n")

    def _options(self) -> list[str]:
        commands = [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        inner = [option for action in commands for each in action.choices.values() for option in each._options()]
        return [*self._option_string_actions, *inner]


def _suggestion(message: str, options: Iterable[str]) -> str:
    """Return the end of an error message: where the commands are listed, or the word that was meant, if any."""
    if message.endswith(": COMMAND"):
        return "; --help lists the commands"
    if found := re.search(r"unrecognized arguments:.*?(--?[\w-]+)", message):
        return suggestion(found[1], options)
    if found := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
        return suggestion(found[1], re.findall(r"'(.*?)'", found[2]))
    return ""


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of a command line; import only the command that the line names."""
    parser = _Parser(prog="ownership", description="Who owns each point of a Go board?", epilog=_EPILOG)
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    named = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        if name == named:
            module = importlib.import_module(f"ownership.commands.{name.replace('-', '_')}")
            command.description = module.__doc__
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


class _Version(argparse.Action):
    """The option that prints the version of the installed package; finding it needs a slow import."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"ownership {version('go-ownership')}")
        parser.exit()


def _complete() -> None:
    """Answer the shell that has started this process to complete a command line, and end the process."""
    import argcomplete

    argcomplete.autocomplete(_parser(os.environ.get("COMP_LINE", "").split()[1:]))


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def _fail(message: str) -> int:
    print(f"ownership: error: {message}", file=sys.stderr)
    return 2
