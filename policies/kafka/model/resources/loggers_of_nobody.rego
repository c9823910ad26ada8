package kafka.model.resources

import data.kafka.base.errors
import data.kafka.cluster
import data.kafka.configs

# METADATA
# description: |
#   Loggers of a broker that the cluster does not have: whichever broker gets the request, they are another's, and it
#   refuses (RuntimeLoggerManager, 4.3). To which one the request goes is not known, nor is which brokers there are
#   where none is.
_missing_broker_errors(document) := {errors.new("INVALID_REQUEST", message) |
	name := document.request.resource.name
	brokers := object.keys(cluster.part(document, "brokers")) - {""}
	brokers != set()
	not $"{configs.int32(name)}" in brokers
	message := $"Broker '{name}' is not known in cluster '{document.cluster}'."
}
