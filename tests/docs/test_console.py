"""Every console block of every page is run, and prints what the page shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.console import MAKE, Command, File, Session, copy_checkout, iter_page
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.fixtures.run.class_archives import quick_java, quick_kafka
from warden.base.http.ports import list_free_ports

# Those of the README are run by `tests/docs/test_readme.py`, and by the page that it has them from.
PAGES = [
    path.relative_to(CHECKOUT)
    for path in sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md")])
    if path != CHECKOUT / "README.md"
    if any(isinstance(step, Command) for step in iter_page(path.read_text(encoding="utf-8")))
]


@pytest.fixture
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    """A shell in a copy of the checkout, with ports of its own; for some a broker with a topic."""
    opa, service, master, console = list_free_ports(4)
    addresses = {
        "127.0.0.1:8181": f"127.0.0.1:{opa}",
        "127.0.0.1:8649": f"127.0.0.1:{service}",
        "127.0.0.1:8650": f"127.0.0.1:{console}",
        "127.0.0.1:7077": f"127.0.0.1:{master}",
        # The same where a page leaves the default to a program: on this machine somebody may have it.
        "warden opa run >": f"warden opa run --port {opa} >",
        "warden opa run --settings": f"warden opa run --port {opa} --settings",
        "warden serve --config": f"warden serve --listen 127.0.0.1:{service} --config",
        "warden console --config": f"warden console --listen 127.0.0.1:{console} --config",
        "--port 7077": f"--port {master}",
    }
    text = (CHECKOUT / request.getfixturevalue("page")).read_text(encoding="utf-8")
    if "localhost:9092" in text:
        broker = request.getfixturevalue("broker")
        run_tool(broker, "TopicCommand", "--create", "--if-not-exists", "--topic", "shop.orders")
        addresses |= {"localhost:9092": broker.bootstrap_servers, "localhost:9093": broker.bootstrap_controllers}
    more = quick_java() if "$ spark-submit " in text else {}
    if "$ warden demo " in text:
        more |= quick_kafka(tmp_path / "java")
    opened = Session(copy_checkout(tmp_path / "page"), addresses, more)
    yield opened
    opened.close()


@pytest.mark.docs
@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_tells_what_happens(page: Path, session: Session) -> None:
    """Each command ends and prints as shown."""
    for step in iter_page((CHECKOUT / page).read_text(encoding="utf-8")):
        if isinstance(step, File):
            session.write(step)
        elif not MAKE.fullmatch(step.text.partition("#")[0].strip()):
            assert session.run(step) == ""


def test_targets_that_pages_show_are_run_by_ci() -> None:
    """The commands that the test above leaves out are targets of the Makefile, and all of them run in `make ci`."""
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    (prerequisites,) = re.findall(r"^ci: ([^#\n]*) ##", makefile, re.MULTILINE)

    (rest,) = re.findall(
        r"^test-rest: .*\n(?:\t.*\n)*?.* -m \"(.*?)\"", makefile, re.MULTILINE
    )  # has those of test-docs

    assert {"lint", "test", "test-rest", "bundle", "run", "demo"} <= set(prerequisites.split())
    assert "docs" in rest.split(" or ")


def test_steps_of_a_page() -> None:
    """Files, hidden commands, statuses, continuation lines and outputs are kept apart."""
    page = (
        '```yaml title="a.yaml"\nx: 1\n```\n<!-- run: true -->\n<!-- exit 1 -->\n'
        "```console\n$ one \\\n    more\n  out\n\n$ two\n```\n```json\n{}\n```\n"
    )

    assert [
        File("a.yaml", "x: 1\n"),
        Command("true", None),
        Command("one \\\n    more", "  out", 1),
        Command("two", None, 1),
    ] == list(iter_page(page))


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "output", "status", "wrong"),
    [
        ("echo a; echo b", "a\nb", 0, ""),
        ("echo revision 12ab done", "revision … done", 0, ""),
        ("seq 5", "1\n…\n5", 0, ""),
        ("seq 5", "1\n…\n6", 0, "prints"),
        ("echo a", "b", 0, "prints"),
        ("false", None, 0, "ends with 1, not 0"),
        ("false", None, 1, ""),
        ("exit 3", None, 0, "the shell has ended"),
    ],
)
def test_a_difference_is_noticed(text: str, output: str | None, status: int, wrong: str, tmp_path: Path) -> None:
    """A page that shows something else than what happens fails."""
    shell = Session(tmp_path, {})
    try:
        complaint = shell.run(Command(text, output, status))
    finally:
        shell.close()

    assert (wrong in complaint) if wrong else complaint == ""


@pytest.mark.process
def test_the_shell_ends_with_its_children(tmp_path: Path) -> None:
    """What a page leaves running in the background ends with its session."""
    shell = Session(tmp_path, {})
    assert shell.run(Command("sleep 600 & echo $! > pid", None)) == ""
    shell.close()

    command_line = Path("/proc", (tmp_path / "pid").read_text(encoding="utf-8").strip(), "cmdline")
    eventually(lambda: not command_line.is_file() or not command_line.read_bytes(), "the child has ended")


@pytest.mark.process
def test_what_does_not_end_fails_the_page(tmp_path: Path) -> None:
    """A page fails at once where a command that it leaves running is deaf to SIGTERM."""
    shell = Session(tmp_path, {})
    deaf = "(trap '' TERM; echo $BASHPID > pid; exec sleep 600) & until [ -s pid ]; do sleep 0.05; done"
    assert shell.run(Command(deaf, None)) == ""

    with pytest.raises(AssertionError, match="does not end at SIGTERM"):
        shell.close(patience=1)
    command_line = Path("/proc", (tmp_path / "pid").read_text(encoding="utf-8").strip(), "cmdline")
    eventually(lambda: not command_line.is_file() or not command_line.read_bytes(), "the child has ended")
