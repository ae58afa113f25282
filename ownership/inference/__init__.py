"""A trained model at work: files, runtime, batches, symmetries, evaluator."""
