"""A bounded memory."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ownership.inference.cache import LRUCache


def test_what_was_not_used_for_longest_is_forgotten() -> None:
    recall = LRUCache[str, int](3)
    recall.add({"a": 1, "b": 2, "c": 3})
    assert recall.find(["a", "x"]) == {"a": 1}
    recall.add({"b": 20, "d": 4})
    assert recall.find("abcd") == {"a": 1, "b": 20, "d": 4}


def test_more_than_it_holds_at_once_leaves_the_last() -> None:
    recall = LRUCache[int, int](2)
    recall.add({number: -number for number in range(10)})
    assert recall.find(range(10)) == {8: -8, 9: -9}


def test_none_is_kept_where_none_is_wanted() -> None:
    recall = LRUCache[str, int](0)
    recall.add({"a": 1})
    assert recall.find("a") == {}
    assert len(recall) == 0


def test_threads_share_it() -> None:
    recall = LRUCache[int, int](50)

    def use(seed: int) -> bool:
        random = np.random.default_rng(seed)
        for _ in range(300):
            keys = random.integers(0, 100, 5).tolist()
            if any(value != -key for key, value in recall.find(keys).items()):
                return False
            recall.add({key: -key for key in keys})
        return len(recall) <= 50

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(8)))
