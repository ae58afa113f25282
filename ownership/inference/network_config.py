"""The configuration of a network, as plain data: stored with its weights, read without Keras.

A new architecture is registered in `ARCHITECTURES`, and the function that builds its layers in
`ownership.networks.build_network`; the import of that module fails and names an architecture that lacks one.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from goban.errors import InputError, check_fields, fields_of
from ownership.inference.stack_config import Stack
from planes.feature_sets import parse_feature_set

CHAIN_POOLING: Final = ("off", "max", "max_mean")
HEADS: Final = ("ownership", "policy", "score", "resign", "margin")
USUAL_HEADS: Final = HEADS[:3]
SOFT_POLICY: Final = "soft_policy"  # a head only for training: the policy at a high temperature
INITIALIZERS: Final = ("he_normal", "glorot_uniform", "narrow_uniform", "narrow_normal")
COLOUR: Final = "black_to_move"  # the plane that chooses between the policies of two colours
MAX_FILTERS: Final = 1024
MAX_BLOCKS: Final = 100
NETWORK_RANGES: Final = {"filters": (4, MAX_FILTERS), "blocks": (1, MAX_BLOCKS)}


@dataclass(frozen=True)
class Architecture:
    """A kind of network, and how it is trained unless the user chooses otherwise.

    Attributes:
        loss: of the ownership, one of `ownership.training.training_options.LOSSES`.
        learning_rate: the peak of the schedule.
        feature_set: the planes.
        heads: what it answers, of `HEADS`.
        ownership_size: side of the convolution that the ownership is read from.
        blocks: the only number of blocks that it can have; None for any.
    """

    loss: str
    learning_rate: float
    feature_set: str = "tactical"
    heads: tuple[str, ...] = USUAL_HEADS
    ownership_size: int = 3
    blocks: int | None = None


ARCHITECTURES: Final[Mapping[str, Architecture]] = {
    "classic5": Architecture("squared", 1e-3, "classic8", HEADS[:1], ownership_size=5, blocks=5),
    "residual": Architecture("cross_entropy", 2e-3),
    "stack": Architecture("cross_entropy", 1e-3),
}


@dataclass(frozen=True)
class NetworkConfig:
    """Everything needed to build a network again, without its weights.

    Args:
        architecture: a name from `ARCHITECTURES`.
        feature_set: name of the planes the network reads, as `parse_feature_set` understands it.
        chain_pooling: one of `CHAIN_POOLING`: what layers between the convolutions tell a stone about its chain.
        board_pooling: whether every second residual block also takes the mean and the maximum over the board.
        filters: width of the widest layers, a multiple of 4.
        blocks: residual blocks; `classic5` always has 5 hidden convolutions.
        heads: what it answers, of `HEADS` in that order, at least one: the owner of each point, the next move, the
            score with its standard deviation, which needs the owners, whether the side to move resigns, and the margin
            by which it wins, which needs the owners too.
        stack: the layers of a `stack`, without `board_pooling`, `filters` and `blocks`; None for others.

    Raises:
        InputError: a value of another type or out of range, or no such feature set.

    Training is described by `ownership.training.training_options.TrainingOptions`.
    """

    architecture: str = "residual"
    feature_set: str = "standard"
    chain_pooling: str = "off"
    board_pooling: bool = True
    filters: int = 64
    blocks: int = 5
    heads: tuple[str, ...] = USUAL_HEADS
    stack: Stack | None = None

    def __post_init__(self) -> None:
        """Check every field."""
        check_fields(self, NETWORK_RANGES, {"architecture": ARCHITECTURES, "chain_pooling": CHAIN_POOLING})
        parse_feature_set(self.feature_set)
        if self.filters % 4:
            raise InputError(f"filters: expected a multiple of 4. Received: {self.filters}")
        only = ARCHITECTURES[self.architecture].blocks
        if only and self.blocks != only:
            raise InputError(
                f"blocks must be {only} for {self.architecture}. Received: {self.blocks}; choose another architecture"
            )
        check_heads(self.heads)
        if (self.stack is not None) != (self.architecture == "stack"):
            found = "none" if self.stack is None else f"one for {self.architecture}"
            raise InputError(f"stack must hold the layers of the architecture stack alone. Received: {found}")
        if self.stack:
            self._check_stack(self.stack)

    def _check_stack(self, stack: Stack) -> None:
        """Raise InputError for layers that do not fit the other fields."""
        for name in ("board_pooling", "filters", "blocks"):
            if (value := getattr(self, name)) != getattr(NetworkConfig, name):
                raise InputError(f"{name} must be left out of a stack, whose layers are its own. Received: {value}")
        if stack.colours == 2 and COLOUR not in parse_feature_set(self.feature_set).planes:
            raise InputError(
                f"feature_set must have the plane {COLOUR} for a policy of each colour. Received: {self.feature_set}"
            )
        if stack.colours == 2 and "resign" in self.heads:
            raise InputError("heads with a policy for each colour must be without resign. Received: resign")
        if stack.pooled and self.reads_chains:
            raise InputError(f"chain_pooling with pooled points must be off. Received: {self.chain_pooling}")

    @property
    def channels(self) -> int:
        """The number of input planes."""
        return len(parse_feature_set(self.feature_set).planes)

    @property
    def side(self) -> int | None:
        """The board side of a network with a fixed one, None for any."""
        return self.stack.side if self.stack else None

    @property
    def passes(self) -> bool:
        """Whether the policy has an output for the pass."""
        return self.stack.passes if self.stack else True

    @property
    def reads_chains(self) -> bool:
        """Whether the network has a second input, the chain ids."""
        return self.chain_pooling != "off"

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the network's inputs."""
        return ("planes", "chains") if self.reads_chains else ("planes",)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values; `from_dict` reads them back."""
        values = asdict(self) | {"heads": list(self.heads)}
        if self.stack is None:
            del values["stack"]
            return values
        return values | {"stack": self.stack.to_dict()}

    @classmethod
    def from_dict(cls, values: object) -> "NetworkConfig":
        """Return the configuration that `to_dict` wrote.

        Args:
            values: mapping of field names to JSON values; fields left out take their defaults.

        Raises:
            InputError: no mapping, an unknown field, a value of another type or out of range, or no such feature set.

        It does not look at weights.
        """
        given = fields_of(cls, values, "a network configuration")
        if given.get("stack") is not None:
            given["stack"] = Stack.from_dict(given["stack"])
        return cls(**given)


def check_heads(heads: tuple[str, ...]) -> None:
    """Raise InputError unless these are heads of one network, in the order of `HEADS`."""
    if not heads or heads != tuple(head for head in HEADS if head in heads):
        raise InputError(f"heads must be some of {', '.join(HEADS)}. Received: {', '.join(heads) or 'none'}")
    for head in ("score", "margin"):
        if head in heads and "ownership" not in heads:
            raise InputError(f"heads with {head} must have ownership, its sum. Received: {', '.join(heads)}")
