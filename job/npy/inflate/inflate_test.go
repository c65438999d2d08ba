package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"testing/iotest"
)

// contents are data of several kinds: literals with short codes and long ones, matches near and far, none.
func contents(r *rand.Rand) map[string][]byte {
	n := 1 + r.IntN(1<<18)
	random, skew, far, near := make([]byte, n), make([]byte, n), make([]byte, n), make([]byte, n)
	period := 1 + r.IntN(history)
	step := 1 + r.IntN(9)
	for i := range n {
		random[i] = byte(r.Uint32())
		skew[i] = byte(r.ExpFloat64() * 12)
		far[i], near[i] = random[i], random[i]
		if i >= period && r.IntN(50) > 0 {
			far[i] = far[i-period]
		}
		if i >= step && r.IntN(30) > 0 {
			near[i] = near[i-step]
		}
	}
	floats := make([]byte, n)
	for i := range n {
		if i%4 >= 2 {
			floats[i] = byte(r.NormFloat64() * 30)
		}
	}
	return map[string][]byte{"random": random, "skew": skew, "far": far, "near": near, "floats": floats, "zeros": make([]byte, n), "empty": nil}
}

// packed returns data compressed at a level, in several blocks.
func packed(t testing.TB, data []byte, level int, r *rand.Rand) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	for len(data) > 0 {
		n := min(len(data), 1+r.IntN(1<<17))
		w.Write(data[:n])
		if data = data[n:]; r.IntN(3) == 0 {
			w.Flush()
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestAgrees compares with compress/flate: all kinds of blocks, readers that return little at a time.
func TestAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	levels := []int{flate.HuffmanOnly, flate.NoCompression, 1, 6, 9}
	for range 3 {
		for name, data := range contents(r) {
			for _, level := range levels {
				in := packed(t, data, level, r)
				for _, wrap := range []func(io.Reader) io.Reader{
					func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader,
				} {
					z := NewReader(wrap(bytes.NewReader(in)))
					out, err := io.ReadAll(z)
					if err != nil || !bytes.Equal(out, data) {
						t.Fatalf("%s, level %d: %d bytes, %v; want %d", name, level, len(out), err, len(data))
					}
					z.Close()
				}
			}
		}
	}
}

// agree fails if data is decompressed in another way than by compress/flate, or only one of both refuses it.
func agree(t *testing.T, data []byte) {
	t.Helper()
	const most = 1 << 22
	want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), most))
	z := NewReader(bytes.NewReader(data))
	defer z.Close()
	got, err := io.ReadAll(io.LimitReader(z, most))
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%x: %v, compress/flate says %v", data, err, wantErr)
	}
	var corrupt flate.CorruptInputError
	if err != nil && !errors.As(err, &corrupt) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("%x: %v", data, err)
	}
	if err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%x: %d bytes, want %d", data, len(got), len(want))
	}
}

// TestDamagedInput damages and cuts compressed data.
func TestDamagedInput(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		for _, data := range contents(r) {
			in := packed(t, data[:min(len(data), 3000)], []int{flate.HuffmanOnly, 1, 6}[r.IntN(3)], r)
			for range 40 {
				bad := bytes.Clone(in)
				for range 1 + r.IntN(3) {
					bad[r.IntN(min(len(bad), 1+r.IntN(len(bad))))] ^= 1 << r.IntN(8)
				}
				agree(t, bad)
				agree(t, in[:r.IntN(len(in))])
			}
		}
	}
	for _, c := range []struct {
		in   string
		want error
	}{
		{"", io.ErrUnexpectedEOF}, {"\x07", flate.CorruptInputError(0)}, {"\x01\x01\x00\x00\x00", flate.CorruptInputError(5)},
		{"\x01\x01\x00\xfe\xff", io.ErrUnexpectedEOF}, {"\x03\x02", flate.CorruptInputError(0)}, {"\x4b", io.ErrUnexpectedEOF},
	} {
		_, err := io.ReadAll(NewReader(bytes.NewReader([]byte(c.in))))
		var corrupt flate.CorruptInputError
		if _, damaged := c.want.(flate.CorruptInputError); damaged != errors.As(err, &corrupt) || !damaged && err != c.want {
			t.Errorf("%q: %v, want %v", c.in, err, c.want)
		}
	}
}

// TestReadErrors passes on errors of the reader, and refuses reads after Close.
func TestReadErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	in := packed(t, contents(r)["skew"], 6, r)
	z := NewReader(io.MultiReader(bytes.NewReader(in[:len(in)/2]), iotest.ErrReader(os.ErrDeadlineExceeded)))
	if _, err := io.ReadAll(z); err != os.ErrDeadlineExceeded {
		t.Errorf("error %v, want that of the reader", err)
	}
	z.Close()
	if _, err := z.Read(make([]byte, 1)); err != errClosed {
		t.Errorf("after Close: %v", err)
	}
}

func FuzzAgrees(f *testing.F) {
	f.Add([]byte("\x4b\x04\x00"))
	f.Add([]byte("\x01\x01\x00\xfe\xffa"))
	r := rand.New(rand.NewPCG(1, 2))
	for _, data := range contents(r) {
		f.Add(packed(f, data[:min(len(data), 500)], 6, r))
	}
	f.Fuzz(agree)
}

// BenchmarkRead measures decompression of floating-point numbers of half precision, in single precision.
func BenchmarkRead(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 4<<20)
	for i := 0; i < len(data); i += 4 {
		data[i+1], data[i+2], data[i+3] = byte(r.Uint32())&0xe0, byte(r.Uint32()), byte(60+r.ExpFloat64())
	}
	in := packed(b, data, 6, r)
	for name, open := range map[string]func(io.Reader) io.ReadCloser{"here": NewReader, "flate": flate.NewReader} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				z := open(bytes.NewReader(in))
				if n, err := io.Copy(io.Discard, z); err != nil || n != int64(len(data)) {
					b.Fatal(n, err)
				}
				z.Close()
			}
		})
	}
}
