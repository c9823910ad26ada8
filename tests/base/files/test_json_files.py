"""JSON that people hand in: one meaning or none, and each mistake with its line."""

import ast
import time
from pathlib import Path

import pytest

from warden.base.errors import InputError
from warden.base.files.json_files import parse_json, read_json
from warden.commands.topics.values import parse_partitions


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a": {"x": 1}, "b": {"x": 2}}', {"a": {"x": 1}, "b": {"x": 2}}),
        (b'[1e-999, -0, 1.5, "NaN", "a\\":{}[]"]', [0.0, 0, 1.5, "NaN", 'a":{}[]']),
        (b"1" * 300, int("1" * 300)),
        (b"[" * 100 + b"]" * 100, ast.literal_eval("[" * 100 + "]" * 100)),
        (b"[" * 100 + b"1" + b"]" * 100, ast.literal_eval("[" * 100 + "1" + "]" * 100)),
    ],
)
def test_values(text: bytes, value: object) -> None:
    """JSON is read."""
    assert value == parse_json(text, "f", "a decision input")


_DEEP = "lists and objects stand more than 100 deep in each other: write less deeply"
_NUMBER = "is not a number that all readers share: write a smaller one, or a string"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b'{"a": 1,\n\n"a": 2}', '3: the key "a" is there already, in line 1: keep one of the two'),
        (b'{"a": 1, "\\u0061": 2}', '1: the key "\\u0061" is there already, in line 1: keep one of the two'),
        (
            b'{"a": [{"a": "{"},\n{"\\"b\\\\": 1, "c": {"a": 1}, "\\"b\\\\" : 2}]}',
            '2: the key "\\"b\\\\" is there already, in line 2: keep one of the two',
        ),
        (b"[" * 100000, f"1: {_DEEP}"),
        (b'{"a":\n' * 101 + b"1" + b"}" * 101, f"101: {_DEEP}"),
        (b"[" * 101 + b"]" * 101, f"1: {_DEEP}"),
        (b'["NaN", 1,\nNaN]', f"2: NaN {_NUMBER}"),
        (b"[-Infinity]", f"1: -Infinity {_NUMBER}"),
        (b"[1.5,\n1e999]", f"2: 1e999 {_NUMBER}"),
        (b"1" * 10000, f"1: {'1' * 40}… {_NUMBER}"),
        (b"\xef\xbb\xbf{}", "1: it begins with a byte order mark: save a decision input as UTF-8 without one"),
        (b'{\n"\xfc": 1}', "2: not JSON (it is not in UTF-8): save a decision input in UTF-8"),
        (b"", "1: not JSON (Expecting value, column 1): write a decision input as JSON"),
        (b'{}\n{"a": NaN}', "2: not JSON (Extra data, column 1): write a decision input as JSON"),
    ],
    ids=lambda value: str(value[:12]),
)
def test_what_is_wrong(text: bytes, sentence: str) -> None:
    """Reported with its line."""
    with pytest.raises(InputError) as raised:
        parse_json(text, "f", "a decision input")

    assert f"f:{sentence}" == str(raised.value)


def _measure_refusal(tokens: int) -> float:
    """Seconds of this thread, the fewest of some trials."""
    text, seconds = b'{"x":[' + b"1\n," * tokens + b'1],"a":1,"a":2}', []
    for _ in range(3):
        began = time.thread_time()
        with pytest.raises(InputError, match=f':{tokens + 1}: the key "a" is there already'):
            parse_json(text, "f", "a decision input")
        seconds.append(time.thread_time() - began)
    return min(seconds)


def test_a_long_text_is_refused_in_a_time_of_its_length() -> None:
    """However many tokens stand before the mistake."""
    assert _measure_refusal(133_000) < 8 * _measure_refusal(33_000)


def test_no_file(tmp_path: Path) -> None:
    """A file that cannot be read is named."""
    with pytest.raises(InputError) as raised:
        read_json(tmp_path / "none.json", "a decision input")

    said = f"{tmp_path}/none.json: cannot be read (No such file or directory): name a file with a decision input"
    assert said == str(raised.value)


def test_files_of_partitions(tmp_path: Path) -> None:
    """What `warden topics` reads as Kafka's own tools do is read as strictly."""
    file = tmp_path / "reassignment.json"
    file.write_text('{"version": 1,\n"version": 1}', encoding="utf-8")

    with pytest.raises(InputError, match=r':2: the key "version" is there already, in line 1: keep one of the two'):
        parse_partitions(file, "replicas")
