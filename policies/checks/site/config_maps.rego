package checks.site

# METADATA
# title: Policies of ConfigMaps
# description: |
#   What keeps modules of ConfigMaps from being loaded: pairs of the module's path and a sentence. They may be about
#   placement alone, since who may write a ConfigMap has no say about Kafka.
# entrypoint: true
config_map_problems contains [path, problem] if {
	some path, module in _modules
	some problem in _config_map_problems(module)
}

_config_map_problems(module) := {problem} if {
	names := _package(module)
	array.slice(names, 0, 2) != ["site", "placement"]
	problem := $"package {_dotted(names)} is not for ConfigMaps: use site.placement or site.placement.NAME"
} else := _problems(module)
