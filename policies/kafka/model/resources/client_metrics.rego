package kafka.model.resources

import data.kafka.base.errors
import data.kafka.configs

# METADATA
# description: What org.apache.kafka.server.metrics.ClientMetricsConfigs compares by itself.
_interval_errors(touched) := {errors.new("INVALID_REQUEST", message) |
	interval := configs.typed("clientMetrics", "interval.ms", touched["interval.ms"])
	limits := data.catalog.clientMetrics.interval
	max([limits.min, min([interval, limits.max])]) != interval
	message := concat("", [
		$"Invalid value {interval} for interval.ms, ",
		$"interval must be between {limits.min} and {limits.max} (1 hour)",
	])
}

_match_pattern_errors(touched) := {errors.new("INVALID_CONFIG", message) |
	some pattern in configs.typed("clientMetrics", "match", touched.match)
	not _is_valid_match_pattern(pattern)
	message := $"Illegal client matching pattern: {pattern}"
}

# Two parts, as Java splits: what is empty at the end is none.
_is_valid_match_pattern(pattern) if {
	[name, expression] := split(trim_right(pattern, "="), "=")
	trim_space(name) in data.catalog.clientMetrics.matchParameters
	_can_compile_in_java(trim_space(expression))
}

# java.util.regex knows more than RE2, and a brace is never plain to it: only what both are sure of is refused.
_can_compile_in_java(expression) if {
	plain := regex.replace(expression, `\\[pP]\{[^{}]*\}|\\.|\[[^\[\]]*\]`, "")
	not endswith(plain, `\`)
	not contains(regex.replace(plain, `\{[0-9]+(,[0-9]*)?\}`, ""), "{")
	_is_re2_or_java_syntax(expression)
}

_is_re2_or_java_syntax(expression) if regex.is_valid(expression)

_is_re2_or_java_syntax(expression) if regex.match(`\(\?|[*+?}]\+|\{|\\`, expression)
