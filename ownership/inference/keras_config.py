"""What is stored of a network of Keras that was built elsewhere beside its weights, as plain data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from goban.coords import MAX_SIDE, MIN_SIDE
from goban.errors import check_fields, fields_of
from ownership.inference.network_config import check_heads
from planes.feature_sets import parse_feature_set

KERAS: Final = "keras"


@dataclass(frozen=True)
class KerasConfig:
    """What a network of Keras reads and answers.

    Args:
        feature_set: name of the planes that it reads, as `parse_feature_set` understands it.
        heads: what it answers, of `network_config.HEADS` in that order.
        side: the only board side that it knows; None for any.
        passes: whether its policy has an output for the pass.
        reads_chains: whether it has a second input, the chain ids.

    Raises:
        InputError: a value of another type or out of range, or no such feature set.
    """

    feature_set: str
    heads: tuple[str, ...]
    side: int | None = None
    passes: bool = True
    reads_chains: bool = False

    def __post_init__(self) -> None:
        """Check every field."""
        check_fields(self, {"side": (MIN_SIDE, MAX_SIDE)})
        parse_feature_set(self.feature_set)
        check_heads(self.heads)

    @property
    def channels(self) -> int:
        """The number of input planes."""
        return len(parse_feature_set(self.feature_set).planes)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the network's inputs."""
        return ("planes", "chains") if self.reads_chains else ("planes",)

    def to_dict(self) -> dict[str, Any]:
        """Return the architecture and the fields as JSON values; `from_dict` reads them back."""
        return {"architecture": KERAS, **asdict(self), "heads": list(self.heads)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "KerasConfig":
        """Return the configuration that `to_dict` wrote; raise InputError for another one."""
        given = {name: value for name, value in values.items() if name != "architecture"}
        return cls(**fields_of(cls, given, "a network configuration"))
