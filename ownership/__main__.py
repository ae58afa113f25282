"""`python -m ownership` is the `ownership` program."""

import sys

from ownership.cli import main

if __name__ == "__main__":
    sys.exit(main())
