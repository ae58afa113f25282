"""Small networks in the format of KataGo's files, with random weights."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

CHANNELS, WIDTH, NARROW, UNITS = 8, 8, 4, 6


@dataclass
class Writer:
    """Collects the parts of a file; `binary`, whether weights are bytes, else text."""

    binary: bool
    random: np.random.Generator
    version: int
    parts: list[bytes] = field(default_factory=list)

    def words(self, *words: object) -> None:
        self.parts.append(" ".join(map(str, words)).encode() + b"\n")

    def floats(self, values: NDArray[np.float64]) -> None:
        if self.binary:
            self.parts.append(b"@BIN@" + values.astype("<f4").tobytes() + b"\n")
        else:
            self.words(*values.astype(np.float32).ravel())

    def weights(self, *shape: int) -> None:
        inputs = int(np.prod(shape[:-1]))
        self.floats(self.random.normal(0, inputs**-0.5, shape))

    def convolution(self, size: int, inputs: int, outputs: int) -> None:
        self.words("conv", size, size, inputs, outputs, 1, 1)
        self.weights(size, size, inputs, outputs)

    def matrix(self, inputs: int, outputs: int) -> None:
        self.words("matmul", inputs, outputs)
        self.weights(inputs, outputs)

    def bias(self, channels: int) -> None:
        self.words("bias", channels)
        self.weights(channels)

    def norm(self, channels: int) -> None:
        self.words("norm", channels, 1e-4, 1, 1)
        for each in (np.zeros(channels), np.ones(channels), np.ones(channels), np.zeros(channels)):
            self.floats(each + 0.01)
        self.activation()

    def activation(self) -> None:
        self.words("activation", *(["ACTIVATION_MISH"] if self.version >= 11 else []))

    def residual(self, channels: int) -> None:
        self.words("ordinary_block", "residual")
        self.norm(channels)
        self.convolution(3, channels, WIDTH)
        self.norm(WIDTH)
        self.convolution(3, WIDTH, channels)

    def pooling(self, channels: int) -> None:
        self.words("gpool_block", "pooling")
        self.norm(channels)
        self.convolution(3, channels, WIDTH)
        self.convolution(3, channels, NARROW)
        self.norm(NARROW)
        self.matrix(3 * NARROW, WIDTH)
        self.norm(WIDTH)
        self.convolution(3, WIDTH, channels)

    def nested(self, channels: int) -> None:
        self.words("nested_bottleneck_block", "nested", 1)
        self.norm(channels)
        self.convolution(1, channels, NARROW)
        self.residual(NARROW)
        self.norm(NARROW)
        self.convolution(1, NARROW, channels)

    def heads(self) -> None:
        policies = 2 if self.version >= 12 else 1
        self.words("policyhead")
        self.convolution(1, CHANNELS, WIDTH)
        self.convolution(1, CHANNELS, NARROW)
        self.norm(NARROW)
        self.matrix(3 * NARROW, WIDTH)
        self.norm(WIDTH)
        self.convolution(1, WIDTH, policies)
        if self.version >= 15:
            self.matrix(3 * NARROW, WIDTH)
            self.bias(WIDTH)
            self.activation()
        self.matrix(WIDTH if self.version >= 15 else 3 * NARROW, policies)
        self.words("valuehead")
        self.convolution(1, CHANNELS, WIDTH)
        self.norm(WIDTH)
        self.matrix(3 * WIDTH, UNITS)
        self.bias(UNITS)
        self.activation()
        self.matrix(UNITS, 3)
        self.bias(3)
        self.matrix(UNITS, 4)
        self.bias(4)
        self.convolution(1, WIDTH, 1)


def network_bytes(
    version: int = 8,
    *,
    binary: bool = True,
    seed: int = 0,
    planes: int = 22,
    name: str = "small",
    players: int = 0,
    strict: int = 0,
) -> bytes:
    """Return an unpacked file with a block of each kind that convolves.

    Args:
        version: of the format, up to 15.
        binary, seed, planes: of the weights.
        name: of the network.
        players: whether it reads facts about the players, from version 15 on.
        strict: whether its areas are those with suicide allowed, from version 15 on.
    """
    writer = Writer(binary, np.random.default_rng(seed), version)
    writer.words(name)
    writer.words(version, planes, 19)
    if version >= 13:
        writer.words(20, 20, 21, 22, 40, 0.25, 150)
    if version >= 15:
        writer.words(players, strict, *[0] * 6)
    writer.words("trunk", 3, CHANNELS, WIDTH, NARROW, WIDTH, NARROW, *([0] * 6 if version >= 15 else []))
    writer.convolution(3, planes, CHANNELS)
    writer.matrix(19, CHANNELS)
    for block in (writer.residual, writer.pooling, writer.nested):
        block(CHANNELS)
    writer.norm(CHANNELS)
    writer.heads()
    return b"".join(writer.parts)


def write_network(path: Path, content: bytes) -> Path:
    """Write a file, packed if its name ends in `.gz`."""
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def places_of_blocks(content: bytes) -> Iterator[int]:
    """Yield where each block of binary weights begins."""
    place = content.find(b"@BIN@")
    while place >= 0:
        yield place
        place = content.find(b"@BIN@", place + 1)
