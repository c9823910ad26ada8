# What rules see as the requested state, shown as a warning: what the engine makes of a change is compared with a broker.
package site.rules.oracle

deny contains {"rule": "ORACLE", "effect": "warn", "message": json.marshal(input.requested)}
