"""Monte-Carlo tree search: its options, the tree in flat arrays, kernels on it, workers, and what they found."""
