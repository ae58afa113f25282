"""The one base class of every error that a user's input can cause."""


class InputError(ValueError):
    """Invalid input; the message names what was expected and what was received."""
