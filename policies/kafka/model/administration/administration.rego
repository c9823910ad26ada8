# METADATA
# title: Administration
# description: |
#   Requests about a cluster as a whole, or about its groups, each of which is decided as one, as Kafka carries it out.
#   What they say is in `request`, as it came.
# scope: subpackages
package kafka.model.administration

import data.kafka.base.errors

# METADATA
# description: What rules see as `input` for such a request.
prepared(document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"labels": {},
	"current": null,
	"requested": null,
})

# METADATA
# description: |
#   What a controller refuses of it by the request alone (org.apache.kafka.controller.FeatureControlManager, 4.3). Which
#   levels its nodes support is in no state; of a group its coordinator says whether it is there, and empty, at this
#   moment, which a state of some seconds ago cannot.
refusals(document) := {errors.new("INVALID_UPDATE_VERSION", concat("", [_feature_update_error_prefix, message])) |
	some update in document.request.featureUpdates
	update.maxVersionLevel < 0
	place := $"Invalid update version {update.maxVersionLevel} for feature {update.feature}. "
	message := concat("", [place, "A feature version cannot be less than 0."])
}

_feature_update_error_prefix := "The update failed for all features since the following feature had an error: "
