// Command asm generates package ring's kernels for amd64 with avo:
//
//	cd ring/asm && go run . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg ring
//
// Each has a portable twin in package ring, which is its specification.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	for rows := 1; rows <= tileRows512; rows++ {
		for vectors := 1; vectors <= tileVectors512; vectors++ {
			matMul512(rows, vectors)
		}
	}
	for rows := 1; rows <= tileRows256; rows++ {
		matMul256(rows)
	}
	for rows := 1; rows <= tileRows128; rows++ {
		matMul128(rows)
	}
	oneWord()
	twoWords(constants())
	bitwise()
	Generate()
}
