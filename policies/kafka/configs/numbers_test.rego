package kafka.configs_test

import data.kafka.configs

# Each spelling to each of the three readers; a list is empty where Java throws NumberFormatException.
test_numbers[text] if {
	some text, readings in {
		"7": [[7], [7], [7]],
		"-7": [[-7], [-7], [-7]],
		"+7": [[7], [7], [7]],
		"007": [[7], [7], [7]],
		"-007": [[-7], [-7], [-7]],
		"0": [[0], [0], [0]],
		"000": [[0], [0], [0]],
		"-0": [[0], [0], [0]],
		" 7\t": [[7], [7], [7]],
		"2147483647": [[2147483647], [2147483647], [2147483647]],
		"2147483648": [[], [2147483648], [2147483648]],
		"-2147483648": [[-2147483648], [-2147483648], [-2147483648]],
		"-2147483649": [[], [-2147483649], [-2147483649]],
		"9223372036854775807": [[], [9223372036854775807], [9223372036854775807]],
		"9223372036854775808": [[], [], [9223372036854775808]],
		"-9223372036854775808": [[], [-9223372036854775808], [-9223372036854775808]],
		"-9223372036854775809": [[], [], [-9223372036854775809]],
		"0.5": [[], [], [0.5]],
		"+0.5": [[], [], [0.5]],
		".5": [[], [], [0.5]],
		"-.5": [[], [], [-0.5]],
		"5.": [[], [], [5]],
		"00.50": [[], [], [0.5]],
		"5e-1": [[], [], [0.5]],
		"5E1": [[], [], [50]],
		"0.5f": [[], [], [0.5]],
		"0.5D": [[], [], [0.5]],
		"": [[], [], []],
		" ": [[], [], []],
		"-": [[], [], []],
		".": [[], [], []],
		"+-7": [[], [], []],
		"--7": [[], [], []],
		"7 7": [[], [], []],
		"1_000": [[], [], []],
		"0x10": [[], [], []],
		"e5": [[], [], []],
		"NaN": [[], [], []],
		"١": [[], [], []],
		"9223372036854775807e400": [[], [], []],
	}
	ints := [number | number := configs.int32(text)]
	longs := [number | number := configs.int64(text)]
	doubles := [number | number := configs.float64(text)]
	readings == [ints, longs, doubles]
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

test_decimals_can_be_written_out[text] if {
	some text in ["+0.5", ".5", "5.", "00.5", "-.5", "1.d"]
	is_string(json.marshal(configs.float64(text)))
}
