package kafka.model.resources

import data.kafka.base.errors
import data.kafka.configs

# METADATA
# description: |
#   What the broker refuses of a change of its loggers' levels (org.apache.kafka.server.logger.RuntimeLoggerManager,
#   4.3). Which loggers there are, only the broker knows.
_logger_refusals(name, change) := found if {
	change.mode == "full"
	found := configs.change_errors("brokerLogger", change, set())
	found != set()
} else := {errors.new("INVALID_REQUEST", "Unknown resource type 8")} if {
	change.mode == "full"
} else := union({
	{errors.new("INVALID_REQUEST", message) |
		not configs.int32(name)
		message := $"Node id must be an integer, but it is: {name}"
	},
	configs.change_errors("brokerLogger", change, set()),
	{errors.new("INVALID_REQUEST", message) |
		some op in change.ops
		op.op in {"APPEND", "SUBTRACT"}
		message := $"{op.op} operation is not allowed for the BROKER_LOGGER resource"
	},
	{errors.new("INVALID_CONFIG", message) |
		some [logger, level] in _logger_level_pairs(change)
		not level in data.catalog.brokerLogger.levels
		message := concat("", [
			$"Cannot set the log level of {logger} to {level} as it is not a supported log level. Valid log levels are ",
			concat(", ", data.catalog.brokerLogger.levels),
		])
	},
	{errors.new("INVALID_REQUEST", message) |
		root := data.catalog.brokerLogger.root
		configs.explicit("brokerLogger", object.get(change, "before", {}), change)[root] == null
		message := $"Removing the log level of the {root} logger is not allowed"
	},
})

_logger_level_pairs(change) := {[op.name, op.value] | some op in change.ops; op.op == "SET"; is_string(op.value)} if {
	change.mode == "incremental"
} else := {[logger, level] |
	some logger, level in configs.explicit("brokerLogger", object.get(change, "before", {}), change)
	level != null
}
