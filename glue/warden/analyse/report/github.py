"""GitHub's workflow commands, which mark the lines of a pull request."""

__all__ = ["format_annotation"]


def format_annotation(level: str, file: str, line: int | None, title: str, message: str) -> str:
    """Return one of GitHub's workflow commands, with whatever stands in a file's name or a message escaped.

    Args:
        level: ``error``, ``warning`` or ``notice``.
        file, line: What is marked; the file as a whole where the line is None.
        title, message: What is shown there.
    """
    where = "" if line is None else f",line={line}"
    return f"::{level} file={_escape_property(file)}{where},title={_escape_property(title)}::{_escape_data(message)}"


def _escape_data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: str) -> str:
    return _escape_data(value).replace(":", "%3A").replace(",", "%2C")
