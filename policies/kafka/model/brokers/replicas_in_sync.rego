package kafka.model.brokers

import data.kafka.base.errors
import data.kafka.cluster

# METADATA
# description: |
#   What controllers refuse of min.insync.replicas once eligible leader replicas (KIP-966) are enabled, which hang on
#   it: a value of one broker, and to have none for all (ConfigurationControlManager, 4.3).
_min_isr_errors(document, change) := {errors.new("INVALID_CONFIG", message) |
	cluster.part(document, "features")["eligible.leader.replicas.version"] > 0
	message := _min_isr_message(document.request.broker == "", change)
}

_min_isr_message(false, change) := "Broker-level min.insync.replicas cannot be altered while ELR is enabled." if {
	"min.insync.replicas" in object.keys(change.explicit)
}

_min_isr_message(true, change) := "Cluster-level min.insync.replicas cannot be removed while ELR is enabled." if {
	removed := object.get(change.explicit, "min.insync.replicas", "kept") == null
	true in [removed, "min.insync.replicas" in change.implicitlyDeleted]
}
