# METADATA
# title: What the decision log must not show
# description: |
#   OPA asks `mask` and `drop` before it writes a decision down. A mask replaces the whole input (or result) by a copy
#   in which secrets are starred out: OPA's masks by path cannot address a key with a slash, a blank or a percent sign,
#   and the names of clusters, topics and configs are the caller's to choose.
package system.log

# METADATA
# title: Masks for OPA's decision log
# scope: document
mask contains {"op": "upsert", "path": "/input", "value": _starred_document(input.input, _input_secret_paths)} if {
	not _is_scan
	count(_input_secret_paths) > 0
}

mask contains {"op": "upsert", "path": "/result", "value": _starred_document(input.result, paths)} if {
	not _is_too_deep
	not _is_scan
	paths := _secret_paths(input.result) | _repeated_secret_paths
	count(paths) > 0
}

# Looking for secrets takes time that grows with the cube of how deep a document is nested, which its sender chooses.
# The result may repeat what the input says.
mask contains {"op": "upsert", "path": "/input", "value": _too_deep_text} if _is_too_deep

mask contains {"op": "upsert", "path": "/result", "value": _result_if_too_deep(input.result)} if _is_too_deep

_too_deep_text := $"nested more than {_max_depth} levels deep: not looked through for secrets, and not shown"

_result_if_too_deep(result) := object.filter(result, ["allowed"]) if {
	is_object(result)
	"allowed" in object.keys(result)
} else := _too_deep_text

_input_secret_paths := _secret_paths(input.input) if not _is_too_deep

# A result can repeat what the input said, under another name or inside a message.
_repeated_secret_paths contains path if {
	secrets := {secret |
		some path in _input_secret_paths
		secret := _scalar_text(object.get(input.input, path, ""))
		count(secret) > 2
	}
	count(secrets) > 0
	walk(input.result, [path, value])
	text := _scalar_text(value)
	some secret in secrets
	contains(text, secret)
}

_scalar_text(value) := value if is_string(value)

_scalar_text(value) := json.marshal(value) if is_number(value)

_starred_document(document, paths) := json.patch(document, [{"op": "replace", "path": path, "value": "***"} |
	some path in paths
])
