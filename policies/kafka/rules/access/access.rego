# METADATA
# title: Access
# description: What access control lists grant, and to whom.
package kafka.rules.access

# METADATA
# description: Whether an ACL grants something; only what is certainly a denial grants nothing.
_is_grant(acl) if upper(object.get(acl, "permissionType", "")) != "DENY"
