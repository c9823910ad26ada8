"""Labels from names and from a directory of YAML files; those from a topic are tested with a broker."""

import errno
import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from warden.base.errors import KafkaUnreachable
from warden.state.sources.labels import ClusterLabels, compacted
from warden.state.sources.labels.compacted import CompactedTopic
from warden.state.sources.labels.directory import LabelDirectory
from warden.state.sources.labels.naming import NamingRule


def test_a_naming_rule():
    """A whole name gives its named groups; groups that take no part give nothing."""
    rule = NamingRule(re.compile(r"(?P<owner>[a-z]+)\.(?P<domain>\w+)(\.(?P<tier>gold))?"))

    assert [{"owner": "pay", "domain": "x"}, {"owner": "pay", "domain": "x", "tier": "gold"}, {}, {}] == [
        rule.get(name) for name in ("pay.x", "pay.x.gold", "PAY.x", "pay.x.silver")
    ]


def test_a_directory(tmp_path):
    """Whole names win over patterns, longer patterns over shorter ones, label by label; only * is special."""
    (tmp_path / "team").mkdir()
    (tmp_path / "a.yaml").write_text("'*': {owner: nobody, tier: 3}\n'pay.*': {owner: payments}\n'[x]*': {odd: yes}\n")
    (tmp_path / "team" / "b.yml").write_text("pay.orders: {owner: orders, dataClass: null}\n")
    (tmp_path / "c.txt").write_text("not: yaml: at all")
    labels = LabelDirectory(tmp_path)

    assert (True, None) == (labels.refresh(), labels.problem)
    assert [
        {"owner": "orders", "tier": "3"},
        {"owner": "payments", "tier": "3"},
        {"owner": "nobody", "tier": "3"},
        {"owner": "nobody", "tier": "3", "odd": "True"},
    ] == [labels.get(name) for name in ("pay.orders", "pay.other", "x", "[x]y")]


def test_a_directory_that_changes(tmp_path):
    """It is read again when a file changed; a file that is broken leaves what was known, and is named."""
    path = tmp_path / "a.yaml"
    path.write_text("t: {owner: a}\n")
    labels = LabelDirectory(tmp_path)
    seen = [labels.refresh(), labels.refresh()]
    for at, text in enumerate(("t: {owner: bb}\n", "t: [\n", "t: {owner: x}\nt: {owner: y}\n", "t: 1\n"), 1):
        path.write_text(text)
        os.utime(path, ns=(at, at))
        seen += [labels.refresh()]

    assert [True, False, True, False, False, False] == seen
    assert ({"owner": "bb"}, True) == (labels.get("t"), "a.yaml: 1 is not a mapping" in (labels.problem or ""))
    path.unlink()
    assert (True, {}) == (labels.refresh(), labels.get("t"))
    assert "there are no YAML files" in (labels.problem or "")


def test_what_is_hidden_in_a_directory_is_none_of_it(tmp_path):
    """A checkout has files of other programs, and Kubernetes mounts a ConfigMap through ..data."""
    for hidden in (".github/workflows/ci.yml", ".pre-commit-config.yaml", "..2026_11_21/a.yaml"):
        path = tmp_path / hidden
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("name: no labels\n")
    (tmp_path / "..2026_11_21" / "a.yaml").write_text("t: {owner: a}\n")
    (tmp_path / "..data").symlink_to("..2026_11_21")
    (tmp_path / "a.yaml").symlink_to("..data/a.yaml")
    labels = LabelDirectory(tmp_path)
    assert (True, None, {"owner": "a"}) == _look(labels, "t")

    (tmp_path / "..2026_11_22").mkdir()
    (tmp_path / "..2026_11_22" / "a.yaml").write_text("u: {owner: b}\n")
    (tmp_path / "..new").symlink_to("..2026_11_22")
    (tmp_path / "..new").replace(tmp_path / "..data")
    assert (True, None, {}) == _look(labels, "t")
    assert {"owner": "b"} == labels.get("u")


def test_a_directory_that_is_away(tmp_path, monkeypatch):
    """What it said stays while it or a file cannot be read, and is read again once it can, though no time changed."""
    directory, away = tmp_path / "labels", tmp_path / "away"
    directory.mkdir()
    (directory / "a.yaml").write_text("t: {owner: a}\n")
    labels = LabelDirectory(directory)
    labels.refresh()

    directory.rename(away)
    said = f"{directory}: cannot be read (No such file or directory): correct the path"
    assert (False, said, {"owner": "a"}) == _look(labels, "t")
    away.rename(directory)
    assert (True, None, {"owner": "a"}) == _look(labels, "t")

    link = directory / "b.yaml"
    link.symlink_to("b.yaml")
    said = f"{link}: cannot be read (Too many levels of symbolic links): correct the path"
    assert (False, said, {"owner": "a"}) == _look(labels, "t")
    link.unlink()
    assert (True, None, {"owner": "a"}) == _look(labels, "t")

    link.write_text("u: {owner: b}\n")
    with monkeypatch.context() as refused:
        refused.setattr(Path, "read_bytes", _refuse)
        said = f"{directory}/a.yaml: cannot be read (Permission denied): name a YAML file"
        assert (False, said, {}) == _look(labels, "u")
    assert (True, None, {"owner": "b"}) == _look(labels, "u")


def _look(labels, topic):
    return labels.refresh(), labels.problem, labels.get(topic)


def _refuse(self):
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))


def test_the_later_place_wins(tmp_path):
    """Label by label, and what is wrong anywhere is reported."""
    labelling = ClusterLabels([NamingRule(re.compile(r"(?P<owner>\w+)")), LabelDirectory(tmp_path)])
    (tmp_path / "a.yaml").write_text("a: {tier: 1}\nb: {owner: c}\n")
    labelling.refresh()

    assert [{"owner": "a", "tier": "1"}, {"owner": "c"}] == [labelling.get("a"), labelling.get("b")]
    assert [] == labelling.problems


class _Silent:
    """A consumer to whom nobody sends the one record that is there."""

    def partitions_for_topic(self, topic):
        return {0}

    def assign(self, partitions):
        self.partitions = partitions

    def assignment(self):
        return self.partitions

    def seek_to_beginning(self):
        pass

    def end_offsets(self, partitions):
        return dict.fromkeys(partitions, 1)

    def position(self, partition):
        return 0

    def poll(self, timeout_ms):
        return {}

    def close(self):
        pass


def test_a_topic_whose_records_do_not_come(monkeypatch):
    """Whoever waits for them is reported so, and does not wait for ever."""
    monkeypatch.setattr(compacted, "_PATIENCE", 0.0)
    with pytest.raises(KafkaUnreachable, match="labels in the topic labels cannot be read: its records do not come"):
        CompactedTopic("labels", _Silent).refresh()


class _Telling(_Silent):
    """A consumer to whom somebody sent what each reader takes for something else."""

    reported = False

    def position(self, partition):
        return int(self.reported)

    def poll(self, timeout_ms):
        self.reported = True
        values = {b"a": b'{"owner": "x"}', b"b": b'{"owner": "x", "owner": "y"}', b"c": b"[" * 100000}
        values |= {b"d": b'{"owner": "\\ud800"}', b"e": b'{"\\udfff": "x"}', b"f": b'{"owner": "\\ud83d\\ude00"}'}
        return {0: [SimpleNamespace(key=key, value=value) for key, value in values.items()]}


def test_a_record_with_two_meanings():
    """It is left out and named, and the others are read."""
    labels = CompactedTopic("labels", _Telling)

    assert labels.refresh()
    assert [{"owner": "x"}, {}, {}, {}, {}, {"owner": "😀"}] == [labels.get(topic) for topic in "abcdef"]
    assert "topic labels: the labels of 'b' are not a JSON object of strings" == labels.problem
