package kafka.configs_test

import data.kafka.configs

# What Java 17's Double.parseDouble makes of a spelling; a list is empty where it throws NumberFormatException.
test_doubles[text] if {
	some text, reading in {
		"7": [7],
		"-7": [-7],
		"007": [7],
		"0": [0],
		"-0": [0],
		" 7\t": [7],
		"0.5": [0.5],
		"+0.5": [0.5],
		".5": [0.5],
		"-.5": [-0.5],
		"5.": [5],
		"00.50": [0.5],
		"5e-1": [0.5],
		"5E1": [50],
		"5e+01": [50],
		"0.5f": [0.5],
		"0.5D": [0.5],
		"1.00000000000000000001": [1],
		"0.1234567890123456789": [0.12345678901234568],
		"1e308": [1e308],
		"1e309": ["Infinity"],
		"-1e309": ["-Infinity"],
		"1e-400": [0],
		"1e99999999999": ["Infinity"],
		"-1e99999999999": ["-Infinity"],
		"1e-99999999999": [0],
		"0e99999999999": [0],
		"NaN": ["NaN"],
		"-NaN": ["NaN"],
		"+Infinity": ["Infinity"],
		"-Infinity": ["-Infinity"],
		"0x1p-1": [0.5],
		"0x.8p0": [0.5],
		"0X1P-2d": [0.25],
		"-0xA.8p0f": [-10.5],
		"0x1.p3": [8],
		"0x0p5": [0],
		"0x1p1024": ["Infinity"],
		"0x.1p1028": ["Infinity"],
		"0x1p1022": [bits.lsh(1, 1022)],
		"-0x1p1023": [0 - bits.lsh(1, 1023)],
		"0xfp1020": [15 * bits.lsh(1, 1020)],
		"0x1.fffffffffffff7p1023": [bits.lsh(1, 1024) - (9 * bits.lsh(1, 967))],
		"0x1.fffffffffffff8p1023": ["Infinity"],
		"-0x1.fffffffffffffcp1023": ["-Infinity"],
		"0x1p60": [1152921504606846976],
		"0x1p-2000": [0],
		"-0x1p99999999999": ["-Infinity"],
		"": [],
		" ": [],
		"-": [],
		".": [],
		"e5": [],
		"1e": [],
		"nan": [],
		"NaNd": [],
		"Infinityf": [],
		"0x1": [],
		"0xp1": [],
		"0x1p": [],
		"1_0": [],
		"1dd": [],
		"١": [],
	}
	reading == [number | number := configs.float64(text)]
}

# to_number takes spellings that cannot be written out as JSON, and then the whole answer is an error.
test_doubles_can_be_written_out[text] if {
	some text in ["+0.5", ".5", "5.", "00.5", "-.5", "1.d", "0x1p-1074", "1e-324", "1e400", "NaN"]
	is_string(json.marshal(configs.float64(text)))
}
