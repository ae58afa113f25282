"""One game record: SGF bytes in, a checked `GameRecord` or a `RecordError` with one of RECORD_REASONS out.

`sgf_grammar` has the syntax, and `sgf_main_line`, `recorded_handicap` and the modules of properties what they mean,
with tolerance for what servers and editors write. docs/records.md lists what they write.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from game_records.game_record import GameRecord, IllegalReason, RecordedIllegalMove, printable
from game_records.komi import in_points, parse_komi
from game_records.node_comments import comments
from game_records.record_errors import Fault, RecordError
from game_records.recorded_handicap import handicap_of_moves, named_handicap, usual_stones_left_out
from game_records.result_property import Result, parse_result
from game_records.sgf_grammar import SETUP, NodeReader, SgfNode, game_reader, plain_text
from game_records.sgf_main_line import MAX_TEXT, MainLine, count_legal_moves, territory_marks
from game_records.written_points import is_in_hundredths
from goban.array_types import Int8
from goban.coords import BLACK, MAX_SIDE, MIN_SIDE, WHITE, gtp_name
from goban.errors import cut, shown
from goban.katago_rules import record_rules, record_uncounted
from goban.rulesets import Ruleset

_OF_GO: Final = frozenset(("GM", "FF", "CA", "SZ", "KM", "HA", "RU", "RE", "PB", "PW", "B", "W", "C", *SETUP))


def parse_game(data: bytes, source: str = "record") -> GameRecord:
    """Return the main line of the first game in SGF `data`, up to where it breaks off or breaks the rules.

    Raises:
        RecordError: it cannot be used.

    Reads no file, and does not look at what follows the first game.
    """
    try:
        reader = game_reader(data)
        game = game_of_nodes(_main_line(reader), source, reader.skipped, reader.is_closed)
        if not game.broken_off or game.illegal_move or reader.is_cut:
            return game
        return replace(game, unclosed=True)
    except Fault as bad:
        raise RecordError(source, bad.reason, bad.detail) from None


def _main_line(reader: NodeReader) -> list[SgfNode]:
    nodes = reader.main_line()
    if "text" in reader.skipped and reader.is_closed and _OF_GO.isdisjoint(name for node in nodes for name in node):
        raise Fault("bad syntax", f"expected properties such as SZ[19]; {reader.skipped['text']}")
    return nodes


def game_of_nodes(
    nodes: list[SgfNode], source: str, skipped: dict[str, str] | None = None, is_closed: bool = True
) -> GameRecord:
    """Return the game of nodes that follow each other; raise Fault. `skipped`, `is_closed`: as of a `NodeReader`."""
    header = _header(nodes)
    line = MainLine.of_nodes(_side(_text(header, "SZ")), nodes)
    side, setup, (moves, colours) = line.side, line.setup, line.as_arrays()
    if not (is_closed or len(moves) or line.earlier):
        raise Fault("truncated", "expected a game closed by ')'. Received: the end, before the first move")
    named = named_handicap(_text(header, "HA"), side, setup, colours)
    handicap, handicap_from = handicap_of_moves(side, named or 0, setup, moves, colours)
    usual = [] if line.earlier else usual_stones_left_out(side, handicap, setup, moves, colours)
    setup[usual] = BLACK
    legal = count_legal_moves(side, setup, moves, colours)
    facts, notes = _facts(header)
    game = GameRecord(
        source=source,
        side=side,
        setup=setup,
        to_move=int(colours[0]) if len(colours) else line.player or _first_player(setup),
        move_points=moves[:legal],
        move_colours=colours[:legal],
        handicap=handicap,
        handicap_from="usual points" if usual else handicap_from or ("impossible number" if named is None else ""),
        territory=territory_marks(nodes[line.first :], side),
        comments=comments(_numbered(nodes[line.first :])),
        broken_off=not is_closed,
        prisoners=line.prisoners,
        notes=tuple(((skipped or {}) | line.notes | notes).values()),
        **facts,
    )
    if legal < len(moves):
        return _without_illegal_move(game, int(moves[legal]), int(colours[legal]))
    return game if line.off_board is None else _cut_short(game, line.off_board)


def _header(nodes: list[SgfNode]) -> SgfNode:
    """Return the properties of the nodes up to the first move, the earliest of each; raise Fault for another game."""
    begun = next((i for i, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    header = {name: values for node in reversed(nodes[: begun + 1]) for name, values in node.items()}
    if _text(header, "GM") not in ("", "1"):
        raise Fault("not Go", f"expected GM[1]. Received: GM[{cut(_text(header, 'GM'))}]")
    return header


def _facts(header: SgfNode) -> tuple[dict[str, Any], dict[str, str]]:
    """Return rules, komi, result, players and date as fields of a GameRecord, and notes on rules and komi."""
    rules, result = record_rules(_text(header, "RU")), parse_result(_text(header, "RE"))
    komi = _komi(_text(header, "KM") or _text(header, "KO"), rules, result)  # records of the Nihon Ki-in have KO
    facts = {
        "komi": komi or 0.0,
        "komi_given": komi is not None,
        "rules": rules.name if rules else "",
        "result": result,
        "black": _player_name(header, "PB"),
        "white": _player_name(header, "PW"),
        "black_rank": _text(header, "BR"),
        "white_rank": _text(header, "WR"),
        "date": _text(header, "DT"),
        "name": _text(header, "GN"),
    }
    return facts, _terms_notes(header, komi)


def _komi(text: str, rules: Ruleset | None, result: Result) -> float | None:
    """Return a komi in points, which by area rules may be written in stones; None where there is none."""
    komi, counting = parse_komi(text), rules.counting if rules else None
    return None if komi is None else in_points(komi, is_in_hundredths(text), counting, result.score)


def _terms_notes(header: SgfNode, komi: float | None) -> dict[str, str]:
    """Return lines on rules that are not counted, and on a komi that is no number."""
    notes, rules, written = {}, _text(header, "RU"), _text(header, "KM")
    if left_out := record_uncounted(rules):
        notes["rules"] = f"the rules {shown(rules)} have {left_out}, which is not counted"
    if written and komi is None:
        notes["komi"] = f"expected a komi in points. Received: {shown(written)}"
    return notes


def _without_illegal_move(game: GameRecord, move: int, colour: int) -> GameRecord:
    """Return a game that ends before an illegal move, with the reason."""
    reason: IllegalReason = "occupied" if game.position().stones.flat[move] else "ko"
    return _cut_short(game, RecordedIllegalMove(len(game.move_points) + 1, colour, gtp_name(move, game.side), reason))


def _cut_short(game: GameRecord, illegal: RecordedIllegalMove) -> GameRecord:
    """Return a game that ends before an illegal move, without what the record says about its end."""
    kept = {number: said for number, said in game.comments.items() if number < illegal.number}
    return replace(game, broken_off=True, illegal_move=illegal, territory=None, comments=kept)


def _text(header: SgfNode, name: str) -> str:
    """The first value of a property, on one line and at most 100 characters; "" where there is none."""
    values = header.get(name)
    if not values or not values[0]:
        return ""
    return printable(plain_text(values[0][: 4 * MAX_TEXT]).replace("\n", " ")[:MAX_TEXT].strip())


def _player_name(header: SgfNode, name: str) -> str:
    """As `_text`, but "" for the question mark that some programs write for an unknown player."""
    written = _text(header, name)
    return "" if written == "?" else written


def _numbered(nodes: Iterable[SgfNode]) -> Iterator[tuple[int, SgfNode]]:
    """Yield the nodes of the main line with the number of moves before the position that each shows."""
    played = 0
    for node in nodes:
        played += ("B" in node) + ("W" in node)
        yield played, node


def _side(text: str) -> int:
    if not text:
        return 19
    match = re.fullmatch(r"(\d{1,3})(?:\s*[:x]\s*(\d{1,3}))?", text)
    if match is None:
        raise Fault("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: SZ[{cut(text)}]")
    side = int(match[1])
    if match[2] and int(match[2]) != side:
        raise Fault("not square", f"expected a square board. Received: SZ[{text}]")
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise Fault("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: {side}")
    return side


def _first_player(setup: Int8) -> int:
    return WHITE if (setup == BLACK).any() and not (setup == WHITE).any() else BLACK
