"""Files as maps of text with lines, and the sentence when they are not."""

from pathlib import Path

import pytest

from warden.analyse.check.readers.config_documents import ConfigDocument, read_document
from warden.base.errors import InputError


def test_properties_are_read_as_java_reads_a_stream(tmp_path: Path) -> None:
    """In ISO 8859-1; the last of equal keys counts, with its line."""
    file = tmp_path / "server.properties"
    file.write_bytes(b"a=\xe9\na=2\n\nb = c")

    assert ConfigDocument(file, {"a": "2", "b": "c"}, {"a": 2, "b": 4}) == read_document(file.read_bytes(), file)


@pytest.mark.parametrize(
    "text",
    [
        (
            '{\n  "name": "x",\n\t"config": {\n    "a\\"": "1",\n    "n": 7, "t": true,\n    "z": null\n  },\n'
            '  "tags": [{"config": 1}]\n}'
        ),
        '{\n\n\n    "a\\"": "1",\n    "n": 7, "t": true,\n    "z": null}',
    ],
)
def test_json_of_connect(tmp_path: Path, text: str) -> None:
    """With the wrapping that Connect's REST API takes and without; numbers and booleans are text to Connect."""
    file = tmp_path / "sink.json"
    file.write_text(text, encoding="utf-8")

    configs = {'a"': "1", "n": "7", "t": "true", "z": None}
    assert ConfigDocument(file, configs, {'a"': 4, "n": 5, "t": 5, "z": 6}) == read_document(file.read_bytes(), file)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        (
            "a.properties",
            b"a=1\nb=\\u00",
            ":2: not properties (an escape \\u lacks its four hexadecimal digits): write them, or double the backslash",
        ),
        (
            "a.conf",
            b"<a/>",
            ":1: not properties, it begins as XML: write properties, or JSON",
        ),
        (
            "a.yaml",
            b"---\n",
            ":1: not properties, it begins as YAML: write properties, or JSON",
        ),
        (
            "a.json",
            b'{"a": 1,\n}',
            ":2: not JSON (Illegal trailing comma before end of object, column 1): write a configuration as JSON",
        ),
        ("a.json", b'{"a":\n"\xff"}', ":2: not JSON (it is not in UTF-8): save a configuration in UTF-8"),
        ("a.json", b'{"a": "1",\n"a": "2"}', ':2: the key "a" is there already, in line 1: keep one of the two'),
        (
            "a.json",
            b"[" * 100000,
            ":1: lists and objects stand more than 100 deep in each other: write less deeply",
        ),
        ("a.json", b"[]", ":1: not an object: write {name: value}, or Connect's {name, config}"),
        (
            "a.json",
            b'{"x": "",\n "topics": ["a"]}',
            ":2: topics is a list: write a string, as Connect takes no other value",
        ),
        ("a.json", b'{"topics": {}}', ":1: topics is an object: write a string, as Connect takes no other value"),
    ],
)
def test_what_is_no_configuration(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    """Each error names the file and the line."""
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_document(content, file)

    # Python 3.13 has a sentence of its own for a trailing comma.
    said = str(raised.value).replace(
        "Expecting property name enclosed in double quotes", "Illegal trailing comma before end of object"
    )
    assert f"{file}{sentence}" == said
