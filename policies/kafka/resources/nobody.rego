package kafka.resources

import data.kafka.cluster
import data.kafka.errors

# METADATA
# description: |
#   Loggers of a broker that the cluster does not have: whichever broker is asked, they are another's, and it refuses
#   (RuntimeLoggerManager, 4.3). To which one the request goes is not known, nor is which brokers there are where none
#   is.
_nobodys(document) := {errors.new("INVALID_REQUEST", message) |
	name := document.request.resource.name
	regex.match(`^(0|[1-9][0-9]*)$`, name)
	brokers := object.keys(cluster.part(document, "brokers")) - {""}
	brokers != set()
	not name in brokers
	message := $"Broker '{name}' is not known in cluster '{document.cluster}'."
}
