"""What several commands share: their arguments, files, progress and pictures."""
