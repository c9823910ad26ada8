# METADATA
# title: JSON pointers
# description: Places in a document as RFC 6901 writes them.
package kafka.base.pointers

# METADATA
# description: The JSON pointer of a path.
format(path) := concat("", [concat("", ["/", strings.replace_n({"~": "~0", "/": "~1"}, name)]) | some name in path])
