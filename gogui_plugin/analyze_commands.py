"""Analysis that streams until the client sends something: lz-analyze, kata-analyze, analyze, and those that move."""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from gogui_plugin.analyze_arguments import AnalyzeArguments, parse_analyze_arguments
from gogui_plugin.analyze_lines import kata_line, leela_line, sabaki_line
from gogui_plugin.gtp import Command
from gogui_plugin.session import Action, Session
from gogui_plugin.standard_commands import make_move
from ownership.players.mcts_player import MctsPlayer
from ownership.search.mcts.search_stream import SearchStream
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits

Writer = Callable[[AnalyzeArguments, TreeSearch], str]
"""Returns a line about the result of a search; an empty one where no move may be shown."""


def _analyze(writer: Writer, session: Session, command: Command) -> Iterator[str]:
    """Check all arguments, then return the lines: an answer that has started cannot fail any more."""
    arguments = parse_analyze_arguments(command, session)
    stream = session.stream(session.turn(arguments.colour).game, Limits(), arguments.forbidden.plies)
    return _until_input(writer, session, arguments, stream)


def _until_input(writer: Writer, session: Session, arguments: AnalyzeArguments, stream: SearchStream) -> Iterator[str]:
    """Yield the lines of a search, and where it ends for want of room or of lines, the last one again and again."""
    yield from _lines(writer, arguments, stream)
    while not session.wait(arguments.seconds):
        if line := writer(arguments, stream.search):
            yield line


def _genmove(writer: Writer, session: Session, command: Command) -> Iterator[str]:
    """Search and play the best move that was shown; players without a tree show nothing."""
    arguments = parse_analyze_arguments(command, session)
    player = session.player()
    if not isinstance(player, MctsPlayer):
        return iter([f"play {make_move(session, arguments.colour, session.choose(arguments.colour))}"])
    return _stream_and_move(writer, session, arguments, player)


def _stream_and_move(
    writer: Writer, session: Session, arguments: AnalyzeArguments, player: MctsPlayer
) -> Iterator[str]:
    began, turn = time.monotonic(), session.turn(arguments.colour)
    stream = player.stream(turn, session.interrupted, arguments.forbidden.plies)
    yield from _lines(writer, arguments, stream)
    if line := writer(arguments, stream.search):
        yield line
    considered = player.considered(turn, stream.search.result(), session.interrupted)
    point = player.decide(turn, player.estimate(turn), considered)
    session.charge(arguments.colour, began)
    yield f"play {make_move(session, arguments.colour, point)}"


def _lines(writer: Writer, arguments: AnalyzeArguments, stream: SearchStream) -> Iterator[str]:
    """Yield a line as soon as there is a move to show, and one after each interval."""
    for search in stream.every(arguments.seconds):
        if line := writer(arguments, search):
            yield line


ANALYZE_ACTIONS: Final[Mapping[str, Action]] = {
    "lz-analyze": partial(_analyze, leela_line),
    "lz-genmove_analyze": partial(_genmove, leela_line),
    "kata-analyze": partial(_analyze, kata_line),
    "kata-genmove_analyze": partial(_genmove, kata_line),
    "analyze": partial(_analyze, sabaki_line),
    "genmove_analyze": partial(_genmove, sabaki_line),
}
