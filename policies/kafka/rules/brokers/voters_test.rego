package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_kept_out(voter, done) := {
	"rule": "KFK-BRK-011",
	"severity": "critical",
	"message": $"controller {voter} may not be {done} as a voter",
	"fix": $"have those who run the cluster add {voter} to `{_lists[done]}` of this rule for as long as the change takes",
	"path": ["voter"],
	"patch": [],
}

_lists := {"added": "join", "removed": "leave"}

_voted(operation, voter, params) := deny if {
	deny := family.deny with input as {
		"operation": operation,
		"params": {"KFK-BRK-011": params},
		"request": {"voter": voter},
	}
}

test_voters[note] if {
	some note, tc in {
		"none is listed": {"listed": [], "voter": "3001", "denied": true},
		"listed": {"listed": ["3001"], "voter": "3001", "denied": false},
		"the second that is listed": {"listed": ["3002", "3001"], "voter": "3001", "denied": false},
		"another is listed": {"listed": ["3002"], "voter": "3001", "denied": true},
		"one that begins so": {"listed": ["300"], "voter": "3001", "denied": true},
		"of a pattern": {"listed": ["30*"], "voter": "3001", "denied": false},
		"any": {"listed": ["*"], "voter": "3001", "denied": false},
	}
	joined := {_kept_out(tc.voter, "added") | tc.denied}
	joined == _voted("AddRaftVoter", tc.voter, {"join": tc.listed, "leave": []})
	left := {_kept_out(tc.voter, "removed") | tc.denied}
	left == _voted("RemoveRaftVoter", tc.voter, {"join": [], "leave": tc.listed})
}

# Who may join may not leave for that, nor the other way round.
test_voters_of_the_other_list if {
	{_kept_out("1", "removed")} == _voted("RemoveRaftVoter", "1", {"join": ["*"], "leave": []})
	{_kept_out("1", "added")} == _voted("AddRaftVoter", "1", {"join": [], "leave": ["*"]})
}
