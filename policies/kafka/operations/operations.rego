# METADATA
# title: Operations
# description: |
#   One row per operation that decisions can be about; the rules of this package are rows and nothing else. Read by
#   the router, the check of a request's form, the checks of rules and of settings, and the generator of JSON Schemas.
#   Each row is a constant, so that OPA looks it up and copies nothing. Its columns:
#
#   - `subject`: the kind of resource that it is about, by which engine/router.rego prepares it.
#   - `types`: the fields of its `request` and their JSON types; `required`: those that must be there, with the same
#     types, so that one comparison finds one that is missing; `nullable`: those that may also be null; `inside`: what
#     more a field must be (request/kinds.rego).
#   - `unchanged`: of an operation that has a state before it: the fields of its request that name what it alters, and
#     what stands for a change that alters nothing (engine/cause.rego).
#   - `families`: the families of rules that are evaluated (rules/families.rego, which is written from this column).
#   - `freshness`: what the settings may want where the cluster's state is old. `request` (decide without the state) is
#     there for an operation whose request is whole by itself; nothing at all for one whose request carries its state.
#   - `reads`: the parts of the cluster's state that its decisions read.
#   - `fields`: the fields of a stored topic that its source may not know, and what a decision does without (topics/
#     unknown_fields.rego): they are `needed`, or the replicas that are there are `counted`.
#   - `shares`: of an operation that a scan asks about all resources of a cluster: what of `reads` the inputs share. The
#     rest comes with each resource, or not at all: an audit of a topic reads no totals, which any new topic changes.
#     True is all of it, an object has fields, `*` stands for every other key.
#   - `own`: what of `reads` comes with the one resource, as paths into the state. A step is a key, or names one: `of`
#     by what the resource is called there (`after` a character), `in` by the text at another path. A part that the
#     state has and the resource is not in is there without it.
#   - `answers`: fields that its decision has besides those of every decision.
# scope: subpackages
package kafka.operations
