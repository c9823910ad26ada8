package kafka.model.brokers

# METADATA
# description: |
#   What Kafka refuses of two numbers of a broker's that stand in another order than they may: a row for each pair in
#   catalog/startup.
_out_of_order(texts, rows) := {message |
	some row in rows
	some name in [row.one, row.other]
	texts[name]
	_violates(row.must, _number(texts, row.one), _number(texts, row.other))
	message := object.get(row, "says", $"{row.one} must be {row.must} {row.other}")
}

_violates("greater than or equal to", one, other) if one < other

_violates("less than or equal to", one, other) if one > other

_violates("less than", one, other) if one >= other
