package kafka

import data.kafka.base.reads

# METADATA
# title: State that is read
# description: |
#   The parts of a cluster's state that decisions read under the settings in force, so that a replicator can leave the
#   rest out. `operations` has those that decisions about each operation read. Of the operations that a scan asks about,
#   `shared` has what of them its inputs share, `own` what comes with each resource, `lookups` the parts of other
#   clusters' states that are read (`clusters`, and `topic` where topics of the same name are looked up there), and
#   `aged` those that are decided by the age of the state. `all` is true where rules of a site's own are loaded, which
#   may read anything.
# entrypoint: true
required_state := reads.state
