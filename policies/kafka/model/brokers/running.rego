package kafka.model.brokers

import data.kafka.base.errors
import data.kafka.cluster

# METADATA
# description: |
#   What a broker refuses since what is in force once the change is done is unfit, or not to be reached from what it
#   runs with (DynamicBrokerConfig.processReconfiguration). A change for all brokers goes to any of them: it is refused
#   where each that is known refuses it.
_unfit_refusals(document) := {errors.new("INVALID_REQUEST", message) |
	every refused in _refusals_by_broker(document) { refused != set() }
	some refused in _refusals_by_broker(document)
	some message in refused
}

_refusals_by_broker(document) := {id: _new_problems(texts.before, texts.after) |
	some id, texts in _texts_by_broker(document)
}

# What stood against the configs before the change does not stand against it: looked at only where something does.
_new_problems(before, after) := refused if {
	unfit := _combined_problems(after)
	unfit != set()
	refused := unfit - _combined_problems(before)
	refused != set()
} else := {message |
	problems := _running_refusals(before, after)
	problems != set()
	some problem in (problems - _running_refusals(before, before))
	message := concat("", [
		$"Invalid value org.apache.kafka.common.config.ConfigException: {problem}",
		" for configuration Invalid dynamic configuration",
	])
}

_running_refusals(before, after) := _transition_refusals(before, after) | _listener_config_errors(after)

# What is set of each broker that the change reaches, before and after it. What a default of all brokers hides in their
# files is not known: what it leaves is taken to stay.
_texts_by_broker(document) := {document.request.broker: {"before": before, "after": after}} if {
	document.request.broker != ""
	before := stored(document)
	after := _configs_after(document, before, resolved_change(document))
}

_texts_by_broker(document) := {id: {"before": broker.configs, "after": object.union(broker.configs, shared)} |
	some id, broker in object.remove(cluster.part(document, "brokers"), [""])
	own := object.get(broker, "dynamicConfigs", broker.configs)
	shared := object.remove(resolved_change(document).after, own)
} if {
	document.request.broker == ""
}
