# METADATA
# title: ACLs
# description: Bindings that are created, deleted by a filter, or audited.
package kafka.model.acls

# METADATA
# description: What rules see as `input` for a document about an ACL.
prepared(document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"acl": document.request.acl,
	"labels": {},
	"current": null,
	"requested": document.request.acl,
})
