"""What is written of a document: no secret that OPA's log would hide, and all else as it is."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.policy.opa.seeded import INNOCENT, SEEDED
from warden.base.files.redact import STARS, TABLE, build_secret_pattern, redact, redact_text
from warden.base.resources import read_shipped

PATTERNS = json.loads(read_shipped(*TABLE))
LETTERS = "aKk\u212asS\u017fIi\u0131\u0130-.\u00e9"  # with all that Python takes for k, s and i in another case


@pytest.mark.parametrize(("secret", "document"), SEEDED)
def test_seeded_secrets(secret, document):
    """Hidden wherever the document stands, and in its text where that is broken off after the secret."""
    for whole in (document, {"items": [{"request": document}]}):
        assert secret not in json.dumps(redact(whole))
        assert secret not in redact_text(json.dumps(whole))


def test_innocent_documents():
    """Shown as they are, to the letter."""
    assert INNOCENT == redact(INNOCENT)
    assert [json.dumps(one) for one in INNOCENT] == [redact_text(json.dumps(one)) for one in INNOCENT]


def test_text_that_is_no_json():
    """Hidden whole where it holds a secret, shown where it does not."""
    assert ["***", '{"configs": {"retention.ms": "1'] == [
        redact_text(text) for text in ('{"configs": {"db.password": "s3cr', '{"configs": {"retention.ms": "1')
    ]


@pytest.mark.parametrize("depth", [700, 90_000])
def test_text_that_is_nested_too_deeply(depth: int) -> None:
    """Hidden whole, as nobody can look through it: neither Python's reader nor what walks through what is read."""
    assert STARS == redact_text("[" * depth + "]" * depth)


@settings(max_examples=400, deadline=None, database=None, derandomize=True)
@given(st.lists(st.sampled_from([*LETTERS, "secret", "ToKen", "\u017fecret", "to\u212aen"])))
def test_words_are_found_as_their_pattern_finds_them(pieces: list[str]) -> None:
    """Small or large, of ASCII or not: Spark tries the pattern in Java, and Python looks for word after word."""
    text = "[" + "".join(pieces)  # broken off, so that it is not JSON
    assert (STARS if re.search(build_secret_pattern(), text) else text) == redact_text(text)


@pytest.mark.parametrize("character", ["_", "1", "-", "a-", " ", "--a"])
def test_long_texts_take_no_time_to_speak_of(character):
    """A pattern that Go tries once is tried by Python from everywhere: with these it would take hours."""
    whole = json.dumps({"a": "password" + character * 100_000})
    assert [{"a": "***"}, "***"] == [json.loads(redact_text(whole)), redact_text(whole[:-2])]
    assert character * 100_000 == redact(character * 100_000)


@pytest.mark.parametrize(
    ("kind", "form"), [(kind, form) for kind in ("names", "texts", "options") for form in PATTERNS[kind]]
)
def test_no_secret_is_without_a_word(kind: str, form: str) -> None:
    """What a form matches has one of the words that are looked for first, or it would never be tried."""
    # As Go reads it: ASCII, and $ is the end. Case is looked over by the words.
    pattern = re.compile("(?ia)" + form.removeprefix("(?i)").replace("(?-i:", "(?:").replace("$", r"\Z"))

    @settings(max_examples=100, deadline=None, database=None, derandomize=True)
    @given(st.from_regex(pattern))
    def check(text: str) -> None:
        document = {"names": {text: "x"}, "texts": {"a": text}, "options": [text, "x"]}[kind]
        written = json.dumps(document, ensure_ascii=False, separators=(",", ":")).lower()
        assert any(word in written for word in PATTERNS["words"][kind])

    check()
