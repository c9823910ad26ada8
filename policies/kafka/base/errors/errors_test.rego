package kafka.base.errors_test

import data.kafka.base.errors

test_new_takes_the_code_of_the_catalogue if {
	errors.new("POLICY_VIOLATION", "m") == {"code": 44, "name": "POLICY_VIOLATION", "message": "m"}
}

test_new_knows_no_other_name if not errors.new("UNEXPECTED_SERVER_ERROR", "m")

test_sorted_as_kafka_comes_upon_them if {
	invalid_b := errors.new("INVALID_CONFIG", "b")
	invalid_a := errors.new("INVALID_CONFIG", "a")
	exists := errors.new("TOPIC_ALREADY_EXISTS", "a")
	other := errors.new("NO_REASSIGNMENT_IN_PROGRESS", "a")
	errors.sorted({other, exists, invalid_b, invalid_a}) == [exists, invalid_a, invalid_b, other]
}

test_sorted_nothing if errors.sorted(set()) == []
