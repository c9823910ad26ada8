"""Pages about rules and profiles, made from METADATA, settings, examples and schemas: ``python -m tools.pages``."""

__all__: list[str] = []
