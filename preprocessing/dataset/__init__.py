"""Datasets of labelled games: Parquet shards, how they are made, and batches drawn from them."""
