"""The plugin of brokers (glue/broker_plugin): what goes into server.properties, and what is wrong with one."""
