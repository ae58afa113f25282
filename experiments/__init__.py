"""One-off measurements behind figures in the docs; each module's docstring begins with its command."""
