"""Readers of documents that declare resources, a module for each family of forms; `dispatch` chooses by content.

Where a topic is a document, its format is a row of `topic_formats`: Strimzi, Confluent's operator, Jikkou, ns4kafka,
Aiven, Redpanda, Crossplane, topicctl. ACLs, quotas and users of Strimzi, Jikkou and topicctl are in `users`, those of
the others in modules of their names. kafka-gitops and JulieOps are in `gitops`, Terraform in `terraform`.
"""
