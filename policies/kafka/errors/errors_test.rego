package kafka.errors_test

import data.kafka.errors

test_new_takes_the_code_of_the_catalogue if {
	errors.new("POLICY_VIOLATION", "m") == {"code": 44, "name": "POLICY_VIOLATION", "message": "m"}
}

test_new_knows_no_other_name if not errors.new("UNEXPECTED_SERVER_ERROR", "m")

test_sorted_by_name_then_message if {
	invalid_b := errors.new("INVALID_CONFIG", "b")
	invalid_a := errors.new("INVALID_CONFIG", "a")
	exists := errors.new("TOPIC_ALREADY_EXISTS", "a")
	errors.sorted({exists, invalid_b, invalid_a}) == [invalid_a, invalid_b, exists]
}

test_sorted_nothing if errors.sorted(set()) == []
