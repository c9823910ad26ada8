# What rules see as the requested state, and as the change to it, shown as a warning: what the engine makes of a request
# is compared with a broker.
package site.rules.oracle

deny contains {"rule": "ORACLE", "effect": "warn", "message": json.marshal(_shown)}

_shown := [input.requested, object.get(input, "change", null)]
