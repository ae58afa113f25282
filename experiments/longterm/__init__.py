"""What the experiments about long-term evaluation share: positions of records, and the agent."""
