"""`python -m ownership` is the `ownership` program, whose imports may be interrupted."""

from typing import NoReturn

from runtime.signals import end_at_interrupts


def run_program() -> NoReturn:
    """Be the `ownership` program."""
    end_at_interrupts()
    from ownership import cli

    cli.run_program()


if __name__ == "__main__":
    run_program()
