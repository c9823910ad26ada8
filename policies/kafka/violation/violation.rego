# METADATA
# title: Violation
# description: The one constructor of violations; a rule's texts stand in its METADATA, its body gives what differs.
package kafka.violation

# METADATA
# description: |
#   A violation of the rule whose METADATA is `metadata`. `args` fill the `{name}` places of its message and fix;
#   of a rule with `messages` or `fixes`, texts by case, `args.case` is the case.
#   `path` leads to the value at fault in the request, `patch` is a JSON Patch of the request that mends it, or [].
#   `order`, which no decision shows, says for engine/cause.rego what is worse, where the METADATA does and the document
#   has a state before it.
#   With `effect` "warn" among the arguments it never denies.
new(metadata, args, path, patch) := object.union(_violation(metadata, args, path, patch), {"effect": "warn"}) if {
	args.effect == "warn"
} else := object.union(_violation(metadata, args, path, patch), {"order": order}) if {
	input.hasBefore
	order := _order_distance(metadata.custom.order, args)
} else := _violation(metadata, args, path, patch)

_violation(metadata, args, path, patch) := {
	"rule": metadata.custom.id,
	"severity": metadata.custom.severity,
	"message": strings.replace_n(filling, message),
	"fix": strings.replace_n(filling, fix),
	"path": path,
	"patch": patch,
} if {
	# Not a template string, which costs six times what this does; every violation passes here.
	filling := {concat("", ["{", name, "}"]): sprintf("%v", [value]) | some name, value in args}

	# A case without a text is named itself: the violation is never lost.
	case := object.get(args, "case", "")
	message := object.get(metadata.custom, ["messages", case], object.get(metadata.custom, "message", case))
	fix := object.get(metadata.custom, ["fixes", case], object.get(metadata.custom, "fix", case))
}

# By how much `of` is away from `from`, two of the arguments; where they are not numbers, only what is the same is not
# worse. A negative number that is no limit is away by most.
_order_distance("same", _) := "same"

_order_distance(order, args) := _greatest_distance if {
	order.unlimited
	args[order.of] < 0
} else := args[order.of] - args[order.from] if {
	is_number(args[order.of])
	is_number(args[order.from])
} else := "same" if order.of

_greatest_distance := 36893488147419103232
