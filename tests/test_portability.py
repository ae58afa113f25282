"""What users import works without the modules and calls that only POSIX systems have."""

import json
import subprocess
import sys

import pytest

from tests.support.paths import ROOT
from tests.support.sources import FOLDERS, modules, name_of

POSIX_MODULES = ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix_ipc", "readline")
POSIX_CALLS = (
    "os.fork", "os.forkpty", "os.getpgid", "os.getpgrp", "os.getuid", "os.killpg", "os.mkfifo", "os.setpgid",
    "os.setsid", "os.wait3", "os.wait4", "os.WNOHANG", "signal.SIGALRM", "signal.SIGHUP", "signal.SIGKILL",
    "signal.SIGPIPE", "signal.SIGUSR1", "signal.SIGXCPU", "signal.alarm", "signal.setitimer", "signal.pthread_kill",
)  # fmt: skip
USED = [folder for folder in FOLDERS if not folder.startswith(("ownership.training", "benchmarks", "experiments"))]
# What other packages import before the calls are taken away, as they have ways of their own on other systems.
SCRIPT = """
import importlib, json, os, signal, sys, traceback
import matplotlib.figure, mcp.server, numba, numpy, psutil, tqdm
from ai_edge_litert import interpreter
for name in {modules}:
    sys.modules[name] = None
for name in {calls}:
    module, _, attribute = name.partition(".")
    delattr(sys.modules[module], attribute)
failed = {{}}
for name in {ours}:
    try:
        importlib.import_module(name)
    except Exception:
        failed[name] = traceback.format_exc()
print(json.dumps(failed))
"""


@pytest.mark.long
def test_every_module_is_imported_without_posix() -> None:
    ours = [name_of(path) for folder in USED for path in modules(folder) if path.stem != "__main__"]
    script = SCRIPT.format(modules=POSIX_MODULES, calls=POSIX_CALLS, ours=ours)
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout) == {}
