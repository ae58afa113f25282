"""Where tests find example games, data files and, beside the checkout, large collections of real games."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
DATA = ROOT / "tests" / "data"
REAL_GAMES = ROOT.parent / "shared" / "games"
