"""Properties read with their lines, exactly as Java reads them."""

import random
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.case_counts import sample_or_all
from warden.base.errors import InputError
from warden.base.files.properties import MalformedProperties, PropertyEntry, iter_properties, load_properties


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", []),
        ("a=b", [PropertyEntry("a", "b", 1)]),
        ("\n# a=b\n  ! c\n\t\fa = b ", [PropertyEntry("a", "b ", 4)]),
        (
            "a b=c\na:b\na\nb\\ c=d\\=e",
            [
                PropertyEntry("a", "b=c", 1),
                PropertyEntry("a", "b", 2),
                PropertyEntry("a", "", 3),
                PropertyEntry("b c", "d=e", 4),
            ],
        ),
        ("a=b,\\\n   c\r\nd=e\\\r\n", [PropertyEntry("a", "b,c", 1), PropertyEntry("d", "e", 3)]),
        ("a=b\\\\\nc=d", [PropertyEntry("a", "b\\", 1), PropertyEntry("c", "d", 2)]),
        ("a=b\\\n# c", [PropertyEntry("a", "b# c", 1)]),
        ("a=\\u00e9\\t\\q\\\n", [PropertyEntry("a", "é\tq", 1)]),
        ("a=C\\\\u0041", [PropertyEntry("a", "C\\u0041", 1)]),
        ("a=b\u2028c\x0bd\x0ce\x85f", [PropertyEntry("a", "b\u2028c\x0bd\x0ce\x85f", 1)]),
        ("a=\\ud83d\\ude00", [PropertyEntry("a", "😀", 1)]),
        ("a=1\na=2", [PropertyEntry("a", "1", 1), PropertyEntry("a", "2", 2)]),
    ],
)
def test_lines(text: str, entries: list[PropertyEntry]) -> None:
    """Comments, separators, escapes and joined lines; a property's line is where its key begins."""
    assert entries == list(iter_properties(text))


@pytest.mark.parametrize("text", ["a=1\nb=\\u12", "\na=\\uxyzw", "\n\\u="])
def test_malformed_escape(text: str) -> None:
    """What Java refuses, with its line."""
    with pytest.raises(MalformedProperties) as raised:
        list(iter_properties(text))

    assert 2 == raised.value.line


def test_files(tmp_path: Path) -> None:
    """In ISO 8859-1 where Kafka reads a stream, in UTF-8 where it has a reader; each end of line is Java's."""
    file = tmp_path / "a.properties"
    file.write_bytes(b"a=Z\xfcrich\r\nb=x\x85y\rc=\\\n  z\nb = 2")
    assert {"a": "Zürich", "b": "2", "c": "z"} == load_properties(file)

    with pytest.raises(InputError) as raised:
        load_properties(file, encoding="utf-8")
    assert f"{file}:1: not properties (it is not in UTF-8): save it in UTF-8" == str(raised.value)
    file.write_text("a=Zürich\u2028", encoding="utf-8")
    assert {"a": "Zürich\u2028"} == load_properties(file, encoding="utf-8")


@pytest.mark.kafka
@sample_or_all(300, 3000)
def test_as_java_reads_them(count: int, jvm: Any) -> None:
    """Texts made of everything that means something in a properties file, most of all a backslash at its ends."""
    from py4j.protocol import Py4JJavaError

    source = random.Random(1)
    pieces = [
        "a",
        "b",
        "=",
        ":",
        " ",
        "\t",
        "\f",
        "\n",
        "\n",
        "\r",
        "\r\n",
        "\\",
        "\\",
        "#",
        "!",
        "\\u0041",
        "\\u00",
        "\\t",
        "é",
        "\u2028",
        "\x0b",
        "\x85",
    ]
    texts = ["".join(source.choices(pieces, k=source.randint(1, 14))) for _ in range(count)]
    ends = ["\\", " \\", "\\\n", "\\\r\n", "\n\\\r", "\\\\", "\n\\\n#"]
    texts += [source.choice(ends) + text + source.choice(ends) for text in texts[: count * 2 // 3]]
    differing = []
    properties, reader = jvm.java.util.Properties, jvm.java.io.StringReader
    for text in texts:
        read = properties()
        try:
            read.load(reader(text))
            expected = {str(key): str(read.getProperty(key)) for key in read.stringPropertyNames()}
        except Py4JJavaError:
            expected = None
        try:
            found = {entry.key: entry.value for entry in iter_properties(text)}
        except MalformedProperties:
            found = None
        if expected != found:
            differing.append((text, expected, found))

    assert [] == differing
