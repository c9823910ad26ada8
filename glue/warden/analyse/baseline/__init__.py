"""A baseline from the estate itself: the text of proposed settings."""

__all__: list[str] = []
