"""What a network is made of, as plain data: stored beside its weights, read without Keras."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from goban.errors import InputError
from preprocessing.features.planes import parse_feature_set

ARCHITECTURES = ("classic5", "residual")
CHAIN_POOLING = ("off", "max", "max_mean")
HEADS = ("ownership", "policy", "score")
MAX_FILTERS = 1024
MAX_BLOCKS = 100


class NetworkConfigError(InputError):
    """A network configuration that cannot be built."""


@dataclass(frozen=True)
class NetworkConfig:
    """Everything needed to build a network again, without its weights.

    Args:
        architecture: one of `ARCHITECTURES`.
        feature_set: name of the planes the network reads, as `parse_feature_set` understands it.
        chain_pooling: one of `CHAIN_POOLING`: what layers between the convolutions tell a stone about its chain.
        board_pooling: whether every second residual block also sees the mean and the maximum over the board.
        filters: width of the widest layers, a multiple of 4.
        blocks: residual blocks; `classic5` always has 5 hidden convolutions.
        heads: what it answers, of `HEADS` in that order, the first always: the owner of each point, the next move,
            the score with its spread.

    Raises:
        NetworkConfigError: a value out of range.
        InputError: no such feature set.

    It says nothing about training: see `ownership.training.trainer.TrainingOptions`.
    """

    architecture: str = "residual"
    feature_set: str = "standard"
    chain_pooling: str = "off"
    board_pooling: bool = True
    filters: int = 64
    blocks: int = 5
    heads: tuple[str, ...] = HEADS

    def __post_init__(self) -> None:
        _check_choice("architecture", self.architecture, ARCHITECTURES)
        parse_feature_set(self.feature_set)
        _check_choice("chain_pooling", self.chain_pooling, CHAIN_POOLING)
        if not isinstance(self.board_pooling, bool):
            raise NetworkConfigError(f"board_pooling must be true or false. Received: {self.board_pooling!r}")
        _check_range("filters", self.filters, 4, MAX_FILTERS)
        if self.filters % 4:
            raise NetworkConfigError(f"filters must be a multiple of 4. Received: {self.filters}")
        _check_range("blocks", self.blocks, 1, MAX_BLOCKS)
        if self.architecture == "classic5" and self.blocks != 5:
            raise NetworkConfigError(
                f"blocks must be 5 for classic5. Received: {self.blocks}. For another depth use residual"
            )
        if self.heads[:1] != HEADS[:1] or self.heads != tuple(head for head in HEADS if head in self.heads):
            raise NetworkConfigError(
                f"heads must be {HEADS[0]}, then any of {', '.join(HEADS[1:])}. Received: {', '.join(self.heads)}"
            )

    @property
    def channels(self) -> int:
        """Number of input planes."""
        return len(parse_feature_set(self.feature_set).planes)

    @property
    def reads_chains(self) -> bool:
        """Whether the network has a second input, the chain ids."""
        return self.chain_pooling != "off"

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON values; `from_dict` reads them back."""
        return asdict(self) | {"heads": list(self.heads)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "NetworkConfig":
        """The configuration that `to_dict` wrote.

        Args:
            values: field name to value; fields left out take their defaults.

        Returns:
            an equal configuration.

        Raises:
            NetworkConfigError: an unknown field, or a value out of range.

        It does not look at weights.
        """
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise NetworkConfigError(f"a network configuration has the fields {', '.join(known)}. Received: {name}")
        return cls(**{**values, "heads": tuple(values.get("heads", HEADS))})


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise NetworkConfigError(f"{name} must be one of {', '.join(choices)}. Received: {value!r}")


def _check_range(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise NetworkConfigError(f"{name} must be a whole number from {low} to {high}. Received: {value!r}")
