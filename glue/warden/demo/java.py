"""Kafka's Java programs as child processes: one that runs to its end, and one that stays until it is stopped."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from warden.base.errors import KafkaError
from warden.base.process.child_process import Process

__all__ = ["run_java", "start_java"]

# Both kinds start fast and stay small: no second compiler tier, one garbage collector thread.
_JVM: tuple[str, ...] = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Dlog4j2.disable.jmx=true")


def run_java(
    main: str,
    arguments: Sequence[str],
    *,
    class_path: str,
    options: Sequence[str] = (),
    input: str = "",
    timeout: float = 60.0,
) -> str:
    """Run a Java program to its end and return what it printed.

    Args:
        main: Its main class, such as ``org.apache.kafka.tools.TopicCommand``.
        arguments: Its arguments.
        class_path: See `warden.demo.class_path.build_class_path`.
        options: Further options of the JVM, such as ``-Dname=value``.
        input: What it reads from standard input.
        timeout: Seconds.

    Raises:
        KafkaError: It failed, with the end of what it said; or it took longer than ``timeout``.
        ToolchainError: There is no Java.
    """
    command = [_find_java(), *_JVM, "-Xmx128m", *options, "-cp", class_path, main, *arguments]
    try:
        done = subprocess.run(command, input=input, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        said = ((error.stderr or error.stdout) or b"").decode(errors="replace").strip()[-2000:] or "it said nothing"
        raise KafkaError(f"{main} did not finish within {timeout:g} s: {said}") from None
    if done.returncode:
        raise KafkaError(f"{main} failed with status {done.returncode}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def start_java(
    main: str, arguments: Sequence[str], *, class_path: str, options: Sequence[str], directory: Path, log: Path
) -> Process:
    """Start a Java program that stays, and that ends at the latest when this process does, however that ends.

    Args:
        main: Its main class.
        arguments: Its arguments.
        class_path: See `run_java`.
        options: Further options of the JVM.
        directory: Where the JVM puts its own files (``java.io.tmpdir``).
        log: File that gets its standard output and error.
    """
    own = [f"-Djava.io.tmpdir={directory}", *options]
    return Process([_find_java(), *_JVM, *own, "-cp", class_path, main, *arguments], os.environ, log)


def _find_java() -> str:
    from warden.base.toolchain.java import find_java

    return str(find_java() / "bin" / "java")
