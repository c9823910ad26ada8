package kafka.rules

import data.kafka.rules.brokers
import data.kafka.rules.changes
import data.kafka.rules.cleanup
import data.kafka.rules.clients
import data.kafka.rules.deletion
import data.kafka.rules.durability
import data.kafka.rules.lists
import data.kafka.rules.messages
import data.kafka.rules.naming
import data.kafka.rules.quotas
import data.kafka.rules.retention
import data.kafka.rules.sizing
import data.kafka.rules.tiering

# METADATA
# description: |
#   The violations of one family, by how the ids of its rules begin, of those families that have rules about operations
#   with a state before them: what is looked at twice is only what is broken. The rest stands under "".
# scope: document
again("KFK-BRK") := brokers.deny

again("KFK-CHG") := changes.deny

again("KFK-CLI") := clients.deny

again("KFK-CMP") := cleanup.deny

again("KFK-DEL") := deletion.deny

again("KFK-DUR") := durability.deny

again("KFK-LST") := lists.deny

again("KFK-MSG") := messages.deny

again("KFK-NAM") := naming.deny

again("KFK-QTA") := quotas.deny

again("KFK-RET") := retention.deny

again("KFK-SIZ") := sizing.deny

again("KFK-TIE") := tiering.deny

again("") := _always
