"""The one base class of every error that a user's input can cause."""


class InputError(ValueError):
    """Something given cannot be used; the message says what was expected and what was received."""
