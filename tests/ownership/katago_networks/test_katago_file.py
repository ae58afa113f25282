"""Reading files of KataGo's networks."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from ownership.katago_networks.katago_file import read_model
from ownership.katago_networks.network_parts import Multipliers, Nested, Pooling, Residual
from ownership.katago_networks.weights_parser import KataGoFileError
from tests.support.katago_files import network_bytes, places_of_blocks, write_network


@pytest.mark.parametrize("version", [8, 11, 14, 15])
@pytest.mark.parametrize("name", ["net.bin.gz", "net.bin"])
def test_a_network_is_read(tmp_path: Path, version: int, name: str) -> None:
    model = read_model(write_network(tmp_path / name, network_bytes(version)))
    assert (model.name, model.version) == ("small", version)
    assert [type(block) for block in model.blocks] == [Residual, Pooling, Nested]
    assert model.planes.kernel.shape == (3, 3, 22, 8)
    assert model.policy.logits.kernel.shape[3] == (2 if version >= 12 else 1)
    assert model.value.hidden_norm.activation == ("mish" if version >= 11 else "relu")
    assert model.multipliers == (Multipliers(deviation=21, lead=22) if version >= 13 else Multipliers(20, 20))


def test_text_and_binary_hold_the_same(tmp_path: Path) -> None:
    text = read_model(write_network(tmp_path / "net.txt.gz", network_bytes(binary=False)))
    binary = read_model(write_network(tmp_path / "net.bin.gz", network_bytes()))
    np.testing.assert_allclose(text.planes.kernel, binary.planes.kernel, rtol=1e-6)
    np.testing.assert_allclose(text.value.ownership.kernel, binary.value.ownership.kernel, rtol=1e-6)


def test_normalization_is_folded_into_scale_and_bias(tmp_path: Path) -> None:
    norm = read_model(write_network(tmp_path / "net.bin", network_bytes())).value.hidden_norm
    np.testing.assert_allclose(norm.scale, 1.01 / np.sqrt(1.01 + 1e-4), rtol=1e-5)
    np.testing.assert_allclose(norm.bias, 0.01 - 0.01 * norm.scale, atol=1e-6)


@pytest.mark.parametrize("binary", [True, False])
def test_a_file_that_ends_too_early(tmp_path: Path, binary: bool) -> None:
    whole = network_bytes(binary=binary)
    for length in np.linspace(0, len(whole) - 40, 60).astype(int):
        path = write_network(tmp_path / "net.bin", whole[:length])
        with pytest.raises(KataGoFileError, match=r"net\.bin: expected") as raised:
            read_model(path)
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize("share", [0.2, 0.9, 0.999])
def test_a_packed_file_that_ends_too_early(tmp_path: Path, share: float) -> None:
    packed = gzip.compress(network_bytes())
    path = tmp_path / "net.bin.gz"
    path.write_bytes(packed[: int(share * len(packed))])
    with pytest.raises(KataGoFileError, match=r"net\.bin\.gz: expected"):
        read_model(path)


def test_a_packed_file_with_damage(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(network_bytes()))
    packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / "net.bin.gz"
    path.write_bytes(packed)
    with pytest.raises(KataGoFileError, match=r"net\.bin\.gz: expected"):
        read_model(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no more words"),
        (b"(;SZ[19];B[dd])", "no more words"),
        (b"net 99 22 19", "a network of version 8..17. Received: version 99"),
        (b"net 3 22 19", "a network of version 8..17. Received: version 3"),
        (network_bytes(planes=17), "22 planes and 19 global inputs. Received: 17 and 19"),
        (network_bytes() + b"more", "the end of the file. Received: more data"),
        (network_bytes().replace(b"gpool_block", b"other_block"), "a block of"),
        (network_bytes(14).replace(b"ACTIVATION_MISH", b"ACTIVATION_NONE", 1), "an activation of"),
        (network_bytes().replace(b"conv 3 3 22 8", b"conv 3 3 22 9", 1), "8 channels. Received: 9"),
        (network_bytes().replace(b"conv 3 3 22 8", b"conv 99 99 22 8", 1), "weights"),
        (network_bytes().replace(b"conv 3 3 22 8", b"conv 2 3 22 8", 1), "a convolution of odd size"),
        (network_bytes(binary=False).replace(b"conv 3 3 22 8 1 1\n", b"conv 3 3 22 8 1 1\nword ", 1), "other text"),
    ],
)
def test_what_is_no_network(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(KataGoFileError) as raised:
        read_model(write_network(tmp_path / "net.bin", content))
    assert str(raised.value).startswith(f"{tmp_path / 'net.bin'}: expected")
    assert message in str(raised.value)


def test_weights_that_are_not_numbers(tmp_path: Path) -> None:
    content = bytearray(network_bytes())
    place = next(places_of_blocks(bytes(content))) + 5
    content[place : place + 4] = np.array([np.nan], "<f4").tobytes()
    with pytest.raises(KataGoFileError, match="finite weights"):
        read_model(write_network(tmp_path / "net.bin", bytes(content)))


def test_no_more_is_unpacked_than_the_sizes_call_for(tmp_path: Path) -> None:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(gzip.compress(network_bytes() + bytes(50_000_000)))
    with pytest.raises(KataGoFileError, match="the end of the file"):
        read_model(path)
