"""The package of `examples/own_package`, installed into a folder without a network."""

import os
import shutil
import tomllib
from pathlib import Path

from tests.support.paths import EXAMPLES, ROOT

SOURCE = EXAMPLES / "own_package"


def install(site: Path) -> dict[str, str]:
    """Install the package into a folder, and return the environment in which programs find it."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
    shutil.copytree(SOURCE / "own_package", site / "own_package")
    info = site / f"own_package-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in names.items()) for group, names in groups
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
