"""What a change can break: by imports, fixtures, texts and commands of Python, by packages of Rego."""

from pathlib import Path

from tools.dependents import map_dependents, map_python_uses, map_rego_uses
from tools.quick import select_packages

FILES = {
    "glue/warden/base.py": "",
    "glue/warden/middle.py": "def late():\n    from warden import base\n",
    "glue/warden/top.py": "import warden.middle\nTEXT = 'warden scan'\n",
    "glue/warden/analyse/scan.py": "",
    "tests/conftest.py": "import warden.top\n",
    "tests/fixtures/one.py": "import pytest\nimport warden.base\n@pytest.fixture\ndef shared(): ...\n",
    "tests/a/conftest.py": "import pytest\n@pytest.fixture\ndef own(): ...\n",
    "tests/a/test_imports.py": "from warden.middle import late\ndef test(): ...\n",
    "tests/a/test_lazily.py": "COMMAND = [1, '-m', 'warden', 'scan']\n",
    "tests/a/data.json": "{}",
    "tests/b/test_fixtures.py": "def test(shared, own): ...\n",
    "tests/b/test_texts.py": "def test(patch):\n    patch('warden.top.TEXT')\n    open('tests/a/data.json')\n",
}


def _reached(checkout: Path, changed: str) -> dict[str, int]:
    for name, text in FILES.items():
        path = checkout / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    steps = map_dependents(map_python_uses(checkout, {"scan": "warden.analyse.scan"}), [changed])
    return {Path(name).stem: far for name, far in steps.items() if "/test_" in name}


def test_imports(tmp_path: Path) -> None:
    """Also inside functions, over several steps; what shared fixtures and the root's conftest import leads nowhere."""
    assert {"test_imports": 2, "test_texts": 3} == _reached(tmp_path, "glue/warden/base.py")


def test_fixtures_texts_and_commands(tmp_path: Path) -> None:
    """A fixture by its name where it can be had, a module and a file by a text, a command by its name in a list."""
    assert {"test_fixtures": 1} == _reached(tmp_path, "tests/fixtures/one.py")
    assert {"test_imports": 1, "test_lazily": 1} == _reached(tmp_path, "tests/a/conftest.py")
    assert {"test_texts": 1} == _reached(tmp_path, "tests/a/data.json")
    assert {"test_lazily": 1} == _reached(tmp_path, "glue/warden/analyse/scan.py")
    assert {} == _reached(tmp_path, "tests/conftest.py")


def test_packages(tmp_path: Path) -> None:
    """A package of Rego, those that name it, also by a part of their names; a hash is another where a text is."""
    texts = {
        "a/b/b": "package a.b",
        "a/b/b_test": "package a.b_test\nimport data.a.b",
        "c": "package c\nx := data.a.b.y",
    }
    texts |= {"d": "package d\n# data.a.b is a comment", "e": "package e\nx := data.a"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.rego").write_text(text, encoding="utf-8")

    assert {"a.b", "e"} == map_rego_uses(tmp_path)["e"]
    before = select_packages(tmp_path, ["policies/a/b/b.rego"])
    assert ["a.b", "c", "e"] == list(before)
    (tmp_path / "a/b/b_test.rego").write_text(texts["a/b/b_test"] + "\ny := 1", encoding="utf-8")
    after = select_packages(tmp_path, ["policies/a/b/b_test.rego"])
    assert (["a.b", "c", "e"], set()) == (list(after), set(after.values()) & set(before.values()))
