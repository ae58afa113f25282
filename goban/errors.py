"""The one base class of every error that a user's input can cause."""


class InputError(ValueError):
    """Something given to the program cannot be used; the message says what was expected and what was found."""
