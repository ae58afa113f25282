"""SGF texts to be drawn."""

from hypothesis import strategies as st

_values = st.lists(st.sampled_from([b"a", b"\\]", b"\\\\", b"(", b")", b";", b"(;GM[", b"\n"]), max_size=6)
_properties = st.tuples(st.sampled_from([b"C", b"N", b"AW"]), _values.map(lambda v: b"[" + b"".join(v) + b"]"))
_nodes = st.lists(_properties.map(b"".join), max_size=3).map(lambda p: b";" + b" ".join(p))
_sequences = st.lists(_nodes, min_size=1, max_size=3).map(b"\n".join)
trees = st.recursive(
    _sequences.map(lambda s: b"(" + s + b")"),
    lambda inner: st.tuples(_sequences, st.lists(inner, max_size=3)).map(lambda t: b"(" + t[0] + b"".join(t[1]) + b")"),
    max_leaves=6,
)
