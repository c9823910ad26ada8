"""Settings that fit an estate as it is, proposed from scans of it: their text."""

__all__: list[str] = []
