"""``python -m tools.lint.words``: refuse words that the glossary has dropped, in code, documents and messages.

One thing has one word (docs/explain/glossary.md). A dropped word that has to stand somewhere, as in a text of Kafka's,
has a row in ``EXCEPTIONS`` with its reason.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["DROPPED", "EXCEPTIONS", "PLACED", "iter_dropped_words", "main"]

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
    "commons": "shared input",
    "dead letter": "not evaluated",
    "optimistic": "pending",
    "shadow": "overlay",
    "basis": "policy version",
}
"""Word → what to write in its place."""

PLACED = {
    "copy": ("replica", r"glue/warden/(state/)?(sources|replicate)/|docs/operate/replicator"),
    "mirror": ("replica", r"glue/warden/(state/)?(sources|replicate)/|docs/operate/replicator"),
    "outcome": ("decision", r"(glue|spark_jobs)/(?!.*upgrade)"),
}
"""Word that means something else elsewhere → (what to write in its place, where it may not stand)."""

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("glue/tools/lint/words.py", ""): "the list itself",
    ("tests/tools/lint/test_words.py", ""): "its test",
    ("docs/explain/glossary.md", ""): "its column of what not to write",
    ("LICENSE", "basis"): "the licence's own words",
}
"""(beginning of a path, word or "" for all) → why the word may stand there."""

_FORMS = re.compile(
    r"(?<![a-z])(un)?(verdict|judg|door|asked|told|gravest|alike|suspect|commons(?![:-])|dead letter|optimistic|shadow"
    r"|basis)(s|e|es|ed|ing|ement|ements|ments?)?(?![a-z])",
    re.IGNORECASE,
)
_PLACED_FORMS = {  # not the module `copy`, nor a method of that name
    "copy": re.compile(r"(?<![\w.])(?<!import )cop(y|ies)(?!\w|\(|\.\w)", re.IGNORECASE),
    "mirror": re.compile(r"(?<![a-z])mirror(s|ed|ing)?(?![a-z])", re.IGNORECASE),
    "outcome": re.compile(r"(?<![a-z])outcomes?(?![a-z])", re.IGNORECASE),
}
_ENDINGS = {".py", ".rego", ".md", ".yaml", ".yml", ".toml", ".j2", ".js", ".json", ".css", ".txt", ""}


def iter_dropped_words(text: str, path: str = "") -> Iterator[tuple[int, str]]:
    """Yield the line, counted from 1, and the text of each dropped word; parts of identifiers count as words."""
    forms = [_FORMS, *(_PLACED_FORMS[word] for word, (_, where) in PLACED.items() if re.match(where, path))]
    for number, line in enumerate(text.splitlines(), 1):
        spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", line)
        for form in forms:
            for match in form.finditer(spaced):
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
        for number, word in iter_dropped_words(path.read_text(encoding="utf-8", errors="replace"), name):
            if not any(name.startswith(start) and only in ("", word.lower()) for start, only in EXCEPTIONS):
                print(f"{name}:{number}: {word}: the glossary has another word for this")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
