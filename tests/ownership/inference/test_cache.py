"""The LRU cache."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ownership.inference.cache import LRUCache


def test_drops_what_was_used_longest_ago() -> None:
    cache = LRUCache[str, int](3)
    cache.add({"a": 1, "b": 2, "c": 3})
    assert cache.find(["a", "x"]) == {"a": 1}
    cache.add({"b": 20, "d": 4})
    assert cache.find("abcd") == {"a": 1, "b": 20, "d": 4}


def test_keeps_the_last_of_more_than_it_holds() -> None:
    cache = LRUCache[int, int](2)
    cache.add({number: -number for number in range(10)})
    assert cache.find(range(10)) == {8: -8, 9: -9}


def test_a_size_of_0_keeps_none() -> None:
    cache = LRUCache[str, int](0)
    cache.add({"a": 1})
    assert cache.find("a") == {}
    assert len(cache) == 0


def test_threads_share_it() -> None:
    cache = LRUCache[int, int](50)

    def use(seed: int) -> bool:
        random = np.random.default_rng(seed)
        for _ in range(300):
            keys = random.integers(0, 100, 5).tolist()
            if any(value != -key for key, value in cache.find(keys).items()):
                return False
            cache.add({key: -key for key in keys})
        return len(cache) <= 50

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(8)))
