"""The arguments of all benchmarks."""

import argparse

from runtime.command_line import exit_with as exit_with


def parser_of(module: str, doc: str | None) -> argparse.ArgumentParser:
    """Return a parser for a module, whose description is the module's docstring without the first line, its usage."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.description = (doc or "").partition("\n\n")[2].strip()
    return parser
