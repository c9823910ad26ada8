package kafka.rules

import data.kafka.rules.brokers
import data.kafka.rules.changes
import data.kafka.rules.cleanup
import data.kafka.rules.clients
import data.kafka.rules.config_keys
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
#   The violations of one family, by how the ids of its rules begin, of those families that have rules about
#   operations with a state before them: what is looked at twice is only what is broken. The rest stands under "".
#   Written by `python -m tools.families` from the columns `families` and `unchanged` of kafka/operations.
# scope: document
violations_of_family("KFK-BRK") := brokers.deny

violations_of_family("KFK-CFG") := config_keys.deny

violations_of_family("KFK-CHG") := changes.deny

violations_of_family("KFK-CLI") := clients.deny

violations_of_family("KFK-CMP") := cleanup.deny

violations_of_family("KFK-DEL") := deletion.deny

violations_of_family("KFK-DUR") := durability.deny

violations_of_family("KFK-LST") := lists.deny

violations_of_family("KFK-MSG") := messages.deny

violations_of_family("KFK-NAM") := naming.deny

violations_of_family("KFK-QTA") := quotas.deny

violations_of_family("KFK-RET") := retention.deny

violations_of_family("KFK-SIZ") := sizing.deny

violations_of_family("KFK-TIE") := tiering.deny

violations_of_family("") := _common_denials
