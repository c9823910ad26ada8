package kafka.model.brokers

# METADATA
# description: |
#   What Kafka refuses of listeners at one port: names of hosts, two addresses of one sort, or more than two addresses
#   (the parser of listeners, 4.3). Port 0 is another one for each.
_duplicate_port_problems(listeners) := {message |
	endpoints := _endpoints(listeners)
	some port in {endpoint.port | some endpoint in endpoints; endpoint.port != "0"}
	hosts := [endpoint.host | some endpoint in endpoints; endpoint.port == port]
	count(hosts) > 1
	addresses := [host | some host in hosts; _is_ip_address(host)]
	problem := _duplicate_port_message(count(hosts) - count(addresses), addresses)
	message := $"{replace(problem, "{listeners}", $"[{concat(", ", listeners)}]")}{_port_suffix(addresses, port)}"
}

_duplicate_port_message(names, _) := "Each listener must have a different port, listeners: {listeners}" if names > 1

_duplicate_port_message(names, addresses) := concat("", [
	"If you have two listeners on the same port then one needs to be IPv4 and the other IPv6, ",
	"listeners: {listeners}",
]) if {
	names < 2
	count(addresses) == 2
	[names, count([address | some address in addresses; contains(address, ":")])] != [0, 1]
}

_duplicate_port_message(names, addresses) := concat("", [
	"Each listener must have a different port unless exactly one listener has an IPv4 address and the other ",
	"IPv6 address, listeners: {listeners}",
]) if {
	names < 2
	not count(addresses) in {0, 2}
}

_port_suffix([], _) := ""

_port_suffix(addresses, port) := $", port: {port}" if addresses != []

_is_ip_address(host) if {
	length := {true: 128, false: 32}[contains(host, ":")]
	net.cidr_is_valid($"{host}/{length}")
}
