"""The tables in docs/ of what is declared in code."""

import runpy

from tests.support.paths import ROOT


def test_the_tables_are_as_declared() -> None:
    pages = runpy.run_path(str(ROOT / "tools" / "doc_tables.py"))["pages"]()
    outdated = [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    assert not outdated, "python tools/doc_tables.py writes them"
