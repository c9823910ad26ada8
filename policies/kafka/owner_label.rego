package kafka

import data.kafka.base.settings

# METADATA
# title: The label of owners
# description: |
#   The label that names a topic's owner under the settings in force (`labelKey` of KFK-GOV-001), by which findings and
#   figures are divided among owners.
# entrypoint: true
owner_label := settings.owner_label
