"""YAML that people write: one meaning or none, and each mistake with its line."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from warden.base.errors import ConfigurationError, InputError
from warden.base.files import yaml_loader
from warden.base.files.yaml_files import find_line, read_yaml, read_yaml_documents


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "a.yaml"


_MERGED = """\
base: &base {owner: a, tier: 1}
one: {<<: *base, tier: 2}
two: {<<: [*base, {more: yes}]}
deep: {below: &below {<<: &lowest {x: 0}, x: 1}}
three: {<<: *below}
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# nothing\n", None),
        ("\ufeffa: 1", {"a": 1}),
        ("day: 2027-03-31\n2027-03-31: =\n", {"day": "2027-03-31", "2027-03-31": "="}),
        ("{0: [1], true: x, ~: y, 1.5: z}", {"0": [1], "true": "x", "null": "y", "1.5": "z"}),
        ("&a a: *a", {"a": "a"}),
        (
            _MERGED,
            {
                "base": {"owner": "a", "tier": 1},
                "one": {"owner": "a", "tier": 2},
                "two": {"owner": "a", "tier": 1, "more": True},
                "deep": {"below": {"x": 1}},
                "three": {"x": 1},
            },
        ),
    ],
)
def test_values(written: Path, text: str, value: object) -> None:
    """As JSON has them; what is merged with << may be said anew."""
    written.write_text(text, encoding="utf-8")

    assert value == read_yaml(written).value


_WRONG = {
    "a: 1\nb: 2\na: 3": "3: the key a is there already, in line 1: keep one of the two",
    "a:\n- {b: 1, c: 2,\n  b: 3}": "3: the key b is there already, in line 2: keep one of the two",
    "'1': a\n1: b": "2: the key 1 is there already, in line 1: keep one of the two",
    "&a b: 1\n*a : 2": "1: the key b is there already, in line 1: keep one of the two",
    "<<: {a: 1}\n<<: {a: 2}": "2: the key << is there already, in line 1: keep one of the two",
    "a: 1\n---\nb: 1\nb: 2": "4: the key b is there already, in line 3: keep one of the two",
    "a: &a\n- *a": "2: *a stands in what it names: write out what you mean",
    "a: &a {<<: *a}": "1: *a stands in what it names: write out what you mean",
    "[" * 3000: "1: lists and mappings stand more than 100 deep in each other: write less deeply",
    "[" * 100000 + "]" * 100000: "1: lists and mappings stand more than 100 deep in each other: write less deeply",
    "[" * 101 + "]" * 101: "1: lists and mappings stand more than 100 deep in each other: write less deeply",
    "- &a0 []\n" + "".join(f"- &a{at + 1} [*a{at}]\n" for at in range(3000)): (
        "99: lists and mappings stand more than 100 deep in each other: write less deeply"
    ),
    "- &a0 [1]\n" + "".join(f"- &a{at + 1} [{', '.join([f'*a{at}'] * 10)}]\n" for at in range(9)): (
        "8: with its aliases written out this is too large: name less by aliases"
    ),
    "a: .nan": "1: .nan has no place in JSON: write a number",
    "a:\n  -1.0e+999": "2: -1.0e+999 has no place in JSON: write a number",
    f"a: 0x{'f' * 5000}": f"1: 0x{'f' * 38}… has no place in JSON: write a number",
    "a: " + "1" * 10000: f"1: {'1' * 40}… cannot be read as int: correct it, or quote it as a string",
    "a: !!bool x": "1: x cannot be read as bool: correct it, or quote it as a string",
    "a: !!int ''": "1:  cannot be read as int: correct it, or quote it as a string",
    "? [a]\n: b": "1: not YAML (found unhashable key while constructing a mapping that begins in line 1): correct it",
    "\n!!python/name:os.getcwd": (
        "2: not YAML (could not determine a constructor for the tag 'tag:yaml.org,2002:python/name:os.getcwd'): "
        "correct it"
    ),
    "!!timestamp 2027-03-31": (
        "1: not YAML (could not determine a constructor for the tag 'tag:yaml.org,2002:timestamp'): correct it"
    ),
    "a:\n- [1\n- 2": (
        "4: not YAML (did not find expected ',' or ']' while parsing a flow sequence that begins in line 2): correct it"
    ),
    "a: é\nb: \x01": "2: not YAML (control characters are not allowed): remove the character",
}


@pytest.mark.parametrize(("text", "sentence"), _WRONG.items(), ids=[text[:20] for text in _WRONG])
def test_what_is_wrong(written: Path, text: str, sentence: str) -> None:
    """Reported with its line, as the error of whoever reads."""
    written.write_text(text, encoding="utf-8")

    with pytest.raises(ConfigurationError) as raised:
        read_yaml_documents(written, ConfigurationError)
    assert f"{written}:{sentence}" == str(raised.value)


@pytest.fixture
def without_libyaml(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The loader where PyYAML was built without libyaml."""
    monkeypatch.delattr(yaml, "CSafeLoader")
    spec = importlib.util.spec_from_file_location("loader_without_libyaml", yaml_loader.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_without_libyaml(without_libyaml: ModuleType) -> None:
    """The same holds there, and libyaml is what is used where it is."""
    loader = without_libyaml.StrictLoader

    assert not issubclass(yaml_loader.StrictLoader, yaml.SafeLoader)
    assert issubclass(loader, yaml.SafeLoader)
    assert yaml.load(_MERGED, yaml_loader.StrictLoader) == yaml.load(_MERGED, loader)
    ours = [text for text, sentence in _WRONG.items() if "not YAML" not in sentence]
    for text in ours:
        with pytest.raises(without_libyaml.UnfitYaml) as raised:
            list(yaml.load_all(text, loader))
        assert _WRONG[text] == f"{raised.value.problem_mark.line + 1}: {raised.value.problem}"


def test_bytes_and_documents(written: Path) -> None:
    """UTF-8 alone is read, and one document where one is requested."""
    written.write_bytes("a: é\nb: é".encode("latin-1"))
    with pytest.raises(InputError) as coding:
        read_yaml(written)
    written.write_text("a: 1\n---\nb: 2\n---\n", encoding="utf-8")
    with pytest.raises(InputError) as several:
        read_yaml(written)
    with pytest.raises(InputError) as missing:
        read_yaml(written.parent / "none.yaml", what="kubeconfig file")

    assert [{"a": 1}, {"b": 2}, None] == [each.value for each in read_yaml_documents(written)]
    assert [
        f"{written}:1: not YAML (it is not in UTF-8): save it in UTF-8",
        f"{written}:3: another document begins: write one, without a line of ---",
        f"{written.parent}/none.yaml: cannot be read (No such file or directory): name a kubeconfig file",
    ] == [str(each.value) for each in (coding, several, missing)]


@pytest.mark.parametrize(
    ("place", "line"),
    [((), 1), (("a",), 1), (("a", "1"), 3), (("a", "1", "c"), 4), (("a", "1", "x"), 3), (("a", "7"), 1), (("x",), 1)],
)
def test_lines(written: Path, place: tuple[str, ...], line: int) -> None:
    """That of the place, or of what is nearest to it."""
    written.write_text("a:\n- 1\n- b: 1\n  c: 2\n", encoding="utf-8")

    assert line == find_line(read_yaml(written).node, place)
    assert 1 == find_line(None, place)
