package kafka.rules.clients

import data.kafka.cluster

# METADATA
# description: |
#   What the application says of itself, by producer and consumer; undefined where the cluster's state does not have it.
_file(kind) := cluster.part(input, "staticClientConfigs")[input.entity.user][_client_id][kind]

_client_id := object.get(input.entity, "clientId", "")

# A config of the file, or Kafka's own default where the file is silent; trimmed, as Kafka reads it.
_of_file(kind, key) := trim_space(object.get(file, key, data.catalog.clients.unset[kind][key])) if file := _file(kind)
