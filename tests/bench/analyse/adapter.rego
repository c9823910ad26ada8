# METADATA
# title: The decision as conftest wants it
# description: |
#   conftest reads the rules `deny` of one package. One message for each error is what a decision has; an input that
#   nothing is decided about is denied as well, so that it is not counted among those that pass.
package bench

deny contains message if some message in data.kafka.decision.errors

deny contains "nothing was decided" if not data.kafka.decision
