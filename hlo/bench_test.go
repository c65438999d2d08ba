package hlo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every fixture, in bytes of text per second.
func BenchmarkFixtures(b *testing.B) {
	for _, file := range fixtures(b) {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(filepath.Dir(file)), func(b *testing.B) { parseAgain(b, text) })
	}
}

// One constant of 4 Mi elements as hexadecimal digits.
func BenchmarkHex(b *testing.B) {
	for _, c := range []struct {
		dtype string
		bytes int
	}{{"i1", 1}, {"bf16", 2}, {"f32", 4}, {"i32", 4}, {"f64", 8}, {"complex<f32>", 8}} {
		const n = 1 << 22
		hex := strings.Repeat("00", n*c.bytes-1) + "01"
		text := inMain(fmt.Sprintf("%%0 = stablehlo.constant dense<\"0x%s\"> : tensor<%dx%s>", hex, n, c.dtype))
		b.Run(c.dtype, func(b *testing.B) { parseAgain(b, []byte(text)) })
	}
}

// The same elements as a list of decimal fractions.
func BenchmarkList(b *testing.B) {
	const n = 1 << 18
	text := inMain(fmt.Sprintf("%%0 = stablehlo.constant dense<[%s1.0]> : tensor<%dxf32>", strings.Repeat("-1.234567e-03, ", n-1), n))
	parseAgain(b, []byte(text))
}

func parseAgain(b *testing.B, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("p", text); err != nil {
			b.Fatal(err)
		}
	}
}
