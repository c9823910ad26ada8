"""What a person sees of a run: the summary, the terminal, the page."""

__all__: list[str] = []
