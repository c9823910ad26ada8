"""Whatever is wrong with a file: the good ones are decided, each bad one is an error with file and line."""

import os
from pathlib import Path

import pytest

from tests.analyse.check.conftest import Read
from warden.analyse.check.files import read_paths
from warden.analyse.check.model import Fault, FileContents

GOOD = "topic: good\ncluster: c\n"


def faults(contents: FileContents) -> list[tuple[str, int]]:
    """Where the errors are."""
    return [(fault.file, fault.line) for fault in contents.faults]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: [", 5, "not YAML"),
        ("a:\n\t- b", 5, "not YAML"),
        ("a: 1\na: 2", 5, "the key a is there already, in line 4"),
        ("a: {{ .Values.a }}", 4, "render it first, as in helm template … | warden check -"),
        ("{% for a in b %}", 4, "render it first"),
        ("a: *b", 4, "not YAML"),
        ("a: &a [*a]", 4, "*a stands in what it names"),
        ("[" * 200_000, 4, "more than 100 deep"),
    ],
)
def test_one_document_of_two_is_broken(read: Read, text: str, line: int, said: str) -> None:
    """The other one is decided, and lines are those of the file."""
    for content, shift in ((f"{GOOD}---\n{text}\n", 0), (f"---\n---\n\n{text}\n---\n{GOOD}", 0)):
        contents = read(content)

        assert ["good"] == [one.name for one in contents.declared]
        assert [("f.yaml", line + shift)] == faults(contents), contents.faults
        assert said in contents.faults[0].message


def test_anchors_aliases_and_merges(read: Read) -> None:
    """What is named once and used twice counts at both places; a key of the mapping's own wins over a merged one."""
    contents = read(
        "topics:\n  a: &a\n    numPartitions: 3\n    configs: {retention.ms: 1}\n"
        "  b:\n    <<: *a\n    numPartitions: 4\n  c: *a\n"
    )

    assert [] == contents.faults
    assert [("a", 3, 3), ("b", 4, 7), ("c", 3, 3)] == [
        (one.name, one.request["numPartitions"], one.find_line(["numPartitions"])) for one in contents.declared
    ]
    assert [{"retention.ms": "1"}] * 3 == [one.request["configs"] for one in contents.declared]


def test_a_bomb_of_aliases(read: Read) -> None:
    """What would not end is refused before it begins."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]

    assert "this is too large" in read("\n".join(lines)).faults[0].message


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"topic: a\n\0", 2, "this is not text"),
        (b"topic: a\nb: \xff\xfe", 2, "not in UTF-8"),
        (b"topic: a\nb: \x07", 2, "not YAML"),
    ],
)
def test_binary(read: Read, content: bytes, line: int, said: str) -> None:
    """What is no text is named with the line where it ceases to be."""
    contents = read(content)

    assert [("f.yaml", line)] == faults(contents)
    assert said in contents.faults[0].message


def test_byte_order_mark(read: Read) -> None:
    """Windows' mark is passed over, with the right lines and in JSON too."""
    assert [1] == [one.line for one in read(b"\xef\xbb\xbf" + GOOD.encode()).declared]
    assert [1] == [one.line for one in read(b'\xef\xbb\xbf{"topic": "a"}', "f.json").declared]


def test_huge(read: Read) -> None:
    """Fifty megabytes are no declaration; no more than the limit is ever read."""
    contents = read(b"topic: a\n" + b"#" * 50_000_000)

    assert [Fault("f.yaml", 1, "larger than 32 MB: this is not a declaration, or cut it")] == contents.faults


@pytest.mark.parametrize(
    "kind",
    [
        "apiVersion: kafka.strimzi.io/v9\nkind: KafkaTopic",
        "apiVersion: kafka/v2.conduktor\nkind: Topic",
        "apiVersion: kafka.example.com/v1\nkind: ConfluentRolebinding",
        "kind: KafkaTopic",
    ],
)
def test_a_kind_without_a_reader(read: Read, kind: str) -> None:
    """What speaks of topics, users or ACLs in a form that nobody reads is an error, and never taken for another's."""
    contents = read(f"{GOOD}---\n{kind}\nmetadata: {{name: a}}\nspec: {{partitions: 1}}")

    assert ["good"] == [one.name for one in contents.declared]
    assert [("f.yaml", 4)] == faults(contents)
    assert "there is no reader for" in contents.faults[0].message


@pytest.mark.parametrize("text", ["apiVersion: apps/v1\nkind: Deployment", "a: 1", "[1, 2]", "--- \n", "plain text"])
def test_other_documents(read: Read, text: str) -> None:
    """What declares nothing of Kafka's is no error; it is counted, unless it is empty."""
    contents = read(text)

    assert ([], []) == (contents.declared, contents.faults)
    assert ("---" not in text) == bool(contents.skipped)


def test_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops of links and links to nothing are errors; what is hidden, or has another suffix, is not looked at."""
    monkeypatch.chdir(tmp_path)
    Path("a/b").mkdir(parents=True)
    Path("a/.git").mkdir()
    for name in ("a/b/t.yaml", "a/u.yml", "a/.git/v.yaml", "a/notes.txt"):
        Path(name).write_text(GOOD.replace("good", Path(name).stem))
    Path("a/b/loop").symlink_to(tmp_path / "a")
    Path("a/b/gone.yaml").symlink_to("nowhere")
    Path("a/b/self.yaml").symlink_to("self.yaml")
    contents = read_paths([Path("a")])

    assert ["t", "u"] == [one.name for one in contents.declared]
    assert [("a/b/gone.yaml", 0), ("a/b/loop", 0), ("a/b/self.yaml", 0)] == faults(contents)
    assert "cannot be read (No such file or directory)" in contents.faults[0].message
    assert "this link leads back to a directory above it" in contents.faults[1].message
    assert "Too many levels of symbolic links" in contents.faults[2].message


def test_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file and a directory that the system refuses are errors, and the others are decided."""
    monkeypatch.chdir(tmp_path)
    Path("d/secret").mkdir(parents=True)
    Path("d/good.yaml").write_text(GOOD)
    os.mkfifo("d/pipe.yaml")
    iterdir = Path.iterdir

    def refuse(path: Path) -> object:
        if path.name == "secret":  # the system lets root read everything
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    def refuse_to_enter(path: Path) -> object:
        if path.parent.name == "listed":
            raise PermissionError(13, "Permission denied")
        return lstat(path)

    lstat = Path.lstat
    Path("d/listed/e").mkdir(parents=True)
    Path("d/far").symlink_to("x" * 300)
    Path("d/Chart.yaml").symlink_to("x" * 300)
    monkeypatch.setattr(Path, "iterdir", refuse)
    monkeypatch.setattr(Path, "lstat", refuse_to_enter)
    contents = read_paths([Path("d"), Path("nothing.yaml"), Path("d/far")])

    assert ["good"] == [one.name for one in contents.declared]
    names = ["d/Chart.yaml", "d/far", "d/listed", "d/pipe.yaml", "d/secret", "nothing.yaml", "d/far"]
    assert [(name, 0) for name in names] == faults(contents)
    said = {fault.file: fault.message for fault in contents.faults}
    assert "cannot be read (Permission denied)" in said["d/secret"]
    assert "cannot be read (Permission denied)" in said["d/listed"]
    assert "cannot be read (File name too long)" in said["d/far"]


def test_json(read: Read) -> None:
    """JSON is read by its own rules first; lines are those of the file wherever YAML reads it too."""
    text = '{\n "topic": "a",\n "configs": {\n  "retention.ms": 1}\n}'

    (topic,) = read(text, "f.json").declared
    assert ({"retention.ms": "1"}, 4) == (topic.request["configs"], topic.find_line(["configs", "retention.ms"]))
    assert [("f.json", 3)] == faults(read('{\n "a": 1,\n "a": 2}', "f.json"))
    assert [("f.json", 1)] == faults(read('{"@level": "info"}\n{"@level": "info"}', "f.json"))
    assert "terraform show -json" in read('{"@level": "info"}\n{"@level": "info"}', "f.json").faults[0].message


def test_json_with_half_a_surrogate_pair(tmp_path: Path) -> None:
    """It is right as JSON, no reader of YAML takes it, and it is an error like others."""
    path = tmp_path / "f.json"
    path.write_text('{"topic": "a\\ud800"}', encoding="utf-8")
    contents = read_paths([path])

    assert [(str(path), 1)] == faults(contents)
    assert "half a surrogate pair" in contents.faults[0].message
