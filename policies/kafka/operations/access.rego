package kafka.operations

# METADATA
# title: Create an ACL
# description: An ACL that is requested.
CreateAcl := {
	"subject": "acl",
	"types": {"acl": "object"},
	"required": {"acl": "object"},
	"inside": {"acl": "acl"},
	"families": {"access", "clients", "naming"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Delete ACLs
# description: A filter whose ACLs are to be deleted; null matches any value.
DeleteAcl := {
	"subject": "acl",
	"types": {"acl": "object"},
	"required": {"acl": "object"},
	"inside": {"acl": "aclFilter"},
	"families": {"clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Audit an ACL
# description: An ACL as it stands.
AuditAcl := {
	"subject": "acl",
	"types": {"acl": "object"},
	"required": {"acl": "object"},
	"inside": {"acl": "acl"},
	"families": {"access", "naming"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"meta", "topics", "users"},
	"shares": {"meta": {"unknown": true}},
	"own": [["users", {"of": "principal", "after": ":"}], ["topics", {"of": "resourceName"}]],
}

# METADATA
# title: Alter a quota
# description: A change of the quotas of an entity.
AlterQuota := {
	"subject": "quota",
	"types": {"entity": "object", "ops": "array"},
	"required": {"entity": "object", "ops": "array"},
	"inside": {"entity": "quotaEntity", "ops": "quotaOps"},
	"unchanged": {"of": {"entity"}, "change": {"ops": []}},
	"families": {"clients", "naming", "quotas"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"meta", "quotas"},
}

# METADATA
# title: Alter SCRAM credentials
# description: A user's SCRAM credentials that are set or removed; never their salts or passwords.
AlterScram := {
	"subject": "scram",
	"types": {"user": "string", "mechanism": "string", "iterations": "number", "remove": "boolean"},
	"required": {"user": "string", "mechanism": "string"},
	"inside": {"iterations": "integer"},
	"families": {"clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta", "users"},
}
