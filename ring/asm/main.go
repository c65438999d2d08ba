// Command asm generates the amd64 kernels of package ring, or with -pkg eval, fixed, he or ot those of package
// eval, mpc/fixed, he or ot, with avo. go generate runs it in these packages.
//
// Each kernel has a portable twin in its package, which is its specification.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	flag.Parse()
	ConstraintExpr("!purego")
	switch flag.Lookup("pkg").Value.String() {
	case "eval":
		floatProducts()
	case "fixed":
		waves52()
		wavesFMA()
	case "he":
		polynomials()
	case "ot":
		transfers()
	default:
		ofRing()
	}
	Generate()
}

// ofRing generates the kernels of package ring.
func ofRing() {
	for rows := 1; rows <= tileRows512; rows++ {
		for vectors := 1; vectors <= tileVectors512; vectors++ {
			matMul512(rows, vectors)
		}
	}
	for rows := 1; rows <= tileRows256; rows++ {
		matMul256(rows)
	}
	pack256()
	for rows := 1; rows <= tileRows128; rows++ {
		matMul128(rows)
	}
	matVec512()
	halves()
	split()
	oneWord()
	twoWords(permutations())
	bitwise()
	transposed()
	lookUp63(lanes("up63", func(i int) uint64 { return uint64(i) }), lanes("down63", func(i int) uint64 { return uint64(64 - i) }))
	lookUp15()
	lookUp256()
	tables15()
	transposed256()
	unpacked()
	packed()
	spread()
	countDiffering()
	withAVX2()
	tapRows()
	streams()
}
