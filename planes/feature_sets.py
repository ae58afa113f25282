"""The named sets of feature planes that networks read, each a tuple of names of PLANES, channel by channel."""

import re
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError, cut
from planes.own_planes import own_plane, own_plane_names
from planes.plane_names import PLANES, RANKS, RECENT


@dataclass(frozen=True)
class FeatureSet:
    """A named, ordered choice of planes; `planes` are names of PLANES or of packages, channel by channel.

    Raises InputError.
    """

    name: str
    planes: tuple[str, ...]

    def __post_init__(self) -> None:
        unknown = [plane for plane in self.own if plane not in own_plane_names()] if self.own else []
        if unknown or len(set(self.planes)) != len(self.planes):
            raise InputError(
                f"feature set {self.name}: expected different planes of planes/plane_names.py or of packages. "
                f"Received: {cut(', '.join(unknown or self.planes))}"
            )

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The planes of installed packages."""
        return tuple(plane for plane in self.planes if plane not in PLANES)

    @property
    def history(self) -> int:
        """How many of the last moves the planes show."""
        if "older" in self.planes:
            return RECENT
        ages = [int(plane.removeprefix("recent_")) for plane in self.planes if plane.startswith("recent_")]
        return max(ages, default=0)


_STANDARD = (
    "own_1_liberty",
    "own_2_liberties",
    "own_3_liberties",
    "own_4_or_more_liberties",
    "other_1_liberty",
    "other_2_liberties",
    "other_3_liberties",
    "other_4_or_more_liberties",
    "ko",
    "ones",
    "recent_1",
    "recent_2",
    "recent_3",
    "recent_4",
    "recent_5",
    "empty_fraction",
    "own_area",
    "other_area",
    "own_pass_alive",
    "other_pass_alive",
)
_TACTICS = (
    "legal",
    "captures_1",
    "captures_2",
    "captures_3_or_more",
    "after_1_liberty",
    "after_2_liberties",
    "after_3_liberties",
    "after_4_or_more_liberties",
    "own_ladder",
    "other_ladder",
    "ladder_capture",
    "ladder_escape",
)


def _steps(name: str, last: int) -> tuple[str, ...]:
    """Return the planes of a count from 1 to `last`, of which the last also has what is above."""
    exact = (name.format(count) for count in range(1, last))
    return (*(plane if plane in PLANES else plane[:-3] + "y" for plane in exact), name.format(f"{last}_or_more"))


def _recent(moves: int) -> tuple[str, ...]:
    return tuple(f"recent_{age}" for age in range(1, moves + 1))


FEATURE_SETS = {
    each.name: each
    for each in (
        FeatureSet(
            "classic8",
            (
                "own_1_liberty",
                "own_2_liberties",
                "own_3_or_more_liberties",
                "other_1_liberty",
                "other_2_liberties",
                "other_3_or_more_liberties",
                "ko",
                "ones",
            ),
        ),
        FeatureSet("standard", _STANDARD),
        FeatureSet("tactical", _STANDARD + _TACTICS),
        FeatureSet("maddison9", ("black", "white", "empty", *_steps("liberties_{}", 4), "legal", "recent_1")),
        FeatureSet(
            "maddison36",
            (
                *("black", "white", "empty"),
                *_steps("liberties_{}", 4),
                *_steps("after_{}_liberties", 6),
                "legal",
                *_recent(5),
                *_steps("captures_{}", 7),
                "ladder_capture",
                *(f"rank_{dan}" for dan in range(1, RANKS + 1)),
            ),
        ),
        FeatureSet(
            "alphago48",
            (
                *("own", "other", "empty", "ones"),
                *(*_recent(7), "older"),
                *_steps("liberties_{}", 8),
                *_steps("captures_{}", 8),
                *_steps("self_atari_{}", 8),
                *_steps("after_{}_liberties", 8),
                *("ladder_capture", "ladder_escape", "sensible", "zeros"),
            ),
        ),
        FeatureSet("signed1", ("signed_stones",)),
        FeatureSet("omegago4", ("black", "white", "legal", "illegal")),
    )
}


@cache
def parse_feature_set(name: str) -> FeatureSet:
    """Return the feature set of that name; raise InputError when there is none.

    name: one of FEATURE_SETS, planes of which may be taken away or others added: "standard-ko+own_pass_alive".
    """
    base, *changes = re.split("([+-])", name)
    if base not in FEATURE_SETS:
        raise InputError(f"feature set must be one of {', '.join(FEATURE_SETS)}. Received: {cut(base)}")
    chosen = list(FEATURE_SETS[base].planes)
    for sign, plane in zip(changes[::2], changes[1::2], strict=True):
        if sign == "+":
            chosen.append(plane)
        elif plane in chosen:
            chosen.remove(plane)
        else:
            raise InputError(f"feature set {name}: expected a plane of {base} after '-'. Received: {cut(plane)}")
    return FeatureSet(name, tuple(chosen))


@cache
def channels(feature_set: FeatureSet) -> NDArray[np.int16]:
    """Return int16 (len(PLANES),): the channel of each plane in the set, -1 where it is absent; do not change it."""
    places = {plane: channel for channel, plane in enumerate(feature_set.planes)}
    return np.array([places.get(plane, -1) for plane in PLANES], np.int16)


def write_own_planes(
    feature_set: FeatureSet,
    planes: NDArray[np.float32],
    stones: NDArray[np.int8],
    to_move: NDArray[np.int8],
    ko: NDArray[np.int16],
) -> None:
    """Write the planes of packages into planes (B, N*N, C); the other arguments are those of `OwnPlane`."""
    for name in feature_set.own:
        channel = feature_set.planes.index(name)
        planes[:, :, channel] = own_plane(name, stones, to_move, ko).reshape(planes.shape[:2])
