"""``python -m tools.words``: refuse words that the glossary has dropped, in code, documents and messages.

One thing has one word (docs/explain/glossary.md). A dropped word that has to stand somewhere, as in a text of Kafka's,
has a row in ``EXCEPTIONS`` with its reason.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["DROPPED", "EXCEPTIONS", "dropped_words", "main"]

DROPPED = {
    "verdict": "decision",
    "judge": "evaluate",
    "judgement": "decision",
    "unjudged": "not evaluated",
    "door": "enforcement point",
    "asked": "a noun of the field: input, request, evaluated",
    "told": "a noun of the field: message, reported",
    "untold": "not reported",
    "gravest": "most severe",
    "alike": "equal",
    "suspect": "candidate",
}
"""Word → what to write in its place."""

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("glue/tools/words.py", ""): "the list itself",
    ("tests/tools/test_words.py", ""): "its test",
}
"""(beginning of a path, word or "" for all) → why the word may stand there."""

_FORMS = re.compile(
    r"(?<![a-z])(un)?(verdict|judg|door|asked|told|gravest|alike|suspect)(s|e|es|ed|ing|ement|ements|ments?)?(?![a-z])",
    re.IGNORECASE,
)
_ENDINGS = {".py", ".rego", ".md", ".yaml", ".yml", ".toml", ".j2", ".js", ".json", ".css", ".txt", ""}


def dropped_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line, counted from 1, and the text of each dropped word; parts of identifiers count as words."""
    for number, line in enumerate(text.splitlines(), 1):
        spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", line)
        for match in _FORMS.finditer(spaced):
            yield number, match[0]


def main() -> int:
    """Print each place, and return 1 where there is one."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - git of whoever runs this
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    count = 0
    for name in filter(None, listed.split("\0")):
        path = Path(name)
        if path.suffix not in _ENDINGS or name.endswith(".lock") or not path.is_file():
            continue
        for number, word in dropped_words(path.read_text(encoding="utf-8", errors="replace")):
            if not any(name.startswith(start) and only in ("", word.lower()) for start, only in EXCEPTIONS):
                print(f"{name}:{number}: {word}: the glossary has another word for this")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
