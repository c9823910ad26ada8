# METADATA
# description: A comparison with what another comparison gives
package custom.regal.rules.bugs["chained-comparison"]

import data.regal.ast
import data.regal.result

# `a == b != c` is read as `(a == b) != c`, which is nearly always true; and `opa fmt` takes away the parentheses of
# `a == (b != c)`, which then says the same. Give the inner comparison a name.
report contains violation if {
	some rule in ast.found.calls
	some call in rule
	_compares(call)
	some operand in array.slice(call, 1, count(call))
	operand.type == "call"
	_compares(operand.value)
	violation := result.fail(rego.metadata.chain(), result.location(operand))
}

_compares(call) if ast.ref_to_string(call[0].value) in {"equal", "gt", "gte", "lt", "lte", "neq"}
