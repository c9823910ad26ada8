"""Standard input, where it cannot be read."""

import io
import sys

import pytest

from warden.base.errors import InputError
from warden.base.files.standard_input import keep_standard_input, read_standard_input


class _Broken(io.RawIOBase):
    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: object) -> int:
        raise OSError(5, "Input/output error")


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        (None, "standard input: it is closed: write a document to it, or name a file"),
        (
            io.TextIOWrapper(io.BufferedReader(_Broken())),
            "standard input: cannot be read (Input/output error): name a file",
        ),
    ],
)
def test_what_cannot_be_read(stdin: io.TextIOWrapper | None, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence with a way out."""
    monkeypatch.setattr(sys, "stdin", stdin)

    with pytest.raises(InputError) as raised:
        read_standard_input()
    assert said == str(raised.value)


def test_errors_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not the file in which it is kept, which is gone afterwards."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"text")))

    with pytest.raises(InputError, match=r"^standard input:1: text$"), keep_standard_input() as file:
        raise InputError(f"{file}:1: {file.read_text(encoding='utf-8')}")
    assert not file.exists()
