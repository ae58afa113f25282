"""What is stored of a network of KataGo beside its weights, as plain data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Final

from goban.errors import InputError, check_fields, shown
from ownership.inference.network_config import USUAL_HEADS
from planes.katago_inputs import KATAGO_PLANES

KATAGO: Final = "katago"
_MOST: Final = 1 << 14  # of any figure of an imported network


@dataclass(frozen=True)
class KataGoConfig:
    """What a network of KataGo is, as far as it is not in its weights.

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
        """Return the architecture, the feature set and the fields as JSON values; `from_dict` reads them back."""
        return {"architecture": KATAGO, "feature_set": self.feature_set, **asdict(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "KataGoConfig":
        """Return the configuration that `to_dict` wrote; raise InputError for another one."""
        if values.get("feature_set") != cls.feature_set:
            given = shown(values.get("feature_set"))
            raise InputError(f"feature_set must be {cls.feature_set} for {KATAGO}. Received: {given}")
        return cls(*(values.get(field.name, field.default) for field in fields(cls)))
