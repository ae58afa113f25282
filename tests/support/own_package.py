"""The packages of `examples`, installed into a folder without a network."""

import os
import shutil
import tomllib
from pathlib import Path

from tests.support.paths import EXAMPLES, ROOT

SOURCE = EXAMPLES / "own_package"
GNUGO = EXAMPLES / "gnugo_evaluator"


def install(site: Path, source: Path = SOURCE) -> dict[str, str]:
    """Install a package into a folder, and return the environment in which programs find it."""
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    shutil.copytree(source / source.name, site / source.name)
    info = site / f"{source.name}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in names.items()) for group, names in groups
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
