# METADATA
# title: SCRAM credentials
# description: Credentials of users as they are set and removed, never their secrets.
# scope: subpackages
package kafka.model.scram

import data.kafka.base.errors
import data.kafka.cluster

# METADATA
# description: What rules see as `input` for a document about SCRAM credentials.
prepared(document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"user": document.request.user,
	"mechanism": document.request.mechanism,
	"iterations": object.get(document.request, "iterations", -1),
	"remove": object.get(document.request, "remove", false),
	"labels": {},
	"current": null,
	"requested": null,
})

# METADATA
# description: |
#   What a controller refuses of a credential (org.apache.kafka.controller.ScramControlManager, 4.3). Whether there is
#   one to remove is only said where the state has the users.
refusals(document) := {errors.new("UNACCEPTABLE_CREDENTIAL", "Username must not be empty")} if {
	document.request.user == ""
} else := {errors.new("UNSUPPORTED_SASL_MECHANISM", "Unknown SCRAM mechanism")} if {
	not data.catalog.scram.iterations[document.request.mechanism]
} else := {errors.new("RESOURCE_NOT_FOUND", "Attempt to delete a user credential that does not exist") |
	user := object.get(cluster.part(document, "users"), document.request.user, {"scram": {}})
	not document.request.mechanism in object.keys(user.scram)
} if {
	document.request.remove
} else := {errors.new("UNACCEPTABLE_CREDENTIAL", message) |
	limits := data.catalog.scram.iterations[document.request.mechanism]
	iterations := object.get(document.request, "iterations", -1)
	clamped := max([limits.min, min([iterations, limits.max])])
	message := {-1: "Too few iterations", 1: "Too many iterations"}[_sign(iterations - clamped)]
}

_sign(number) := number / abs(number) if number != 0
