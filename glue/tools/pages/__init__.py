"""Pages about rules and profiles, made from METADATA, settings and examples: ``python -m tools.pages``."""

__all__: list[str] = []
