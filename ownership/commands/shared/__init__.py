"""Shared parts of commands: arguments, files, progress and pictures."""
