"""The layers of a `stack`, a network of plain convolutions and dense layers, as plain data."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from goban.coords import MAX_SIDE, MIN_SIDE
from goban.errors import BELOW_ONE, InputError, check_choice, check_fields, check_whole, fields_of, naming

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
