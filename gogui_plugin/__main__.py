"""`python -m gogui_plugin` is the `ownership-gtp` program, which an interrupt ends at any time."""

import sys
from typing import NoReturn

from runtime.signals import end_at_interrupts


def run_program() -> NoReturn:
    """Run the `ownership-gtp` program."""
    end_at_interrupts()
    from gogui_plugin.gtp_program import main

    sys.exit(main())


if __name__ == "__main__":
    run_program()
