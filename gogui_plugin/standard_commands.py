"""The standard GTP commands, commands of KGS, KataGo and GNU Go about rules and positions, and GoGui's own."""

import json
import os
import signal
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from game_records.game_record import GameRecord
from game_records.result_property import parse_result
from goban import text_diagram
from goban.clock import Clock
from goban.coords import BLACK, WHITE, colour_name, gtp_name, parse_gtp, pass_point
from goban.errors import InputError, cut, shown
from goban.game import Game
from goban.handicap_stones import fixed_handicap, most_handicap
from goban.katago_rules import rules_fields
from goban.position import IllegalMove
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.gtp_arguments import (
    parse_colour,
    parse_file,
    parse_gtp_komi,
    parse_gtp_number,
    parse_gtp_whole,
    parse_kata_rules,
    parse_kgs_rules,
    parse_point,
    parse_stones,
)
from gogui_plugin.loaded_record import load_game
from gogui_plugin.session import NAME, Action, Session
from ownership.players.player_interface import RESIGN
from ownership.scoring.score_figures import headline
from runtime.safe_writing import replacing

_KGS_TIMES = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}


def make_move(session: Session, colour: int, point: int) -> str:
    """Play a move that the player chose, unless it is RESIGN, and return its GTP name; raise IllegalMove."""
    if point != RESIGN:
        session.play_chosen(colour, point)
    return _move_name(point, session.game.side)


def _move_name(point: int, side: int) -> str:
    return "resign" if point == RESIGN else gtp_name(point, side)


def _names(points: Iterable[int], side: int) -> str:
    return " ".join(gtp_name(point, side) for point in points)


def _boardsize(session: Session, command: Command) -> str:
    (size,) = command.take(1)
    side = parse_gtp_whole(size)
    try:
        session.game = _empty(session.game, side)
    except InputError as error:
        raise GtpError(f"unacceptable size: {error}") from None
    return ""


def _clear_board(session: Session, _: Command) -> str:
    session.game = _empty(session.game, session.game.side)
    session.start_game()
    return ""


def _empty(game: Game, side: int) -> Game:
    """Return the empty board with the same rules and komi."""
    return Game.empty(side, ruleset=game.ruleset, komi=game.komi)


def _komi(session: Session, command: Command) -> str:
    (points,) = command.take(1)
    session.game = replace(session.game, komi=parse_gtp_komi(points))
    return ""


def _loadsgf(session: Session, command: Command) -> str:
    """Load a game, up to a move; return the skipped parts of the record."""
    name, number = parse_file(command)
    if number and os.path.exists(f"{name} {number}"):
        name, number = f"{name} {number}", ""
    before = parse_gtp_whole(number) if number else None
    if before is not None and before < 1:
        raise GtpError(f"cannot load file: expected a move number from 1 up. Received: {before}")
    loaded = load_game(name)
    last, illegal = len(loaded.record.move_points), loaded.record.illegal_move
    if illegal and (before is None or before - 1 > last):
        raise GtpError(f"cannot load file: illegal move: {illegal}")
    plies = last if before is None else min(before - 1, last)
    terms = session.terms_of(loaded)
    session.game = replace(loaded.record.as_game(plies, terms.ruleset), ruleset=terms.ruleset, komi=terms.komi)
    session.loaded = loaded
    return "; ".join(loaded.record.notes)


def _printsgf(session: Session, command: Command) -> str:
    """Write the game to the file that is named, or return it."""
    written = GameRecord.of_game(session.game, "GTP", parse_result("")).to_sgf()
    if command.text in ("", "-"):
        return written.decode("utf-8")
    with replacing(command.text.strip('"')) as partial:
        partial.write_bytes(written)
    return ""


def _showboard(session: Session, _: Command) -> str:
    position = session.game.position
    by_black, by_white = position.prisoners
    to_move = colour_name(position.to_move)
    board = text_diagram.render_text(position.stones)
    return f"\n{board}\n{to_move} to move, captured by Black {by_black}, by White {by_white}"


def _time_settings(session: Session, command: Command) -> str:
    main, period, stones = map(_parse_time, command.take(3))
    return _set_clocks(session, Clock(main, period, stones))


def _kgs_time_settings(session: Session, command: Command) -> str:
    """Read `none`, `absolute MAIN`, `byoyomi MAIN PERIOD PERIODS` or `canadian MAIN PERIOD STONES`."""
    system, *numbers = command.arguments or ("",)
    times = [_parse_time(number) for number in numbers]
    if len(times) != _KGS_TIMES.get(system, -1):
        raise GtpError(
            f"syntax error: expected {', '.join(_KGS_TIMES)} with its times. Received: {shown(command.text)}"
        )
    main, period, count = (*times, 0, 0, 0)[:3]
    single = system == "byoyomi"
    return _set_clocks(session, Clock(main, period, min(1, count) if single else count, single=single))


def _parse_time(text: str) -> int:
    return parse_gtp_whole(text, 0)


def _set_clocks(session: Session, clock: Clock) -> str:
    session.clocks = dict.fromkeys(session.clocks, clock.begun())
    return ""


def _time_left(session: Session, command: Command) -> str:
    name, seconds, stones = command.take(3)
    colour, left, count = parse_colour(name), parse_gtp_number(seconds), parse_gtp_whole(stones)
    session.clocks[colour] = session.clocks[colour].at(left, count)
    return ""


def _play(session: Session, command: Command) -> str:
    """Play a move; it may repeat a position, since it was played already."""
    colour, vertex = command.take(2)
    point = parse_gtp(vertex, session.game.side)
    try:
        session.game = session.game.play(point, parse_colour(colour), superko=False)
    except IllegalMove as error:
        raise GtpError(f"illegal move: {error.reason}") from None
    return ""


def _genmove(session: Session, command: Command) -> str:
    colour = parse_colour(command.take(1)[0])
    return make_move(session, colour, session.choose(colour))


def _kgs_genmove_cleanup(session: Session, command: Command) -> str:
    """Move when the players disagree about dead stones: do not pass before all dead stones have been captured."""
    colour = parse_colour(command.take(1)[0])
    return make_move(session, colour, session.choose(colour, cleanup=True))


def _reg_genmove(session: Session, command: Command) -> str:
    (colour,) = command.take(1)
    return _move_name(session.choose(parse_colour(colour)), session.game.side)


def _gg_undo(session: Session, command: Command) -> str:
    return _take_back(session, parse_gtp_whole(command.take(1)[0]) if command.text else 1)


def _take_back(session: Session, count: int) -> str:
    try:
        session.game = session.game.undo(count)
    except InputError as error:
        raise GtpError(f"cannot undo: {error}") from None
    return ""


def _fixed_handicap(session: Session, command: Command) -> str:
    (count,) = command.take(1)
    return _place(session, fixed_handicap(session.game.side, parse_gtp_whole(count)))


def _place_free_handicap(session: Session, command: Command) -> str:
    """Place handicap stones on fixed points, and fewer than requested where there are not enough, as GTP allows."""
    (text,) = command.take(1)
    side, count = session.game.side, parse_gtp_whole(text)
    if not 2 <= count < side * side:
        raise GtpError(f"invalid number of stones: expected 2..{side * side - 1}. Received: {count}")
    return _place(session, fixed_handicap(side, min(count, most_handicap(side)) or count))


def _set_free_handicap(session: Session, command: Command) -> str:
    side = session.game.side
    points = [parse_point(vertex, side) for vertex in command.arguments]
    if not 2 <= len(set(points)) == len(points) < side * side:
        raise GtpError(
            f"bad vertex list: expected 2..{side * side - 1} different points. Received: {cut(command.text)}"
        )
    _place(session, points)
    return ""


def _place(session: Session, points: list[int]) -> str:
    if session.game.position.stones.any():
        raise GtpError("board not empty")
    session.game = session.game.with_setup(dict.fromkeys(points, BLACK), WHITE, handicap=len(points))
    return _names(points, session.game.side)


def _final_status_list(session: Session, command: Command) -> str:
    (status,) = command.take(1)
    if status not in ("dead", "alive", "seki"):
        raise GtpError(f"invalid status: expected dead, alive or seki. Received: {shown(status)}")
    position, estimate = session.game.position, session.estimate()
    dead, seki = estimate.dead, estimate.seki
    wanted = {"dead": dead, "seki": seki, "alive": ~dead & ~seki}[status].ravel()
    return "\n".join(_names(chain.points, position.side) for chain in position.chains() if wanted[chain.points[0]])


def _kgs_rules(session: Session, command: Command) -> str:
    session.game = replace(session.game, ruleset=parse_kgs_rules(command.text))
    return ""


def _kgs_chat(session: Session, command: Command) -> str:
    """Answer a chat line (`game` or `private`, a name, the text) with the expected score."""
    if len(command.arguments) < 2 or command.arguments[0] not in ("game", "private"):
        raise GtpError(f"syntax error: expected game or private, a name and a text. Received: {shown(command.text)}")
    return headline(session.estimate())


def _kata_set_rules(session: Session, command: Command) -> str:
    session.game = replace(session.game, ruleset=parse_kata_rules(command.text))
    return ""


def _is_legal(session: Session, command: Command) -> str:
    colour, vertex = command.take(2)
    point = parse_gtp(vertex, session.game.side)
    return str(int(session.game.legal_points(parse_colour(colour))[point]))


def _all_legal(session: Session, command: Command) -> str:
    (colour,) = command.take(1)
    return " ".join(session.game.legal_moves(parse_colour(colour))[:-1])


def _list_stones(session: Session, command: Command) -> str:
    (colour,) = command.take(1)
    stones = np.flatnonzero(session.game.position.stones == parse_colour(colour))
    return _names(stones.tolist(), session.game.side)


def _captures(session: Session, command: Command) -> str:
    (colour,) = command.take(1)
    by_black, by_white = session.game.position.prisoners
    return str(by_black if parse_colour(colour) == BLACK else by_white)


def _sigint(session: Session, _: Command) -> str:
    """Let SIGINT interrupt the running command, and return the process that it has to be sent to."""
    signal.signal(signal.SIGINT, lambda *_: session.interrupt())
    return str(os.getpid())


def _play_sequence(session: Session, command: Command) -> str:
    """Play moves, which may repeat positions, as with `play`."""
    stones = parse_stones(command.arguments, session.game.side)
    try:
        session.game = session.game.play_all(stones, superko=False)
    except IllegalMove as error:
        raise GtpError(f"illegal move: {error}") from None
    return ""


def _setup(session: Session, command: Command) -> str:
    game = session.game
    stones = parse_stones(command.arguments, game.side)
    if any(point == pass_point(game.side) for _, point in stones):
        raise GtpError("syntax error: expected points to set up. Received: pass")
    session.game = game.with_setup({point: colour for colour, point in stones}, game.position.to_move)
    return ""


def _setup_player(session: Session, command: Command) -> str:
    (colour,) = command.take(1)
    session.game = session.game.with_player(parse_colour(colour))
    return ""


def _title(session: Session, _: Command) -> str:
    game = f" - {session.loaded.record.source}" if session.loaded else ""
    return f"{NAME} ({session.model.name}){game}"


STANDARD_ACTIONS: Final[Mapping[str, Action]] = {
    "name": lambda session, _: session.settings.name,
    "version": lambda session, _: session.settings.version,
    "cputime": lambda *_: f"{time.process_time():.3f}",
    "boardsize": _boardsize,
    "query_boardsize": lambda session, _: str(session.game.side),
    "clear_board": _clear_board,
    "komi": _komi,
    "get_komi": lambda session, _: f"{session.game.komi:g}",
    "loadsgf": _loadsgf,
    "printsgf": _printsgf,
    "showboard": _showboard,
    "time_settings": _time_settings,
    "time_left": _time_left,
    "play": _play,
    "genmove": _genmove,
    "reg_genmove": _reg_genmove,
    "undo": lambda session, _: _take_back(session, 1),
    "gg-undo": _gg_undo,
    "fixed_handicap": _fixed_handicap,
    "place_free_handicap": _place_free_handicap,
    "set_free_handicap": _set_free_handicap,
    "final_score": lambda session, _: session.estimate().result,
    "final_status_list": _final_status_list,
    "kgs-rules": _kgs_rules,
    "kgs-time_settings": _kgs_time_settings,
    "kgs-genmove_cleanup": _kgs_genmove_cleanup,
    "kgs-game_over": lambda *_: "",
    "kgs-chat": _kgs_chat,
    "kata-get-rules": lambda session, _: json.dumps(rules_fields(session.game.ruleset), separators=(",", ":")),
    "kata-set-rules": _kata_set_rules,
    "is_legal": _is_legal,
    "all_legal": _all_legal,
    "list_stones": _list_stones,
    "captures": _captures,
    "gogui-interrupt": lambda *_: "",
    "gogui-play_sequence": _play_sequence,
    "gogui-setup": _setup,
    "gogui-setup_player": _setup_player,
    "gogui-sigint": _sigint,
    "gogui-title": _title,
    "stop": lambda *_: "",
}
