"""From game records to training examples."""
