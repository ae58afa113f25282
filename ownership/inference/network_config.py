"""The configuration of a network, as plain data: stored with its weights, read without Keras.

A new architecture is registered in `ARCHITECTURES`, and the function that builds its layers in
`ownership.networks.build_network`; the import of that module fails and names an architecture that lacks one.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Final

from goban.coords import MAX_SIDE, MIN_SIDE
from goban.errors import BELOW_ONE, InputError, check_choice, check_fields, check_whole, fields_of, naming, shown
from planes.feature_sets import parse_feature_set
from planes.katago_inputs import KATAGO_PLANES

ACTIVATIONS: Final = ("relu", "tanh")
MOST_UNITS: Final = 1 << 14
_MOST_LAYERS: Final = 100
_MOST_STEPS: Final = 20
_LARGEST_KERNEL: Final = 19
STACK_RANGES: Final = {
    "layers": (1, MOST_UNITS),
    "dense": (1, MOST_UNITS),
    "dropout": (0, BELOW_ONE),
    "steps": (0, _MOST_STEPS),
    "side": (MIN_SIDE, MAX_SIDE),
}

CHAIN_POOLING: Final = ("off", "max", "max_mean")
HEADS: Final = ("ownership", "policy", "score", "resign", "margin")
USUAL_HEADS: Final = HEADS[:3]
SOFT_POLICY: Final = "soft_policy"  # a head only for training: the policy at a high temperature
INITIALIZERS: Final = ("he_normal", "glorot_uniform", "narrow_uniform", "narrow_normal")
COLOUR: Final = "black_to_move"  # the plane that chooses between the policies of two colours
KATAGO: Final = "katago"
MAX_FILTERS: Final = 1024
MAX_BLOCKS: Final = 100
NETWORK_RANGES: Final = {"filters": (4, MAX_FILTERS), "blocks": (1, MAX_BLOCKS)}
_MOST: Final = 1 << 14  # of any figure of an imported network


@dataclass(frozen=True)
class Stack:
    """Convolutions, then dense layers, which the heads follow: a layer of each head after what is last.

    Args:
        layers: filters and side of the kernel of each convolution; points outside the board are zero.
        dense: units of each dense layer.
        activation: of all hidden layers, one of `ACTIVATIONS`.
        dropout: share of what dense layers answer that is left out in training, the heads' own layer included.
        position_bias: whether convolutions have a bias at each point instead of one a filter.
        symmetric: whether kernels, and biases at points, are the same in all 8 symmetries of the board.
        steps: steps of a recurrent convolution after each convolution, which repeat what that one answered; 0 for none.
        untied: whether these steps have kernels of their own, as if they were further convolutions.
        normalized: whether local response normalization follows each convolution.
        pooled: numbers of the convolutions, from 1, after which the maximum of 2x2 points is taken.
        colours: 2 if Black and White have a policy each, else 1. The planes then need `black_to_move`, which nothing
            but the choice between the two reads.
        passes: whether the policy has an output for the pass.
        side: the only board side; None for any. Dense layers and biases at points need one.

    Raises:
        InputError: a value of another type or out of range, or values that do not fit together.
    """

    layers: tuple[tuple[int, int], ...] = ()
    dense: tuple[int, ...] = ()
    activation: str = "relu"
    dropout: float = 0.0
    position_bias: bool = False
    symmetric: bool = False
    steps: int = 0
    untied: bool = False
    normalized: bool = False
    pooled: tuple[int, ...] = ()
    colours: int = 1
    passes: bool = True
    side: int | None = None

    def __post_init__(self) -> None:
        """Check every field."""
        check_fields(self, STACK_RANGES, {"activation": ACTIVATIONS, "colours": (1, 2)})
        with naming("the number of layers"):
            check_whole(len(self.layers) + len(self.dense), 1, _MOST_LAYERS)
        for number, (_, kernel) in enumerate(self.layers, 1):
            with naming(f"the side of kernel {number}"):
                check_choice(kernel, range(1, _LARGEST_KERNEL + 1, 2))
        for number in self.pooled:
            with naming("pooled"):
                check_whole(number, 1, len(self.layers))
        self._check_together()

    def _check_together(self) -> None:
        if self.side is None and (self.dense or self.position_bias):
            what = "dense layers" if self.dense else "biases at points"
            raise InputError(f"a stack with {what} must have a side. Received: none")
        if self.pooled and not self.dense:
            raise InputError("a stack that pools points must have a dense layer. Received: none")
        if self.colours == 2 and (self.dense or self.passes):
            raise InputError("a policy for each colour must be without dense layers and pass. Received: others")
        if self.untied and not self.steps:
            raise InputError("a stack with untied steps must have steps. Received: none")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values; `from_dict` reads them back."""
        lists = {"layers": [list(layer) for layer in self.layers], "dense": list(self.dense)}
        return asdict(self) | lists | {"pooled": list(self.pooled)}

    @classmethod
    def from_dict(cls, values: object) -> "Stack":
        """Return the stack that `to_dict` wrote; raise InputError for anything else."""
        return cls(**fields_of(cls, values, "a stack"))


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
        _check_heads(self.heads)
        if (self.stack is not None) != (self.architecture == "stack"):
            found = "none" if self.stack is None else f"one for {self.architecture}"
            raise InputError(f"stack must hold the layers of the architecture stack alone. Received: {found}")
        if self.stack:
            self._check_stack(self.stack)

    def _check_stack(self, stack: Stack) -> None:
        """Raise InputError for layers that do not fit the other fields."""
        for name in ("board_pooling", "filters", "blocks"):
            if (value := getattr(self, name)) != getattr(NetworkConfig, name):
                raise InputError(f"{name} is not for a stack, which has its own layers. Received: {value}")
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


@dataclass(frozen=True)
class KataGoConfig:
    """The facts about a network of KataGo that its weights do not hold.

    Args:
        version: of the file that it was imported from.
        filters: channels of its trunk.
        blocks: of its trunk.
        strict_pass_alive: whether it reads areas as they are with suicide allowed, under all rules.

    Raises:
        InputError: a value of another type or out of range, or no such feature set.
    """

    version: int
    filters: int
    blocks: int
    strict_pass_alive: bool = False
    feature_set: ClassVar[str] = "katago7"
    heads: ClassVar[tuple[str, ...]] = (*USUAL_HEADS, "value")
    side: ClassVar[None] = None
    passes: ClassVar[bool] = True
    inputs: ClassVar[tuple[str, ...]] = ("planes", "globals")
    channels: ClassVar[int] = KATAGO_PLANES
    reads_chains: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check every field."""
        check_fields(self, dict.fromkeys(("version", "filters", "blocks"), (1, _MOST)))

    def to_dict(self) -> dict[str, Any]:
        """Return the architecture, the feature set and the fields as JSON values; `parse_config` reads them back."""
        return {"architecture": KATAGO, "feature_set": self.feature_set, **asdict(self)}


def parse_config(values: object) -> NetworkConfig | KataGoConfig:
    """Return the configuration that a `to_dict` wrote; raise as `NetworkConfig.from_dict` does."""
    if not isinstance(values, Mapping) or values.get("architecture") != KATAGO:
        return NetworkConfig.from_dict(values)
    if values.get("feature_set") != KataGoConfig.feature_set:
        raise InputError(
            f"feature_set must be {KataGoConfig.feature_set} for {KATAGO}. Received: {shown(values.get('feature_set'))}"
        )
    return KataGoConfig(*(values.get(field.name, field.default) for field in fields(KataGoConfig)))


def _check_heads(heads: tuple[str, ...]) -> None:
    if not heads or heads != tuple(head for head in HEADS if head in heads):
        raise InputError(f"heads must be some of {', '.join(HEADS)}. Received: {', '.join(heads) or 'none'}")
    for head in ("score", "margin"):
        if head in heads and "ownership" not in heads:
            raise InputError(f"heads with {head} must have ownership, its sum. Received: {', '.join(heads)}")
