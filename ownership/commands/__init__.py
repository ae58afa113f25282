"""The subcommands of the `ownership` program, one module each."""
