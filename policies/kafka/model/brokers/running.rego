package kafka.model.brokers

import data.kafka.base.errors
import data.kafka.cluster

# METADATA
# description: |
#   What a broker refuses since what is in force once the change is done is unfit, or not to be reached from what it
#   runs with (DynamicBrokerConfig.processReconfiguration). A change for all brokers goes to any of them: it is refused
#   where each that is known refuses it.
_reconfiguration_errors(document) := {errors.new("INVALID_REQUEST", message) |
	every refused in _new_problems_by_broker(document) { refused != set() }
	some refused in _new_problems_by_broker(document)
	some message in refused
}

_new_problems_by_broker(document) := {id: _new_problems(texts.before, texts.after) |
	some id, texts in _before_after_by_broker(document)
}

# What stood against the configs before the change does not stand against it: looked at only where something does.
_new_problems(before, after) := refused if {
	unfit := _config_combination_problems(after)
	unfit != set()
	refused := unfit - _config_combination_problems(before)
	refused != set()
} else := {message |
	problems := _running_broker_problems(before, after)
	problems != set()
	some problem in (problems - _running_broker_problems(before, before))
	message := concat("", [
		$"Invalid value org.apache.kafka.common.config.ConfigException: {problem}",
		" for configuration Invalid dynamic configuration",
	])
}

_running_broker_problems(before, after) := _config_transition_problems(before, after) | _listener_config_problems(after)

# What is set of each broker that the change reaches, before and after it. What a default of all brokers hides in their
# files is not known: what it leaves is taken to stay.
_before_after_by_broker(document) := {document.request.broker: {"before": before, "after": after}} if {
	document.request.broker != ""
	before := stored(document)
	after := _configs_after(document, before, resolved_change(document))
}

_before_after_by_broker(document) := {id: {"before": broker.configs, "after": object.union(broker.configs, shared)} |
	some id, broker in object.remove(cluster.part(document, "brokers"), [""])
	own := object.get(broker, "dynamicConfigs", broker.configs)
	shared := object.remove(resolved_change(document).after, own)
} if {
	document.request.broker == ""
}
