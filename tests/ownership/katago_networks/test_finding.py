"""Networks in files, archives and folders, and their names."""

import gzip
from pathlib import Path
from zipfile import ZipFile

import pytest

from goban.errors import InputError
from ownership.katago_networks.find_networks import find_network, suitable_names
from ownership.katago_networks.katago_file import NetworkFile, read_model
from ownership.katago_networks.network_licences import licence_of
from tests.support.katago_files import network_bytes, write_network

B6, B18 = "g170-b6c96-s175395328-d26788732", "kata1-b18c384nbt-s9996604416-d4316597426"


def network(name: str) -> bytes:
    return gzip.compress(network_bytes(name=name))


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """A folder with `one`, `several` and `none`, as folders and as archives with the ending `.zip`."""
    human = gzip.compress(network_bytes(15, name="b18c384nbt-humanv0", players=1))
    contents: dict[str, dict[str, bytes]] = {
        "one": {"katrain/models/a.bin.gz": network(B18), "b.txt.gz": network(B18), "human.bin.gz": human, "c": b"x"},
        "several": {"a.bin.gz": network(B6), "more/b.bin": network_bytes(name=B18)},
        "none": {"readme.txt": b"nothing"},
        "other": {"book.txt.gz": gzip.compress(b"an opening book")},
    }
    for name, files in contents.items():
        with ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            for file, content in files.items():
                path = tmp_path / name / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                archive.write(path, file)
    return tmp_path


@pytest.mark.parametrize("ending", ["", ".zip"])
def test_the_network_of_a_place_is_found(ending: str, places: Path) -> None:
    assert read_model(find_network(places / f"one{ending}")).name == B18
    assert read_model(find_network(places / f"several{ending}", "b6C96")).name == B6
    assert read_model(find_network(places / f"several{ending}", "b.bin")).name == B18


def test_a_file_of_any_name_is_a_network(tmp_path: Path) -> None:
    assert read_model(find_network(write_network(tmp_path / "mine.net", network_bytes()))).name == "small"


@pytest.mark.parametrize("ending", ["", ".zip"])
@pytest.mark.parametrize(
    ("place", "wanted", "message"),
    [
        ("none", "", "{}: expected a network of KataGo inside, .bin.gz or .txt.gz or .bin. Received: none"),
        ("several", "", f"{{}}: expected one network, or --network with a part of its name. Received: {B6}, {B18}"),
        ("several", "b40", f"--network: expected part of a name in {{}}: {B6}, {B18}. Received: b40"),
        ("other", "", "{}: expected a network of KataGo, in the head a whole number"),
    ],
)
def test_a_place_without_one_network(place: str, wanted: str, message: str, ending: str, places: Path) -> None:
    path = places / f"{place}{ending}"
    with pytest.raises(InputError) as raised:
        find_network(path, wanted)
    between = ": book.txt.gz" if ending else "/book.txt.gz"
    assert str(raised.value).startswith(message.format(f"{path}{between}" if place == "other" else path))


def test_a_damaged_archive(places: Path) -> None:
    path = places / "one.zip"
    content = bytearray(path.read_bytes())
    place = content.find(b"PK\x01\x02")
    content[place - 4000 : place - 3900] = bytes(100)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"one\.zip: .*: expected") as raised:
        for member in ("b.txt.gz", "human.bin.gz"):
            read_model(NetworkFile(path, member))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "file", "names", "licence"),
    [
        (B18, "net.bin.gz", ["b18", "b18c384nbt", B18], "KataGo Network License"),
        (B6, "b6c96.bin.gz", ["b6", "b6c96", B6], "public domain"),
        ("small", "my-b10c128.bin.gz", ["b10", "b10c128", "small"], "not known"),
        ("../small", "net.bin.gz", ["b3", "small"], "not known"),
        ("...", "net.bin.gz", ["b3"], "not known"),
    ],
)
def test_names_and_licence(name: str, file: str, names: list[str], licence: str, tmp_path: Path) -> None:
    path = write_network(tmp_path / file, network_bytes(name=name))
    model = read_model(path)
    assert suitable_names(model, NetworkFile(path)) == names
    assert licence_of(model).startswith(licence)
