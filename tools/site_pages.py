"""Hooks of MkDocs: pages and files of the site that lie outside docs/, and links between them."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

_ROOT = Path(__file__).parents[1]
_MODELS = "ownership/models"
_PAGES = {
    "index.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "benchmark-card.md": "ownership/benchmark/1/README.md",
    "examples/figure-of-2015.ipynb": "examples/figure-of-2015.ipynb",
    **{f"models/{path.parent.name}.md": str(path.relative_to(_ROOT)) for path in _ROOT.glob(f"{_MODELS}/*/README.md")},
}


def on_files(files: Files, config: Any) -> Files:
    """Add the pages and files that lie outside docs/."""
    for page, source in _PAGES.items():
        files.append(File.generated(config, page, content=(_ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page with links to files of the repository turned into links to pages."""
    source = Path(_PAGES.get(page.file.src_uri, f"docs/{page.file.src_uri}"))

    def link(found: re.Match[str]) -> str:
        target, anchor = found[1], found[2] or ""
        if "://" in target or not target:
            return found[0]
        return f"]({_relative(_page_of(source.parent / target), page.file.src_uri)}{anchor})"

    return re.sub(r"\]\(([^)#\s]*)(#[^)\s]*)?\)", link, markdown)


def _page_of(path: Path) -> str:
    """Return the name below docs/ of the page that shows a file of the repository."""
    name = str((_ROOT / path).resolve().relative_to(_ROOT))
    shown = {source: page for page, source in _PAGES.items()}
    if name in shown:
        return shown[name]
    folder = _ROOT / name
    return (f"{name}/README.md" if folder.is_dir() else name).removeprefix("docs/")


def _relative(target: str, page: str) -> str:
    return "../" * page.count("/") + target
