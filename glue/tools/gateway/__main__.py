"""`python -m tools.gateway`: write the gateway's tables of Kafka's protocol."""

from pathlib import Path

import warden.enforce.gateway.wire
from tools.gateway import make_tables, message_schemas, read_classes, table_text
from warden.base.toolchain.jars import kafka_jars

__all__ = ["main"]


def main() -> None:
    """Write each table beside the modules of `warden.enforce.gateway.wire`, and print its path."""
    jar = next(path for path in kafka_jars() if "kafka-clients-" in path.name)
    for name, table in make_tables(message_schemas(jar), read_classes()).items():
        path = Path(warden.enforce.gateway.wire.__file__).parent / name
        path.write_text(table_text(table), encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
