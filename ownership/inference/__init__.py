"""A trained model at work: files, requests, batches, evaluator."""
