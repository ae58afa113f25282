"""One-off measurements behind figures in the docs; each module names its command."""
