"""Names of functions that are participles are found, and imperatives that look like them are not."""

import ast

import pytest

from tests.fixtures.checkout import CHECKOUT
from tools.lint import names


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("_refused", True),
        ("shown_text", True),
        ("written", True),
        ("broker_connected", True),
        ("_left_alone", True),
        ("encode_refusal", False),
        ("is_closed", False),
        ("_has_returned", False),
        ("read_trusted", False),
        ("feed", False),
        ("embed_findings", False),
        ("_on_revoke", False),
    ],
)
def test_is_participle(name: str, *, refused: bool) -> None:
    """A participle is refused as the whole name, at the beginning, and after a noun."""
    assert refused == names.is_participle(name)


def test_is_possessive() -> None:
    """A noun of something is refused as the name of what a module offers."""
    refused = [name for name in ("rows_of", "iter_rows_of_day", "_rows_of", "Row.line_of") if names.is_possessive(name)]

    assert ["rows_of"] == refused


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("free_port", True),
        ("opa_version", True),
        ("read_opa_version", False),
        ("is_listening", False),
        ("without_secrets", False),
        ("_free_port", True),
        ("_find_free_port", False),
        ("Store.error", True),
        ("Store.read_error", False),
        ("Store.read_error.line", True),
        ("Provider.token", False),
        ("OAuthTokens.token", True),
        ("incremental_alter_configs", False),
    ],
)
def test_is_noun(name: str, *, refused: bool) -> None:
    """Functions and methods begin with a verb; those that others call have the names that these use."""
    assert refused == names.is_noun(name)


def test_is_collection() -> None:
    """What looks for one thing by its name returns one, which may be a mapping, or none."""
    heads = ("find_a() -> list[str]", "_find_b() -> Iterator[str]", "find_c() -> str | None", "list_d() -> list[str]",
             "find_e() -> dict[str, str]")  # fmt: skip
    functions = [function for head in heads for function in ast.parse(f"def {head}: ...").body]

    assert ["find_a", "_find_b"] == [
        function.name
        for function in functions
        if isinstance(function, ast.FunctionDef) and names.is_find_of_many(function)
    ]


def test_is_eager_generator() -> None:
    """What yields is not called as what has all at once; what a function within it yields does not count."""
    texts = ("def read_a():\n yield", "async def _list_b():\n for _ in ():\n  yield 1", "def iter_c():\n yield",
             "def read_d():\n def inner(): yield", "@contextmanager\ndef read_e():\n yield",
             "def list_f():\n return (yield from ())")  # fmt: skip
    functions = [function for text in texts for function in ast.parse(text).body]

    assert ["read_a", "_list_b", "list_f"] == [
        function.name
        for function in functions
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and names.is_eager_generator(function)
    ]


def test_function_names() -> None:
    """Methods and functions in functions count, properties do not."""
    tree = ast.parse(
        "class A:\n def shown(self):\n  def held(): ...\n @property\n def kept(self): ...\nasync def sent(): ...\n"
    )

    assert {("A.shown", 2), ("A.shown.held", 3), ("sent", 6)} == set(names.iter_function_names(tree))


def test_a_tree_with_offences(tmp_path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What breaks the rules is named with its place."""
    for name in ("one", "two"):
        (tmp_path / "glue" / name).mkdir(parents=True)
        (tmp_path / "glue" / name / "module.py").write_text("class Config: ...\nclass _Own: ...\n")
    (tmp_path / "glue" / "one" / "module.py").write_text("class Config: ...\ndef kept(): ...\nKey = str\n")
    (tmp_path / "glue" / "two" / "key.py").write_text("Key = tuple[str, str]\nMOST = 1\n_Own = str\n")
    monkeypatch.chdir(tmp_path)

    assert names.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "glue/one/module.py:2: kept: name a function by an imperative, a predicate by is_ or has_",
        "glue/one/module.py:1 and glue/two/module.py:1: Config: two types, one name",
        "glue/one/module.py:3 and glue/two/key.py:1: Key: two types, one name",
    ]


def test_the_checkout_is_clean(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As `make lint` runs it."""
    monkeypatch.chdir(CHECKOUT)

    assert (0, "") == (names.main(), capsys.readouterr().out)
