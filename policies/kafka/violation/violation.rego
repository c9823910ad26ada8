# METADATA
# title: Violation
# description: The one constructor of violations; a rule's texts stand in its METADATA, its body gives what differs.
package kafka.violation

# METADATA
# description: |
#   A violation of the rule whose METADATA is `metadata`. `args` fill the `{name}` places of its message and fix;
#   `path` leads to the value at fault in the request, `patch` is a JSON Patch of the request that mends it, or [].
new(metadata, args, path, patch) := {
	"rule": metadata.custom.id,
	"severity": metadata.custom.severity,
	"message": _fill(metadata.custom.message, args),
	"fix": _fill(metadata.custom.fix, args),
	"path": path,
	"patch": patch,
}

_fill(template, args) := strings.replace_n({$"\{{name}}": _text(value) | some name, value in args}, template)

_text(value) := value if is_string(value)

_text(value) := json.marshal(value) if not is_string(value)
