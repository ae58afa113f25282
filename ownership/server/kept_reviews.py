"""Positions of the reviews that ran last are kept, so that a review which was stopped can go on."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from threading import Lock

from ownership.review.searched_positions import ReviewedPosition
from ownership.server.request_limits import MOST_SEARCHED
from ownership.server.requests import ReviewRequest


class KeptReviews:
    """The first positions of reviews, of each as many as were searched.

    Args:
        most: positions of all reviews that are kept; the review that ran last is kept in any case.
    """

    def __init__(self, most: int = MOST_SEARCHED) -> None:
        self._most = most
        self._reviews: OrderedDict[Hashable, Sequence[ReviewedPosition]] = OrderedDict()
        self._lock = Lock()

    def get(self, asked: ReviewRequest) -> Sequence[ReviewedPosition]:
        """Return the positions that were searched with the same visits, of the same record on the same terms."""
        with self._lock:
            return self._reviews.get(_key(asked), ())

    def put(self, asked: ReviewRequest, positions: Sequence[ReviewedPosition]) -> None:
        """Keep positions, unless more of the same review are kept."""
        with self._lock:
            key = _key(asked)
            self._reviews[key] = max(self._reviews.get(key, ()), positions, key=len)
            self._reviews.move_to_end(key)
            while len(self._reviews) > 1 and sum(map(len, self._reviews.values())) > self._most:
                self._reviews.popitem(last=False)


def _key(asked: ReviewRequest) -> Hashable:
    return asked.record, asked.game.prisoners, asked.options, asked.visits
