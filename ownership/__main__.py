"""`python -m ownership` is the `ownership` program."""

from ownership.cli import run_program

if __name__ == "__main__":
    run_program()
