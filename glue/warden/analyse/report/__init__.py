"""Reports of a scan: the summary, the terminal, the page, and formats for other programs."""

__all__: list[str] = []
