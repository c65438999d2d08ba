package fixed

// Coefficients of cosine and sine in units of 2^-51, of Exp2 in units of 2^-63. They are
// magnitudes: the signs of cosine and sine alternate, those of Exp2 are positive.
const (
	cos0 = 0x0009de9e64df22ef
	cos1 = 0x00020783e1036b58
	cos2 = 0x00002aba78fc7965
	cos3 = 0x000001e1f5068689
	cos4 = 0x0000000d368f77a5
	cos5 = 0x000000003f39c48f
	cos6 = 0x0000000000d979fa

	sin0 = 0x000c90fdaa22168c
	sin1 = 0x00052aef39896f90
	sin2 = 0x0000a335e33bac40
	sin3 = 0x000009969667172f
	sin4 = 0x000000541e0bf690
	sin5 = 0x00000001e30071d7
	sin6 = 0x00000000078fce43

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
