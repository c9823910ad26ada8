package kafka.model.brokers

# METADATA
# description: |
#   What Kafka refuses of two numbers of a broker's that stand in another order than they may: a row for each pair in
#   catalog/startup.
_ordered_pair_problems(texts, rows) := {message |
	some row in rows
	some name in [row.one, row.other]
	texts[name]
	_is_violated(row.must, _number_in_force(texts, row.one), _number_in_force(texts, row.other))
	message := object.get(row, "says", $"{row.one} must be {_comparison_text[row.must]} {row.other}")
}

_is_violated(">=", one, other) if one < other

_is_violated("<=", one, other) if one > other

_is_violated("<", one, other) if one >= other

_comparison_text := {">=": "greater than or equal to", "<=": "less than or equal to", "<": "less than"}
