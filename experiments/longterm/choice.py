"""Who plays the continuations, as options of experiments name it: the policy, or an agent."""

import argparse
from pathlib import Path

from ownership.search.longterm import Choose


def add_agent_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `--agent` and `--untrained`."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--agent", type=Path, metavar="FILE", help="plays the continuations instead of the policy")
    group.add_argument("--untrained", action="store_true", help="an agent with fresh weights plays them")


def chosen_agent(arguments: argparse.Namespace) -> Choose | None:
    """Return the choice of moves of the agent, None for the policy; raise InputError if the file holds no agent."""
    if not arguments.agent and not arguments.untrained:
        return None
    from experiments.longterm.agent import AgentChoice, load_agent, new_agent

    return AgentChoice(load_agent(arguments.agent) if arguments.agent else new_agent(0))
