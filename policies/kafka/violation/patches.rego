package kafka.violation

import data.kafka.cluster

# METADATA
# description: A JSON Patch of a request that sets a config, whatever characters its name has.
addition(name, value) := [{"op": "add", "path": cluster.pointer(["configs", name]), "value": value}]

# METADATA
# description: A JSON Patch of a request that removes a config.
removal(name) := [{"op": "remove", "path": cluster.pointer(["configs", name])}]
