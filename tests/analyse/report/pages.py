"""What the pages of reports hold."""

from warden.analyse.report.embed import COLUMNS, unpack

__all__ = ["rows_in"]


def rows_in(page):
    """Return the findings that a page holds, one dict of `COLUMNS` for each."""
    data = unpack(page)
    texts = [*data["texts"], None]
    indices = zip(*(data["columns"][name] for name in COLUMNS), strict=True)
    return [{name: texts[index] for name, index in zip(COLUMNS, row, strict=True)} for row in indices]
