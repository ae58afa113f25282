"""`python -m ownership.katago_protocol` is the `ownership-analysis` program, which an interrupt ends at any time."""

import sys
from typing import NoReturn

from runtime.signals import end_at_interrupts


def run_program() -> NoReturn:
    """Run the `ownership-analysis` program."""
    end_at_interrupts()
    from ownership.katago_protocol.analysis_engine import main

    sys.exit(main())


if __name__ == "__main__":
    run_program()
