"""Numbers with their nouns, as messages show them."""


def plural(number: float, noun: str) -> str:
    """Return a number and its noun in the singular or plural: "1 game", "0.5 points", "1,234 games"."""
    shown = f"{number:,}" if number % 1 else f"{int(number):,}"
    return f"{shown} {noun}" if number == 1 else f"{shown} {noun}s"
