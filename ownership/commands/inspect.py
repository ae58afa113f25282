"""Show what a dataset contains, of games or of a teacher's labels.

Examples:
    ownership inspect data/games
    ownership inspect data/soft

See docs/datasets.md.
"""

import argparse
from collections.abc import Iterable, Mapping

import numpy as np

from game_datasets.dataset_summary import Alike, Counts, Rejection, Summary, Timing, summarise, summarise_soft
from game_datasets.position_overlap import Shared
from game_datasets.rows import OWNERSHIP_SCALE, Row, owner_of
from game_datasets.shards import is_soft
from goban.coords import colour_name
from goban.counting.counted_score import format_result
from goban.counting.expectation import LEANING
from goban.errors import plural
from goban.text_diagram import render_text
from ownership.commands.shared.progress import progress_bar
from runtime.command_line import Argument, declare
from runtime.folders import Folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership inspect`."""
    declare(
        parser,
        Argument("dataset", str, "folder or URL made by `ownership prepare`, `selfplay` or `teach`"),
        Argument("--examples N", int, "games or positions to show", 3, least=0),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the numbers of accepted games and of reasons for rejection, facts about the games, and a few of them."""
    if is_soft(arguments.dataset):
        _inspect_soft(arguments)
        return 0
    summary = summarise(Folder(arguments.dataset), arguments.examples, _with_progress)
    _print_counts(arguments.dataset, summary)
    _print_rejections(summary.rejections)
    _print_distributions("accepted games", summary.distributions)
    _print_alike(summary.openings, summary.accepted, "begin with the same stones")
    _print_alike(summary.ends, summary.accepted, "end with the same moves, perhaps of exchanged colours,")
    _print_shared(summary.shared)
    _print_timings(summary.timings)
    for row in summary.examples:
        _print_example(row)
    return 0


def _with_progress(names: list[str]) -> Iterable[str]:
    shown: Iterable[str] = progress_bar(names, unit="shard", total=len(names), leave=False)
    return shown


def _print_counts(dataset: str, summary: Summary) -> None:
    records, accepted, branches = summary.records, summary.accepted, summary.branches
    print(f"{dataset}: {plural(records, 'record')}, {accepted:,} accepted ({_share(accepted, records)})")
    if accepted:
        size, mean = summary.size / accepted, summary.moves / accepted
        print(
            f"{plural(summary.moves, 'move')} in the accepted games, {mean:.0f} a game; {size:.0f} bytes a game on disk"
        )
    if branches:
        mean = sum(branches) / len(branches)
        print(f"{len(branches):,} have a target that holds from the move in `branch` on: move {mean:.0f} on average")


def _print_rejections(rejections: list[Rejection]) -> None:
    if rejections:
        print("\nrejected records by reason")
    width = max((len(each.reason) for each in rejections), default=0)
    for each in rejections:
        print(f"{each.number:8,}  {each.reason:{width}}  such as {each.source}: {each.detail}")


def _inspect_soft(arguments: argparse.Namespace) -> None:
    summary = summarise_soft(arguments.dataset, arguments.examples, _with_progress)
    size = summary.size / max(summary.positions, 1)
    print(f"{arguments.dataset}: {plural(summary.positions, 'labelled position')}, {size:.0f} bytes each on disk")
    _print_distributions("positions", summary.distributions)
    for row in summary.examples:
        _print_position(row)


def _print_distributions(kind: str, distributions: Mapping[str, Counts]) -> None:
    if distributions:
        print(f"\n{kind}: number and share by")
    width = max(map(len, distributions), default=0)
    for title, counts in distributions.items():
        _print_row(f"{title:{width}}", counts)


def _print_row(title: str, counts: Counts) -> None:
    """Print values side by side, and under each its number and share."""
    total = sum(counts.values())
    cells = [(value, f"{number:,}", _share(number, total)) for value, number in counts.items()]
    widths = [max(map(len, cell)) for cell in cells]
    for head, line in zip((title, "", ""), zip(*cells, strict=True), strict=True):
        print(f"{head:{len(title)}}  " + "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)))


def _share(part: int, whole: int) -> str:
    return f"{part / max(whole, 1):.1%}"


def _print_alike(alike: Alike, accepted: int, how: str) -> None:
    if alike.number:
        share = _share(alike.number, accepted)
        print(
            f"\nnear-duplicates: {alike.number:,} accepted games ({share}) {how} as another one, "
            "perhaps turned or mirrored; the largest groups:"
        )
    for group in alike.groups:
        more = " ..." * (group.number > len(group.sources))
        print(f"{group.number:8,}  " + f"\n{'':10}".join(group.sources) + more)


def _print_shared(shared: list[Shared]) -> None:
    if shared:
        print("\npositions that occur in games of train too, perhaps turned or mirrored")
    for each in shared:
        part = _share(each.shared, each.positions)
        print(f"{each.split:10}  {each.side}x{each.side}  {each.shared:,} of {each.positions:,} ({part})")


def _print_timings(timings: list[Timing]) -> None:
    if not timings:
        return
    width = max(len(each.scorer) for each in timings)
    print("\nseconds to label a game, by scorer")
    print(f"{'':{width}}  {'games':>9}  {'mean':>7}  {'median':>7}  {'99th percentile':>15}  {'most':>7}")
    for each in timings:
        seconds = f"{each.mean:7.2f}  {each.median:7.2f}  {each.percentile_99:15.2f}  {each.most:7.2f}"
        print(f"{each.scorer:{width}}  {each.games:9,}  {seconds}")


def _print_example(row: Row) -> None:
    result = row["result"] or "no result"
    print(f"\n{row['source']}: recorded {result} by {row['rules'] or 'unknown'} rules, komi {row['komi']:g}")
    print(f"{plural(len(row['moves']), 'move')}; by area Black minus White with komi is {row['counted_score']:+g}")
    print("Owner of each point: X Black, O White, . neither\n")
    print(render_text(owner_of(row)))


def _print_position(row: Row) -> None:
    lead = "no score" if row["lead"] is None else format_result(round(row["lead"], 1))
    print(f"\n{row['source']}, {colour_name(row['to_move'])} to move")
    print(f"{row['teacher']} expects {lead} by {row['rules']} rules, komi {row['komi']:g}")
    print("Owner of each point: X Black, O White, . less than two to one\n")
    ownership = owner_of(row | {"target": row["ownership"]}) / OWNERSHIP_SCALE
    print(render_text((np.sign(ownership) * (np.abs(ownership) >= LEANING)).astype(np.int8)))
