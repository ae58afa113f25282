"""An evaluator of your own network; with PyTorch, `forward` is your module and `planes` a tensor."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ownership import Prediction


class Influence:
    """A small network in NumPy: the influence of stones, spread by convolutions."""

    def __init__(self):  # self.network = MyNetwork(); self.network.load_state_dict(torch.load("my.pt"))
        self.kernel = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16

    def forward(self, planes):  # (B, 2, N, N) -> ownership and policy of the side to move
        stones = values = 3.0 * (planes[:, 0] - planes[:, 1])
        for _ in range(6):
            padded = np.pad(values, ((0, 0), (1, 1), (1, 1)), mode="edge")
            values = stones + np.einsum("bijkl,kl->bij", sliding_window_view(padded, (3, 3), (1, 2)), self.kernel)
        logits = np.pad(-abs(values).reshape(len(values), -1), ((0, 0), (0, 1)), constant_values=-9)
        return np.tanh(values), np.exp(logits)

    def evaluate(self, positions, *, terms):
        planes = np.stack([[each.stones == each.to_move, each.stones == -each.to_move] for each in positions])
        ownership, policy = self.forward(planes.astype(np.float32))  # torch.from_numpy(planes), then .numpy()
        black = ownership * np.array([each.to_move for each in positions])[:, None, None]  # Prediction is Black's
        return [Prediction(ownership=own, policy=moves) for own, moves in zip(black, policy, strict=True)]
