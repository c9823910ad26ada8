"""`python -m tools.gateway`: write the gateway's tables of Kafka's protocol."""

from pathlib import Path

import warden.enforce.gateway.wire
from tools.gateway import make_tables, read_classes, read_message_schemas, render_table
from warden.base.toolchain.jars import obtain_kafka_jars

__all__ = ["main"]


def main() -> None:
    """Write each table beside the modules of `warden.enforce.gateway.wire`, and print its path."""
    jar = next(path for path in obtain_kafka_jars() if "kafka-clients-" in path.name)
    for name, table in make_tables(read_message_schemas(jar), read_classes()).items():
        path = Path(warden.enforce.gateway.wire.__file__).parent / name
        path.write_text(render_table(table), encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
