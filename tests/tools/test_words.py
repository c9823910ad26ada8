"""Words that the glossary has dropped are found in text and in identifiers, and nowhere in this checkout."""

import pytest

from tests.fixtures.checkout import CHECKOUT
from tools.words import DROPPED, EXCEPTIONS, dropped_words, main


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a decision about a topic", []),
        ("the Verdict of\nOPA's judges", [(1, "Verdict"), (2, "judges")]),
        ("unjudged_rows = askedAbout(told)", [(1, "unjudged"), (1, "asked"), (1, "told")]),
        ("indoor plants, masked secrets, stolen gold", []),
    ],
)
def test_dropped_words(text: str, words: list[tuple[int, str]]) -> None:
    """Forms of a word and parts of an identifier count, parts of other words do not."""
    assert words == list(dropped_words(text))


def test_every_dropped_word_is_found() -> None:
    """The table of words and the pattern agree."""
    assert [word for word in DROPPED if not list(dropped_words(word))] == []


def test_exceptions_are_there_and_have_reasons() -> None:
    """An exception for a file that is gone is an exception too many."""
    assert [path for path, _ in EXCEPTIONS if not (CHECKOUT / path).exists()] == []
    assert all(EXCEPTIONS.values())


def test_the_checkout_is_clean(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As `make lint` runs it."""
    monkeypatch.chdir(CHECKOUT)

    assert (0, "") == (main(), capsys.readouterr().out)
