package kafka.rules.brokers

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: Only controllers that are listed join or leave the quorum
# description: |
#   More than half of the voters have to be there for a cluster's metadata to change. One that is removed is missing at
#   the next fault, and one that is added and does not run is missing at once: two of three, and nothing can be created,
#   elected or configured.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-853%3A+KRaft+Controller+Membership+Changes
# custom:
#   id: KFK-BRK-011
#   severity: critical
#   controls: [SOC2 A1.2, ISO27001 A.8.14]
#   operations: [AddRaftVoter, RemoveRaftVoter]
#   params:
#     join:
#       type: array
#       items: {type: string, format: glob}
#       description: "Ids of controllers that may be added as voters; * matches any characters."
#     leave:
#       type: array
#       items: {type: string, format: glob}
#       description: "Ids of controllers that may be removed as voters; * matches any characters."
#   messages:
#     join: controller {voter} may not be added as a voter
#     leave: controller {voter} may not be removed as a voter
#   fix: have those who run the cluster add {voter} to `{case}` of this rule for as long as the change takes
deny contains violation.new(rego.metadata.rule(), {"case": case, "voter": voter}, ["voter"], []) if {
	input.operation in {"AddRaftVoter", "RemoveRaftVoter"}
	params := input.params["KFK-BRK-011"]
	voter := input.request.voter
	case := _voter_case_by_operation[input.operation]
	not globs.has_match(params[case], voter)
}

_voter_case_by_operation := {"AddRaftVoter": "join", "RemoveRaftVoter": "leave"}
