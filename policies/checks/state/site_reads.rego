package checks.state

# METADATA
# description: |
#   What of the prepared input each package `site.rules.NAME` reads, by NAME, as `reads` has it of the library's rules,
#   with who asks, where and when, which are of the request. A package reads what its modules do, and those of the
#   site's that they name. `input` is {"modules": {path: source}} of library and site.
# entrypoint: true
site_reads[name] := sort({path |
	some file in graph.reachable(_used_site_files, files)
	some path in _site_reads_by_file[file]
}) if {
	some name in {names[3] | some names in _site_package_by_file; names[2] == "rules"}
	files := {file | some file, names in _site_package_by_file; names == ["data", "site", "rules", name]}
}

_site_package_by_file[file] := names if {
	some file, module in _modules
	names := [piece.value | some piece in module["package"].path]
	names[1] == "site"
}

_used_site_files[file] := {other |
	some other, names in _site_package_by_file
	some named in _data_references(_modules[file])
	array.slice(named, 0, count(names)) == names
} | {other | some other, names in _site_package_by_file; names == _site_package_by_file[file]} if {
	some file, _ in _site_package_by_file
}

# What begins with data, in an import or where it stands.
_data_references(module) := {names |
	walk([module.rules, object.get(module, "imports", [])], [_, {"type": "ref", "value": pieces}])
	pieces[0].value == "data"
	names := [piece.value | some piece in pieces]
}

_site_reads_by_file[file] := union({
	{path | some path in _unfiltered_input_paths(module); not _is_shared_path(path)},
	_whole_input_paths(module),
	{[] |
		some reader in _input_reader_packages
		reader[1] != "site"
		some named in _data_references(module)
		array.slice(named, 0, count(reader)) == reader
	},
}) if {
	some file, _ in _site_package_by_file
	module := _modules[file]
}

_is_shared_path(path) if path[0] in _shared_fields

# The same before a change and after it, and of the cluster or the settings.
_shared_fields := {"cluster", "clusterState", "operation", "params", "part"}

_unfiltered_input_paths(module) := {path |
	walk(module.rules, [_, {"type": "ref", "value": pieces}])
	pieces[0].value == "input"
	count(pieces) > 1
	names := [piece.value | some piece in array.slice(pieces, 1, count(pieces)); piece.type == "string"]
	path := [name | some i, name in names; pieces[i + 1].value == name]
}
