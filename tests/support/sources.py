"""The modules of the project, folder by folder."""

from pathlib import Path

from tests.support.paths import ROOT

PACKAGES = (
    "goban",
    "runtime",
    "game_records",
    "planes",
    "game_datasets",
    "preprocessing",
    "ownership",
    "viz",
    "gogui_plugin",
    "benchmarks",
    "experiments",
)
FOLDERS = sorted(
    {".".join(path.parent.relative_to(ROOT).parts) for name in PACKAGES for path in (ROOT / name).rglob("*.py")}
)


def modules(folder: str) -> list[Path]:
    """Return the files of the modules directly in a package, such as "goban.counting"."""
    return sorted((ROOT / folder.replace(".", "/")).glob("*.py"))


def name_of(path: Path) -> str:
    """Return the full name of a module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
