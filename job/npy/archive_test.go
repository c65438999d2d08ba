package npy

import (
	"archive/zip"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/tensor"
)

func TestArchive(t *testing.T) {
	for _, name := range []string{"stored", "deflated"} {
		a, err := OpenArchive("testdata/" + name + ".npz")
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if d := cmp.Diff([]string{"arg0", "arg1"}, a.Names()); d != "" {
			t.Error(d)
		}
		typ, err := a.Type("arg1")
		if want := (tensor.Type{DType: tensor.I64, Shape: tensor.Shape{4}}); err != nil || !typ.Equal(want) {
			t.Errorf("%s: arg1 is %v (%v), want %v", name, typ, err, want)
		}
		got, err := a.Read("arg0")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(values["float32"], got); d != "" {
			t.Error(d)
		}
		if _, err := a.Read("arg7"); err == nil {
			t.Error("read an array that is not there")
		}
	}
}

func TestArchiveOfZeros(t *testing.T) {
	a, err := OpenArchive("testdata/zeros.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	z, err := a.Read("arg0") // compresses at almost the maximum ratio
	if err != nil || z.Len() != 100_000 {
		t.Fatal(z, err)
	}
}

// archive writes raw entries.
func archive(t *testing.T, write func(*zip.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := write(z); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRefuseArchive(t *testing.T) {
	damaged, err := os.ReadFile("testdata/stored.npz")
	if err != nil {
		t.Fatal(err)
	}
	damaged[bytes.Index(damaged, []byte("\x80?"))]++ // inside the data: the checksum no longer matches
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"nothing": {nil, "not an .npz archive"},
		"an .npy": {testFile(t, "float32"), "not an .npz archive"},
		"doubled": {archive(t, func(z *zip.Writer) error {
			if _, err := z.Create("arg0.npy"); err != nil {
				return err
			}
			_, err := z.Create("arg0.npy")
			return err
		}), `array "arg0" is in the archive twice`},
		"bomb": {archive(t, func(z *zip.Writer) error {
			w, err := z.CreateRaw(&zip.FileHeader{Name: "arg0.npy", Method: zip.Deflate, CompressedSize64: 4, UncompressedSize64: 1 << 30})
			if err != nil {
				return err
			}
			_, err = w.Write(make([]byte, 4))
			return err
		}), "claims more bytes"},
		"stored bomb": {archive(t, func(z *zip.Writer) error {
			w, err := z.CreateRaw(&zip.FileHeader{Name: "arg0.npy", Method: zip.Store, CompressedSize64: 4, UncompressedSize64: 5})
			if err != nil {
				return err
			}
			_, err = w.Write(make([]byte, 4))
			return err
		}), "claims more bytes"},
		"not an array": {archive(t, func(z *zip.Writer) error {
			w, err := z.Create("arg0.npy")
			if err != nil {
				return err
			}
			_, err = w.Write([]byte("hello"))
			return err
		}), `array "arg0": not an .npy array`},
		"damaged": {damaged, `array "arg0": read data: zip: checksum error`},
	} {
		a, err := NewArchive(bytes.NewReader(c.file), int64(len(c.file)))
		if err == nil {
			_, err = a.Read("arg0")
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func FuzzReadNPZ(f *testing.F) {
	for _, name := range []string{"stored", "deflated"} {
		b, err := os.ReadFile("testdata/" + name + ".npz")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := NewArchive(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for _, name := range a.Names() {
			x, err := a.Read(name)
			if err == nil && x.Len()*width(x.DType) > len(b)*maxDeflate {
				t.Fatalf("%d elements from an archive of %d bytes", x.Len(), len(b))
			}
		}
	})
}
