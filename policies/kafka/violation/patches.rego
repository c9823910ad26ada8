package kafka.violation

import data.kafka.base.pointers

# METADATA
# description: A JSON Patch of a request that sets a config, whatever characters its name has.
addition(name, value) := [{"op": "add", "path": pointers.format(["configs", name]), "value": value}]

# METADATA
# description: A JSON Patch of a request that removes a config.
removal(name) := [{"op": "remove", "path": pointers.format(["configs", name])}]
