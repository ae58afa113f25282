"""Label positions with a teacher, for `ownership train --soft`.

Examples:
    ownership teach data/games --teacher default --further 0.5 -o data/soft
    ownership teach data/weak --teacher 'katago analysis -config C -model M' -o data/soft

See docs/training.md.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

from tqdm import tqdm

from goban.errors import naming, plural
from ownership.commands.shared.model_arguments import symmetries_argument
from ownership.commands.shared.progress import progress_bar
from ownership.commands.shared.run_arguments import cluster_argument, seed_argument
from ownership.inference.evaluator import Evaluator
from ownership.players.gtp_client import program
from ownership.scoring.labelling_model import LabellingModel
from ownership.teaching.doubtful_positions import DoubtfulPositions
from ownership.teaching.program_teacher import AnalysisEngine
from ownership.teaching.teach_run import TAUGHT_GAMES_A_SHARD, Source, TaughtGames, Teaching
from ownership.teaching.teacher_interface import ModelTeacher, Teacher
from ownership.teaching.teacher_positions import PositionChoice
from ownership.training.training_options import PRECISIONS
from runtime.command_line import Argument, declare
from runtime.folders import Folder
from runtime.standard_streams import silenced_stderr
from runtime.this_process import quiet_tensorflow
from runtime.workers import chosen_workers, local_workers

_NETWORK_FILES: Final = (".bin.gz", ".txt.gz")
_DATASETS_HELP: Final = (
    "folder or URL made by `ownership prepare` or `selfplay`, whose games of the split train are labelled; with "
    "--student one made by `ownership teach`"
)
_OUTPUT_HELP: Final = "folder or URL of the soft dataset; continues the run that it holds"
_TEACHER_HELP: Final = (
    "the teacher: a model by name or directory, a network file of KataGo (.bin.gz or .txt.gz), which Keras runs, or "
    "the command line of a program that speaks KataGo's JSON analysis protocol, such as 'katago analysis -config C "
    "-model M'"
)
_EVERY_HELP: Final = (
    "moves between positions of a game, whose last one always counts; an odd number has both colours to move"
)
_TEMPERATURE_HELP: Final = (
    "draw these moves from a policy at this temperature: that of the teacher if it is a model, else that of the model "
    "default"
)
_FINISHED_HELP: Final = (
    "also label N boards of each game as finished: its last board and others of its second half, "
    "with either side to move"
)
_STUDENT_HELP: Final = "label again the positions of soft datasets on which this model differs from them"
_DIFFERENCE_HELP: Final = "mean difference of the ownership, -1 to 1 a point, from which --student disagrees"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership teach`."""
    parser.set_defaults(kept="the finished shards")
    declare(
        parser,
        Argument("datasets DATASET", str, _DATASETS_HELP, count="+"),
        Argument("-o --output SOFT", str, _OUTPUT_HELP, required=True),
        Argument("--teacher MODEL|FILE|COMMAND", str, _TEACHER_HELP, "default"),
        symmetries_argument(),
        Argument("--precision", PRECISIONS, "arithmetic of a network file", PRECISIONS[0]),
        Argument("--visits N", int, "visits a position of a program", 1, least=1),
        Argument("--every N", int, _EVERY_HELP, 9, least=1),
        Argument("--further SHARE", float, "share of the positions that get 1 to 8 further moves", 0.5, 0, 1),
        Argument("--temperature T", float, _TEMPERATURE_HELP, None, 0.01, 100, "any legal moves"),
        Argument("--finished N", int, _FINISHED_HELP, 0, least=0),
        Argument("--student MODEL", str, _STUDENT_HELP),
        Argument("--difference D", float, _DIFFERENCE_HELP, 0.1, 0, 2),
        cluster_argument("label", ", whose machines have the teacher in the same place"),
        seed_argument("all random choices"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Label the missing positions; show progress and refused positions on stderr, a line on stdout; return 0."""
    source = _source(arguments)
    if arguments.teacher.endswith(_NETWORK_FILES):
        Path(arguments.teacher).open("rb").close()  # or fail before TensorFlow is loaded
        quiet_tensorflow()
        with silenced_stderr():
            from ownership.katago_networks.katago_teacher import NetworkTeacher

        network = NetworkTeacher(Path(arguments.teacher), arguments.symmetries, arguments.precision)
        return _teach(arguments, source, network, _player(arguments))
    if len(arguments.teacher.split()) < 2 or Path(arguments.teacher).is_dir():
        with naming("--teacher"):
            evaluator = Evaluator.load(arguments.teacher, cached=0, bulk=True)
            model = LabellingModel.find(arguments.teacher)
        return _teach(arguments, source, ModelTeacher(evaluator, model.name, arguments.symmetries), evaluator)
    with naming("--teacher"):
        command = program(arguments.teacher)
    with AnalysisEngine(command, arguments.visits) as engine:
        return _teach(arguments, source, engine, _player(arguments))


def _source(arguments: argparse.Namespace) -> Source:
    """Return the games, or with --student the doubtful positions, to label."""
    if arguments.student is None:
        return TaughtGames(arguments.datasets)
    with naming("--student"):
        student = Evaluator.load(arguments.student, cached=0, bulk=True)
    return DoubtfulPositions(arguments.datasets, student, arguments.difference)


def _player(arguments: argparse.Namespace) -> Evaluator | None:
    """Return the model that draws further moves for a teacher that does not, if they are drawn from a policy."""
    return Evaluator.load(cached=0, bulk=True) if arguments.temperature is not None else None


def _teach(arguments: argparse.Namespace, source: Source, teacher: Teacher, player: Evaluator | None) -> int:
    choice = PositionChoice(
        arguments.every, arguments.further, arguments.temperature, arguments.seed, arguments.finished
    )
    if arguments.temperature is not None and player is not None:
        player.files.require_head("policy", "--temperature")
    size, left_out = TAUGHT_GAMES_A_SHARD if arguments.student is None else 1, 0

    def leave_out(position: str, reason: str) -> None:
        nonlocal left_out
        left_out += 1
        tqdm.write(f"{position}: left out, the teacher refused it: {reason}", file=sys.stderr)

    teaching = Teaching(Folder(arguments.output), source, teacher, choice, player, size, leave_out)
    labelled = 0
    with progress_bar(total=len(source), unit=source.unit, smoothing=0.05) as bar:

        def done(count: int, positions: int) -> None:
            nonlocal labelled
            labelled += positions
            bar.set_postfix_str(plural(labelled, "position"), refresh=False)
            bar.update(count)

        with chosen_workers(arguments.cluster, local_workers(1)) as workers:
            teaching.run(done, workers)
    counts = f"{plural(len(source), source.unit)}, {plural(labelled, 'new position')}"
    refused = f", {left_out:,} left out" if left_out else ""
    print(f"{arguments.output}: {counts}{refused}, labelled by {teacher.name}")
    return 0
