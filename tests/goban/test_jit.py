"""Compiled kernels on disk never outlive the code that they hold, and damaged ones are compiled again."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from goban.jit import PLAIN, TESTED
from goban.kernel_cache import _temporary_folder
from tests.support.paths import ROOT

CALLEE = "from goban.jit import kernel\nfrom constants import ONE\n\n@kernel\ndef number():\n    return {} * ONE\n"
RAISING = "for k in range(ONE):\n        raise ValueError('no number')\n    return"
FAILING = CALLEE.replace("return", RAISING).format(1)
READING = "from goban.jit import kernel\nfrom shapes import Box\n\n@kernel\ndef width(box):\n    return box.width\n"
READER = "from shapes import Box\nfrom callee import width\n\ndef read():\n    return width(Box(3))\n"
BOX = "from typing import NamedTuple\n\nclass Box(NamedTuple):\n    width: int\n"
CALLER = "from goban.jit import kernel\nfrom callee import number\n\n@kernel\ndef doubled():\n    return 2 * number()\n"

THREADS = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

def sum_of_threads(count):
    together = Barrier(count)
    with ThreadPoolExecutor(count) as pool:
        return sum(pool.map(lambda _: together.wait() * 0 + doubled(), range(count)))
"""


SEVERAL = "from goban.jit import kernel\n" + "".join(
    f"\n@kernel\ndef number_{k}():\n    return {10**k}\n" for k in range(6)
)
SUM = "sum(getattr(caller, f'number_{k}')() for k in range(6))"
DAMAGES: list[Callable[[bytes], bytes]] = [
    lambda content: b"",
    lambda content: content[:8],
    lambda content: content[: len(content) // 2],
    lambda content: content[:-1],
    lambda content: bytes(range(256)) * (len(content) // 256),
    lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
]
WAYS = {"": "_Generator", "1": "JITCPUCodegen"}  # of OWNERSHIP_PLAIN_NUMBA, each with the code generator of numba
GENERATOR = "type(caller.number_0.targetctx.codegen()).__name__"
# Another user writes only where folders allow it; a twin loads numba's modules, which that user may not even read.
AS_A_USER = """
import os, sys
sys.path.append({twin!r})
import caller, twin
twin.doubled()
if os.geteuid() == 0:
    os.seteuid(65534)
print(caller.doubled())
"""
TWIN = CALLEE.format(1).replace("from constants import ONE", "ONE = 1") + CALLER.partition("number\n")[2]


def run(script: str, folder: Path, **cache: str) -> subprocess.CompletedProcess[str]:
    """Run a script beside the modules of a folder, with variables for the folders of caches."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), **cache}
    return subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)


def printed(folder: Path, cache: dict[str, str], call: str = "caller.doubled()") -> int:
    return int(run(f"import caller; print({call})", folder, **cache).stdout)


def write(folder: Path, **sources: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text)


def compiled(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.rglob("*.nb[ic]")}


def test_a_kernel_is_compiled_again_when_what_it_holds_has_changed(tmp_path: Path) -> None:
    write(tmp_path, caller=CALLER, callee=CALLEE.format(21), constants="ONE = 1\n")
    assert printed(tmp_path, {}) == 42
    before = compiled(tmp_path)
    write(tmp_path, caller=f"# A comment, on a line above.\n{CALLER}")
    assert printed(tmp_path, {}) == 42
    assert compiled(tmp_path) == before != {}
    write(tmp_path, constants="ONE = 10\n")
    assert printed(tmp_path, {}) == 420
    assert compiled(tmp_path).keys() == before.keys()


@pytest.mark.long
def test_a_kernel_of_the_cache_is_linked_into_another(tmp_path: Path) -> None:
    write(tmp_path, caller=CALLER, callee=CALLEE.format(21), constants="ONE = 1\n")
    assert printed(tmp_path, {}, "caller.number()") == 21
    assert printed(tmp_path, {}) == printed(tmp_path, {}) == 42
    assert printed(tmp_path, {}, "caller.doubled() + caller.number()") == 63


@pytest.mark.long
def test_a_type_of_a_kernel_in_the_cache_may_move_to_another_module(tmp_path: Path) -> None:
    write(tmp_path, caller=READER, callee=READING, shapes=BOX)
    assert printed(tmp_path, {}, "caller.read()") == 3
    moved = {"caller": READER, "callee": READING}
    write(tmp_path, boxes=BOX, shapes="", **{name: text.replace("shapes", "boxes") for name, text in moved.items()})
    assert printed(tmp_path, {}, "caller.read()") == 3


@pytest.mark.long
def test_a_kernel_that_threads_call_first_is_compiled_once(tmp_path: Path) -> None:
    write(tmp_path, caller=CALLER + THREADS, callee=CALLEE.format(21), constants="ONE = 1\n")
    assert printed(tmp_path, {}, "caller.sum_of_threads(8)") == 8 * 42
    before = compiled(tmp_path)
    assert printed(tmp_path, {}) == 42
    assert compiled(tmp_path) == before != {}


@pytest.mark.long
@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_kernels_elsewhere_are_compiled_again_too(variable: str, tmp_path: Path) -> None:
    """Numba keeps kernels in the cache of the user where it cannot write beside the source."""
    sources, elsewhere = tmp_path / "sources", tmp_path / "elsewhere"
    write(sources, caller=CALLER, callee=CALLEE.format(21), constants="ONE = 1\n")
    if variable == "XDG_CACHE_HOME":
        (sources / "__pycache__").write_text("no folder")
    assert printed(sources, {variable: str(elsewhere)}) == 42
    assert compiled(elsewhere)
    write(sources, callee=CALLEE.format(123456))
    assert printed(sources, {variable: str(elsewhere)}) == 246912


@pytest.mark.long
def test_an_error_in_a_kernel_that_another_holds_keeps_its_message(tmp_path: Path) -> None:
    """Compiled first, then from the cache."""
    write(tmp_path, caller=CALLER, callee=FAILING, constants="ONE = 1\n")
    for _ in range(2):
        with pytest.raises(subprocess.CalledProcessError) as error:
            printed(tmp_path, {})
        assert "ValueError: no number" in error.value.stderr


@pytest.mark.parametrize("plain", WAYS)
def test_a_damaged_kernel_is_compiled_again(plain: str, tmp_path: Path) -> None:
    write(tmp_path, caller=SEVERAL)
    first = run(f"import caller; print({SUM}, {GENERATOR})", tmp_path, **{PLAIN: plain})
    assert first.stdout == f"111111 {WAYS[plain]}\n"
    files = sorted(tmp_path.rglob("*.nbc"))
    sizes = [path.stat().st_size for path in files]
    for path, damaged in zip(files, DAMAGES, strict=True):
        path.write_bytes(damaged(path.read_bytes()))
    before = compiled(tmp_path)
    assert printed(tmp_path, {PLAIN: plain}, SUM) == 111111
    after = compiled(tmp_path)
    assert [path.stat().st_size for path in files] == sizes
    assert after.keys() == before.keys() and all(after[name] > before[name] for name in before)
    assert printed(tmp_path, {PLAIN: plain}, SUM) == 111111
    assert compiled(tmp_path) == after


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that all users may read, with a kernel in `sources`, a `home` that none may write, and a `temporary`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for each in ("home", "temporary"):
            (folder / each).mkdir()
        (folder / "temporary").chmod(0o777)
        write(folder / "sources", caller=CALLER, callee=CALLEE.format(21), constants="ONE = 1\n")
        write(folder / "twin", twin=TWIN)
        for each in ("home", "sources"):
            (folder / each).chmod(0o555)
        yield folder
        for each in ("home", "sources"):
            (folder / each).chmod(0o755)


def as_a_user(folder: Path) -> subprocess.CompletedProcess[str]:
    for path in (folder / "twin").rglob("*.nbc"):
        path.unlink()
    script = AS_A_USER.format(twin=str(folder / "twin"))
    places = {"HOME": "home", "XDG_CACHE_HOME": "home", "TMPDIR": "temporary"}
    return run(script, folder / "sources", **{name: str(folder / each) for name, each in places.items()})


def test_kernels_are_kept_in_a_temporary_folder_where_no_other_can_be_written(public: Path) -> None:
    first = as_a_user(public)
    assert first.stdout == "42\n"
    assert first.stderr.startswith(f"kernels are kept in {public}/temporary/go-ownership-")
    assert first.stderr.endswith("sources/__pycache__ cannot be written; NUMBA_CACHE_DIR names another\n")
    assert first.stderr.count("\n") == 1
    before = compiled(public / "temporary")
    again = as_a_user(public)
    assert (again.stdout, again.stderr) == ("42\n", "")
    assert compiled(public / "temporary") == before != {}


def test_kernels_of_a_folder_that_cannot_be_written_are_used(public: Path) -> None:
    (public / "sources").chmod(0o755)
    assert printed(public / "sources", {}) == 42
    for folder in (public / "sources" / "__pycache__", public / "sources"):
        folder.chmod(0o555)
    answer = as_a_user(public)
    assert (answer.stdout, answer.stderr) == ("42\n", "")
    assert compiled(public / "temporary") == {}


@pytest.mark.long
def test_a_temporary_folder_that_others_can_write_is_not_used(public: Path) -> None:
    """Another user could put code there."""
    as_a_user(public)
    (folder,) = (public / "temporary").iterdir()
    folder.chmod(0o777)
    answer = as_a_user(public)
    assert answer.stdout == "42\n"
    assert answer.stderr.startswith("kernels are compiled at each start, as ")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no modes")
@pytest.mark.parametrize(
    ("mode", "is_used"), [(0o700, True), (0o755, True), (0o720, False), (0o702, False), (0o777, False)]
)
def test_a_temporary_folder_is_used_where_its_user_alone_can_write(
    mode: int, is_used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = _temporary_folder()
    folder.chmod(mode)
    with nullcontext() if is_used else pytest.raises(PermissionError, match="one that others can write"):
        assert _temporary_folder() == folder


def test_the_installed_numba_is_one_that_these_tests_have_seen() -> None:
    import numba

    assert ".".join(numba.__version__.split(".")[:2]) in TESTED
