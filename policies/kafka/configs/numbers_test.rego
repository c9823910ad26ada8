package kafka.configs_test

import data.kafka.configs

# Each spelling to both readers; a list is empty where Java throws NumberFormatException.
test_numbers[text] if {
	some text, readings in {
		"7": [[7], [7]],
		"-7": [[-7], [-7]],
		"+7": [[7], [7]],
		"007": [[7], [7]],
		"-007": [[-7], [-7]],
		"0": [[0], [0]],
		"000": [[0], [0]],
		"-0": [[0], [0]],
		" 7\t": [[7], [7]],
		"2147483647": [[2147483647], [2147483647]],
		"2147483648": [[], [2147483648]],
		"-2147483648": [[-2147483648], [-2147483648]],
		"-2147483649": [[], [-2147483649]],
		"9223372036854775807": [[], [9223372036854775807]],
		"9223372036854775808": [[], []],
		"-9223372036854775808": [[], [-9223372036854775808]],
		"-9223372036854775809": [[], []],
		"": [[], []],
		" ": [[], []],
		"-": [[], []],
		".": [[], []],
		"+-7": [[], []],
		"--7": [[], []],
		"7 7": [[], []],
		"1_000": [[], []],
		"0x10": [[], []],
		"e5": [[], []],
		"NaN": [[], []],
		"0.5": [[], []],
		"١": [[1], [1]],
		"-٠٤２": [[-42], [-42]],
		"1\u0000": [[1], [1]],
		"\u000b1": [[1], [1]],
		"1\u00a0": [[], []],
		"𝟎": [[], []],
	}
	ints := [number | number := configs.int32(text)]
	longs := [number | number := configs.int64(text)]
	readings == [ints, longs]
}

test_int16[text] if {
	some text, read in {"32767": [32767], "32768": [], "-32768": [-32768], "-32769": [], "007": [7], "x": []}
	read == [number | number := configs.int16(text)]
}

# to_number takes spellings that cannot be written out as JSON, and then the whole answer is an error.
test_numbers_can_be_written_out[text] if {
	some text, written in {"007": "7", "+7": "7", "-007": "-7", "+0": "0"}
	{written} == {json.marshal(configs.int32(text)), json.marshal(configs.int64(text))}
}
