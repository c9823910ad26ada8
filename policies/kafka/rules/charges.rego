package kafka.rules

import data.kafka.base.pointers
import data.kafka.rules.deletion
import data.kafka.rules.sizing

# METADATA
# description: |
#   What the prepared document adds to what rules with a cap count, as amounts by JSON pointers into the cluster's
#   state; below `/request` stands what counts within its request alone. What a request frees is credited to nobody.
charges[pointers.format(path)] := amount if {
	some [path, amount] in (deletion.charge | sizing.charge)
	amount > 0
}
