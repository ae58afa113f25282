"""The names of the files that commands write."""

from game_records.record_errors import BadRecord
from ownership.commands.shared.output_files import FileNames


def test_no_two_records_get_one_name() -> None:
    names = FileNames(".html", "index")
    sources = ["x/a.sgf", "y/a-2.sgf", "z/a.sgf.gz", "a.sgf#2", "z/a.sgf", "index.sgf", "-", "-"]
    given = [names.next(BadRecord(source, "", "")) for source in sources]
    assert given == [
        *("a.html", "a-2.html", "a-3.html", "a-2-2.html", "a-4.html", "index-2.html"),
        *("game.html", "game-2.html"),
    ]
