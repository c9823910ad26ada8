"""Lines of snapshots as bytes: what is text, what is an object, and where something stands."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.state.snapshot.damage import DAMAGE, GOOD
from warden.base.errors import InputError
from warden.state.snapshot.lines import decode_line, find_lines, is_plain, iter_lines, parse_line

ROWS = st.lists(st.dictionaries(st.sampled_from(["topic", "a"]), st.none() | st.text() | st.integers()), min_size=1)


@given(ROWS, st.data())
def test_lines_are_found_where_they_are(tmp_path_factory, rows, data):
    """Whatever damage is among them: each line is found by its text or its name, by the number that it was given."""
    lines = [json.dumps(row).encode() for row in rows]
    for damage in data.draw(st.lists(st.sampled_from(sorted(DAMAGE.values())), max_size=3)):
        lines.insert(data.draw(st.integers(0, len(lines))), damage)
    content = b"\n".join(lines)
    expected: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        try:
            name = parse_line(line).get("topic")
            key = "" if name is None else str(name)
        except ValueError:
            key = decode_line(line)
        expected.setdefault(key, []).append(number)
    texts = {decode_line(line) for line in lines} - {json.dumps(row) for row in rows}

    assert list(enumerate(lines, 1)) == list(iter_lines(content))
    found = find_lines(content, texts, {str(row.get("topic") or "") for row in rows} | {str(0)})
    assert expected == found


@pytest.mark.parametrize("name", sorted(DAMAGE))
def test_damage_is_an_error_with_its_line(name):
    """No line that is damaged is read as if it were not."""
    numbers = dict(iter_lines(GOOD + b"\n" + DAMAGE[name]))

    with pytest.raises(ValueError, match=r"."):
        parse_line(numbers[2])


@pytest.mark.parametrize("size", [0, 1 << 20])
@pytest.mark.parametrize("name", sorted(DAMAGE.keys() - {"cut off"}))
def test_what_has_to_be_read_strictly(tmp_path, name, size):
    """Wherever in the file it stands, and over the end of a block that is read at once."""
    path = tmp_path / "part-0.jsonl"
    filler = b'{"topic":"%b"}\n' % (b"a" * (size - 20)) if size else b""
    path.write_bytes(filler + DAMAGE[name] + b"\n" + GOOD + b"\n")

    assert not is_plain(path)


def test_what_is_plain(tmp_path):
    """UTF-8 of any length, compact as spaced; a file that is gone is an error."""
    path = tmp_path / "part-0.jsonl"
    row = {"topic": " é€𝄞" * 300, "configs": {"a": "b"}, "reassigning": {"0": {"adding": [1]}}, "internal": False}
    for separators in ((",", ":"), None):
        path.write_text("\n".join([json.dumps(row, ensure_ascii=False, separators=separators)] * 1000))
        assert is_plain(path)

    path.write_bytes(b"")
    assert is_plain(path)
    with pytest.raises(InputError, match="cannot be read"):
        is_plain(tmp_path / "none")
