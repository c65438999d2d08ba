package fixed

// Coefficients in units of 2^-63, all of one sign: cosine and sine alternate,
// Exp2's add.
const (
	cos0 = 0x9de9e64df22ef2d2
	cos1 = 0x20783e1036b58765
	cos2 = 0x02aba78fc797fede
	cos3 = 0x001e1f506891ae96
	cos4 = 0x0000d368f950436b
	cos5 = 0x000003f3a70e1107
	cos6 = 0x0000000db6f45ce1
	cos7 = 0x0000000023ce8c47

	sin0 = 0xc90fdaa22168c235
	sin1 = 0x52aef39896f94aed
	sin2 = 0x0a335e33bad56c91
	sin3 = 0x0099696673156119
	sin4 = 0x000541e0d2172fb1
	sin5 = 0x00001e3074b50107
	sin6 = 0x0000007a3bb45112
	sin7 = 0x000000016c5b8d7b

	exp1  = 0x58b90bfbe8e7bcd6
	exp2  = 0x1ebfbdff82c58ea0
	exp3  = 0x071ac235c12831c4
	exp4  = 0x013b2ab6fba4be39
	exp5  = 0x002bb0ffcf16a419
	exp6  = 0x00050c244bd5438b
	exp7  = 0x00007ff2ff4c21cf
	exp8  = 0x00000b160074e9fa
	exp9  = 0x000000da93d5fcb9
	exp10 = 0x0000000f24d3cdf2
	exp11 = 0x00000000f5e6a282
	exp12 = 0x000000000d3df1bd
	exp13 = 0x00000000010a7236
)
