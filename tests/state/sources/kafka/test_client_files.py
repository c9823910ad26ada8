"""What applications' own properties files say, by user and client-id."""

from pathlib import Path

import pytest

from warden.base.errors import InputError
from warden.state.sources.kafka.client_configs.client_files import read_client_files


def _write(directory: Path, **files: str) -> Path:
    """Files by their place, with two underscores for each slash."""
    for name, text in files.items():
        path = directory / f"{name.replace('__', '/')}.properties"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("iso-8859-1"))
    return directory


def test_files_by_user_and_client(tmp_path: Path) -> None:
    """As Java reads properties, without passwords; a file in a user's own directory is of clients without an id."""
    _write(
        tmp_path,
        alice__ledger__consumer="# how it reads\ngroup.id = ledger\nclient.id=ledger\nfetch.max.wait.ms:0\n",
        alice__ledger__producer="compression.type=gzip\ncompression.type=zstd\nnote=caf\\u00e9\\\n  \xe9\n",
        alice__producer="acks 1\nclient.id=\nssl.key.password=s3cret\n"
        "sasl.jaas.config=org.x.PlainLoginModule required password=s3cret;\n",
        bob__consumer="",
        bob__ledger__admin="request.timeout.ms=1\n",
        **{"..data__consumer": "\\u00"},
    )
    (tmp_path / "README.md").write_text("not = read")

    assert read_client_files(tmp_path) == {
        "alice": {
            "": {
                "producer": {
                    "acks": "1",
                    "client.id": "",
                    "ssl.key.password": "[hidden]",
                    "sasl.jaas.config": "[hidden]",
                }
            },
            "ledger": {
                "consumer": {"group.id": "ledger", "client.id": "ledger", "fetch.max.wait.ms": "0"},
                "producer": {"compression.type": "zstd", "note": "caféé"},
            },
        },
        "bob": {"": {"consumer": {}}},
    }


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        (
            {"alice__ledger__consumer": "group.id=ledger\nclient.id=other\n"},
            "/alice/ledger/consumer.properties:2: client.id: 'other' is not the client that the directories name: move",
        ),
        (
            {"alice__producer": "client.id=billing\n"},
            "'billing' is not the client that the directories name: move the file to alice/billing/, or correct it",
        ),
        (
            {"alice__ledger__producer": "acks=all\n\nnote=\\u12\n"},
            "/alice/ledger/producer.properties:3: not properties (an escape \\u lacks its four hexadecimal digits): ",
        ),
        ({"producer": "acks=all\n"}, "/producer.properties: lies neither in <user>/ nor in <user>/<client-id>/ of "),
        ({"a__b__c__consumer": ""}, "/a/b/c/consumer.properties: lies neither in <user>/ nor in "),
    ],
)
def test_what_cannot_be_reported(tmp_path: Path, files: dict[str, str], reported: str) -> None:
    """The text names the file, and the line and key where there is one."""
    with pytest.raises(InputError) as caught:
        read_client_files(_write(tmp_path, **files))

    assert reported in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))


def test_no_directory(tmp_path: Path) -> None:
    """A path that leads nowhere is an error, and no empty answer."""
    with pytest.raises(InputError, match=r"nowhere: cannot be read \(No such file or directory\): mend the path"):
        read_client_files(tmp_path / "nowhere")
