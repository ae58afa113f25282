"""Networks of KataGo in a file, a zip archive such as KaTrain's wheel, or a folder."""

import hashlib
import os
import re
import struct
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from goban.errors import InputError, cut
from ownership.katago_networks.katago_file import Head, NetworkFile, read_head
from ownership.katago_networks.network_parts import KataGoModel
from ownership.katago_networks.weights_parser import KataGoFileError

_ENDINGS: Final = (".bin.gz", ".txt.gz", ".bin")
_ARCHITECTURE: Final = re.compile(r"(?<![a-z0-9])(b\d+)c\d+[a-z0-9]*")  # such as b18c384nbt
_SHOWN: Final = 8


class _Found(NamedTuple):
    file: NetworkFile
    head: Head


def find_network(place: Path, wanted: str = "") -> NetworkFile:
    """Return the file of the only network in a place.

    Args:
        place: a network file, a zip archive or a folder, which is searched with all folders in it.
        wanted: a part of the name of the network or of its file, where a place has several.

    Raises:
        OSError: the place cannot be read.
        KataGoFileError: it holds no network that can be used, or several.
        InputError: no network has the wanted name.
    """
    if place.exists() and not place.is_dir() and not place.is_file():
        raise KataGoFileError(f"{place}: expected a file or a folder. Received: a pipe or a device")
    if not place.is_dir() and not zipfile.is_zipfile(place):
        return NetworkFile(place)
    files = list(_in_folder(place) if place.is_dir() else _in_archive(place))
    found = _networks(place, files)
    fitting = [each for each in found if wanted.lower() in f"{each.head.name} {each.file.name}".lower()]
    if len(fitting) == 1:
        return fitting[0].file
    names = _listed([each.head.name for each in fitting or found])
    if wanted and not fitting:
        raise InputError(f"--network: expected part of a name in {place}: {names}. Received: {cut(wanted)}")
    raise KataGoFileError(f"{place}: expected one network, or --network with a part of its name. Received: {names}")


def _in_folder(place: Path) -> Iterator[NetworkFile]:
    for folder, folders, names in os.walk(place):
        folders.sort()
        paths = (Path(folder, name) for name in sorted(names) if name.endswith(_ENDINGS))
        yield from (NetworkFile(path) for path in paths if path.is_file())  # a pipe would be waited for


def _in_archive(place: Path) -> Iterator[NetworkFile]:
    try:
        with zipfile.ZipFile(place) as archive:
            members = sorted(archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError, struct.error) as error:
        raise KataGoFileError(f"{place}: expected a zip archive. Received: {error}") from None
    return (NetworkFile(place, member) for member in members if member.endswith(_ENDINGS))


def _networks(place: Path, files: Sequence[NetworkFile]) -> list[_Found]:
    """Return the networks that can be used, each once; raise KataGoFileError if there is none."""
    found: dict[str, _Found] = {}
    fault: KataGoFileError | None = None
    for file in files:
        try:
            head = read_head(file)
            found.setdefault(head.name, _Found(file, head))
        except OSError as error:
            fault = fault or KataGoFileError(f"{file}: expected a file that can be read. Received: {error.strerror}")
        except KataGoFileError as error:
            fault = fault or error
    if found:
        return list(found.values())
    if fault:
        raise fault
    raise KataGoFileError(f"{place}: expected a network of KataGo inside, {' or '.join(_ENDINGS)}. Received: none")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(cut, names[:_SHOWN])) + more


def suitable_names(model: KataGoModel, file: NetworkFile) -> list[str]:
    """Return names for a model of a network, the shortest first: b18, b18c384nbt and the network's own."""
    fitting = _ARCHITECTURE.search(model.name) or _ARCHITECTURE.search(file.name)
    short = [fitting[1], fitting[0]] if fitting else [f"b{len(model.blocks)}"]
    own = re.sub(r"[^\w.-]", "-", model.name, flags=re.ASCII).lstrip("-.")
    return list(dict.fromkeys([*short, own or short[0]]))


def digest_of(file: NetworkFile) -> str:
    """Return the SHA-256 of a file as it is; raise as `read_model` does."""
    digest = hashlib.sha256()
    with file.open() as stream:
        while part := stream.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
