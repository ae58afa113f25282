"""`python -m ownership` is the `ownership` program."""

import sys

from ownership.cli import main

sys.exit(main())
