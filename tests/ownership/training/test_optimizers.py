import importlib

import keras
import numpy as np
import pytest
from keras import ops

from ownership.training import optimizers
from ownership.training.optimizers import ConvolutionMuon, make_optimizer
from ownership.training.training_options import OPTIMIZERS, TrainingOptions


def test_muon_cannot_be_imported_if_keras_has_renamed_what_it_overrides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(keras.optimizers.Muon, "lr_adjust")
    with pytest.raises(ImportError, match=r"expected keras.optimizers.Muon.lr_adjust\. Received: keras "):
        importlib.reload(optimizers)


@pytest.mark.parametrize("shape", [(3, 3, 8, 16), (5, 5, 4, 8), (12, 6), (6, 12)])
def test_a_step_of_muon_is_an_orthogonal_matrix(shape: tuple[int, ...]) -> None:
    kernel = keras.Variable(np.zeros(shape, np.float32))
    gradient = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    ConvolutionMuon(learning_rate=0.01).apply([ops.convert_to_tensor(gradient)], [kernel])
    step = -np.asarray(kernel).reshape(-1, shape[-1])
    length = 0.01 * 0.2 * max(step.shape) ** 0.5
    stretched = np.linalg.svd(step, compute_uv=False) / length
    assert stretched.min() > 0.6
    assert stretched.max() < 1.3
    assert (step * gradient.reshape(step.shape)).sum() > 0


@pytest.mark.parametrize("shape", [(7,), (3, 3, 8, 1)])
def test_muon_takes_steps_of_adam_where_there_is_no_matrix(shape: tuple[int, ...]) -> None:
    kernels = [keras.Variable(np.ones(shape, np.float32)) for _ in range(2)]
    gradient = ops.convert_to_tensor(np.random.default_rng(0).normal(size=shape).astype(np.float32))
    for optimizer, kernel in zip((ConvolutionMuon(0.01), keras.optimizers.Adam(0.01)), kernels, strict=True):
        optimizer.apply([gradient], [kernel])
    np.testing.assert_allclose(np.asarray(kernels[0]), np.asarray(kernels[1]), rtol=1e-5)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_every_optimizer_descends(name: str) -> None:
    optimizer = make_optimizer(TrainingOptions(samples=1, optimizer=name))
    optimizer.learning_rate = 0.05
    weights = keras.Variable(np.eye(4, dtype=np.float32))
    for _ in range(50):
        optimizer.apply([ops.convert_to_tensor(2 * np.asarray(weights))], [weights])
    assert np.square(np.asarray(weights)).sum() < 3.9


def test_a_name_without_its_optimizer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimizers, "OPTIMIZERS", (*OPTIMIZERS, "lion"))
    with pytest.raises(NotImplementedError, match="lion"):
        make_optimizer(TrainingOptions(samples=1))
