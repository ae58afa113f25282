"""What pages show in their code blocks."""

from collections.abc import Iterator


def code(page: str) -> Iterator[str]:
    """Yield the lines of code blocks, fenced or indented, that show no Python."""
    language: str | None = None
    for line in page.splitlines():
        if line.startswith("```"):
            language = line[3:] if language is None else None
        elif language in ("", "sh") or (language is None and line.startswith("    ")):
            yield line.strip()
