"""One program that nobody uses yet: ``python -m tests.warm.spare KIND OPTIONS`` starts it, and ends with its input.

It prints one line, once the program can be used: how to reach it, as `tests.warm.borrow` takes it.
"""

import base64
import json
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.fixtures.run.class_archives import use_archives
from tests.warm.borrow import BorrowedProcess
from tools.toolchain.build_opa import obtain_opa
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["main"]

_Start = Callable[[Mapping[str, Any]], AbstractContextManager[dict[str, Any]]]


def main(kind: str, options: str) -> None:
    """Run a program until standard input ends, or SIGTERM.

    Args:
        kind: "broker", "opa" or "spark".
        options: How it is started: as JSON, the arguments of `LocalBroker`, the text of an OPA's settings, or Spark's
            configuration.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # leaves nothing behind, in the midst of a start too
    use_archives()
    with _KINDS[kind](json.loads(options)) as state:
        print(base64.b64encode(pickle.dumps(state)).decode(), flush=True)
        sys.stdin.read()


@contextmanager
def _run_broker(options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    with LocalBroker(**options) as broker:
        own = {key: vars(broker)[key] for key in ("_class_path", "_directory", "_ports")}
        yield {**own, "_process": _lend(broker._process)}


@contextmanager
def _run_opa(options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    with TemporaryDirectory(prefix="warden-warm-") as name:
        settings = None
        if options["settings"] is not None:
            settings = Path(name) / "settings.yaml"
            settings.write_text(options["settings"], encoding="utf-8")
        program = obtain_opa()
        bundle = build_bundle(Path(name) / "bundle.tar.gz", settings=settings, opa=program)
        with LocalOpa(bundle, opa=program) as opa:
            started = opa._require_started()
            lent = replace(started, process=_lend(started.process))
            own = {key: vars(opa)[key] for key in ("_port", "directory", "log", "tokens")}
            yield {**own, "_started": lent, "revision": bundle.revision}


@contextmanager
def _run_spark(options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A JVM without a session: whoever takes it makes one, with classes that are loaded and code that is compiled."""
    from pyspark import SparkContext

    from spark_jobs.common.session import open_spark_session

    with open_spark_session("local[2]", options) as session:
        session.range(100).selectExpr("id % 7 AS a", "id").groupBy("a").count().orderBy("a").collect()
    reached = SparkContext._gateway.java_parameters  # type: ignore[union-attr]  # there is one: a session was open
    yield {"PYSPARK_GATEWAY_PORT": str(reached.port), "PYSPARK_GATEWAY_SECRET": reached.auth_token}


def _lend(process: Any) -> Any:
    return BorrowedProcess(process.pid, process.supervisor_pid)


_KINDS: Final[Mapping[str, _Start]] = {"broker": _run_broker, "opa": _run_opa, "spark": _run_spark}

if __name__ == "__main__":
    main(*sys.argv[1:])
