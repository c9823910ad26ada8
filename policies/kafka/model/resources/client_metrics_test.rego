package kafka.model.resources_test

test_interval[value] if {
	some value, refused in {
		"100": set(),
		"3600000": set(),
		"99": {_out_of_bounds("99")},
		"3600001": {_out_of_bounds("3600001")},
	}
	refused == _alter_errors("client-metrics", "m", {"interval.ms": value})
}

_out_of_bounds(value) := concat(", ", [
	$"INVALID_REQUEST: Invalid value {value} for interval.ms",
	"interval must be between 100 and 3600000 (1 hour)",
])

test_match[value] if {
	some value in [
		"", "client_id=a", " client_id = a.* ", "client_id=a,client_software_name=b", "client_id=a=", "client_id=a{2}{3}",
		"client_id=(?!a)b", `client_id=\p{L}`, `client_id=(a)\1`, "client_id=a++", "client_id=[{]", "client_id=a{1001}",
	]
	set() == _alter_errors("client-metrics", "m", {"match": value})
}

test_no_match[value] if {
	some value in [
		"client_id", "client_id=", "=a", "x=a", "CLIENT_ID=a", "client_id=a=b", "client_id=(", "client_id=*", "client_id=a**",
		"client_id=a{1", "client_id=a{x}", `client_id=\`, "client_id=[",
	]
	{$"INVALID_CONFIG: Illegal client matching pattern: {value}"} == _alter_errors("client-metrics", "m", {"match": value})
}
