"""Words that the glossary has dropped are found in text and in identifiers, and nowhere in this checkout."""

import pytest

from tests.fixtures.checkout import CHECKOUT
from tools.lint.words import DROPPED, EXCEPTIONS, PLACED, iter_dropped_words, main


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a decision about a topic", []),
        ("the Verdict of\nOPA's judges", [(1, "Verdict"), (2, "judges")]),
        ("unjudged_rows = askedAbout(told)", [(1, "unjudged"), (1, "asked"), (1, "told")]),
        ("indoor plants, masked secrets, stolen gold", []),
        ("dead letters in _commons, org.apache.commons:commons-lang3", [(1, "dead letters"), (1, "commons")]),
    ],
)
def test_dropped_words(text: str, words: list[tuple[int, str]]) -> None:
    """Forms of a word and parts of an identifier count, parts of other words do not."""
    assert words == list(iter_dropped_words(text))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("glue/warden/state/sources/source.py", [(2, "copy"), (2, "outcome")]),
        ("glue/warden/state/replicate/writer.py", [(2, "copy"), (2, "outcome")]),
        ("glue/warden/enforce/gateway/wire/frames.py", [(2, "outcome")]),
        ("glue/warden/analyse/upgrade/text.py", []),
        ("policies/kafka/model/topics/tiering.rego", []),
    ],
)
def test_words_that_mean_something_else_elsewhere(path: str, words: list[tuple[int, str]]) -> None:
    """A copy of bytes is one, and Python's module too; of a cluster's state it is the replica."""
    assert words == list(iter_dropped_words("import copy\ncopy.copy(x)  # the copy's outcome", path))


def test_every_word_has_a_pattern() -> None:
    """The table of words with a place and the patterns agree."""
    where = "glue/warden/state/sources/source.py"

    assert [[(1, word)] for word in PLACED] == [list(iter_dropped_words(word, where)) for word in PLACED]


def test_every_dropped_word_is_found() -> None:
    """The table of words and the pattern agree."""
    assert [word for word in DROPPED if not list(iter_dropped_words(word))] == []


def test_exceptions_are_there_and_have_reasons() -> None:
    """An exception for a file that is gone is an exception too many."""
    assert [path for path, _ in EXCEPTIONS if not (CHECKOUT / path).exists()] == []
    assert all(EXCEPTIONS.values())


@pytest.mark.process
def test_the_checkout_is_clean(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As `make lint` runs it."""
    monkeypatch.chdir(CHECKOUT)

    assert (0, "") == (main(), capsys.readouterr().out)
