"""The pages about the rules, made from what stands in and beside them: METADATA, settings and examples."""

from warden.pages.rules import write_pages

__all__ = ["write_pages"]
