"""The plugin of brokers (deploy/broker): what goes into server.properties, and what is wrong with one."""
