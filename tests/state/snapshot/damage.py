"""Lines of a snapshot that are damaged, each in a way of its own."""

__all__ = ["DAMAGE", "GOOD"]

GOOD = b'{"topic":"shop.orders.created","numPartitions":3,"replicationFactor":3}'

DAMAGE = {
    "Latin-1": b'{"topic":"caf\xe9","numPartitions":3}',
    "UTF-16": '{"topic":"shop.orders.wide","numPartitions":3}'.encode("utf-16-le"),
    "overlong": b'{"topic":"shop\xc0\xaforders","numPartitions":3}',
    "surrogate": b'{"topic":"shop\xed\xa0\x80orders","numPartitions":3}',
    "NUL": b'{"topic":"shop.or\x00ders","numPartitions":3}',
    "hole": b"\x00" * 40,
    "cut off": b'{"topic":"shop.orders.cut","numPart',
    "two in a line": GOOD + b'{"topic":"shop.orders.lost","numPartitions":3}',
    "two after a blank": GOOD + b' {"topic":"shop.orders.lost","numPartitions":3}',
    "two after a tab": GOOD + b'\t{"topic":"shop.orders.lost","numPartitions":3}',
    "two after a comma": GOOD + b',{"topic":"shop.orders.lost","numPartitions":3}',
    "two before a bracket": GOOD + b',{"topic":"shop.orders.lost","numPartitions":3}]',
    "two lists": GOOD + b'],[{"topic":"shop.orders.lost","numPartitions":3}',
    "rows in a list": b"[" + GOOD + b"]",
    "nothing in a list": b"[]",
    "trailing": GOOD + b"}{",
    "trailing words": GOOD + b" garbage",
    "trailing brace": GOOD + b"}",
    "trailing bracket": GOOD + b"]",
    "trailing comma": GOOD + b",",
    "list": b"[1]",
    "null": b"null",
    "number": b"1",
    "words": b"not JSON",
}
"""What it is → the line; none is an object of JSON in UTF-8."""
