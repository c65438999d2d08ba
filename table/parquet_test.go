//go:build !noparquet

package table

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"
)

// columns is a row of every type that is read.
type columns struct {
	B   bool     `parquet:"b"`
	I32 int32    `parquet:"i32"`
	I64 *int64   `parquet:"i64,optional"`
	U8  uint8    `parquet:"u8"`
	U64 uint64   `parquet:"u64"`
	F32 float32  `parquet:"f32"`
	F64 *float64 `parquet:"f64,optional"`
	S   string   `parquet:"s"`
	E   string   `parquet:"e,enum"`
	D   int32    `parquet:"d,date"`
	Dec int64    `parquet:"dec,decimal(2:18)"`
	Fix [4]byte  `parquet:"fix,decimal(1:9)"`
}

func pointer[T any](x T) *T { return &x }

// rowsOf returns n rows.
func rowsOf(n int) []columns {
	out := make([]columns, n)
	for i := range out {
		out[i] = columns{i%3 == 0, int32(-i), pointer(int64(i) << 40), uint8(i), uint64(i), float32(i) / 2, pointer(float64(i) / 8),
			fmt.Sprint("s", i%7), string("xyz"[i%3]), int32(i - 1), int64(-i * 125), [4]byte{255, 255, 255, byte(255 - i%100)}}
		if i%5 == 1 {
			out[i].I64, out[i].F64 = nil, nil
		}
	}
	return out
}

// write writes rows as a Parquet file.
func write[T any](t testing.TB, rows []T, options ...parquet.WriterOption) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	for len(rows) > 0 {
		n := min(len(rows), 300)
		if _, err := w.Write(rows[:n]); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil { // a row group
			t.Fatal(err)
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// checkColumns compares a table with the rows that were written.
func checkColumns(t *testing.T, path string, rows []columns) {
	t.Helper()
	got, err := Read(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Field{{"b", Boolean}, {"i32", Integer}, {"i64", Integer}, {"u8", Integer}, {"u64", Integer}, {"f32", Float}, {"f64", Float},
		{"s", String}, {"e", Category}, {"d", Date}, {"dec", Float}, {"fix", Float}}
	if !reflect.DeepEqual(got.Schema(), want) || got.Rows != len(rows) {
		t.Fatalf("got %v of %d rows", got.Schema(), got.Rows)
	}
	for i, r := range rows {
		var have, want []any
		for _, c := range got.Columns {
			switch {
			case c.IsMissing(i):
				have = append(have, nil)
			default:
				have = append(have, c.text(i))
			}
		}
		day := time.Unix(int64(r.D)*86400, 0).UTC().Format(time.DateOnly)
		want = append(want, fmt.Sprint(r.B), fmt.Sprint(r.I32), nil, fmt.Sprint(r.U8), fmt.Sprint(r.U64), fmt.Sprint(r.F32), nil, r.S, r.E,
			day, fmt.Sprint(float64(r.Dec)/100), fmt.Sprint(float64(-1-i%100)/10))
		if r.I64 != nil {
			want[2], want[6] = fmt.Sprint(*r.I64), fmt.Sprint(*r.F64)
		}
		if !reflect.DeepEqual(have, want) {
			t.Fatalf("row %d: got %v, want %v", i, have, want)
		}
	}
}

func TestParquetCodecs(t *testing.T) {
	rows := rowsOf(700)
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd, &parquet.Lz4Raw}
	for _, codec := range codecs {
		for _, version := range []int{1, 2} {
			t.Run(fmt.Sprint(codec, version), func(t *testing.T) {
				checkColumns(t, write(t, rows, parquet.Compression(codec), parquet.DataPageVersion(version), parquet.PageBufferSize(500)), rows)
			})
		}
	}
}

func TestParquetEncodings(t *testing.T) {
	rows := rowsOf(700)
	for _, c := range []struct {
		kind parquet.Kind
		enc  encoding.Encoding
	}{
		{parquet.Boolean, &parquet.RLE}, {parquet.Int32, &parquet.DeltaBinaryPacked}, {parquet.Int64, &parquet.DeltaBinaryPacked},
		{parquet.Int32, &parquet.RLEDictionary}, {parquet.Int64, &parquet.RLEDictionary}, {parquet.Float, &parquet.ByteStreamSplit},
		{parquet.Double, &parquet.ByteStreamSplit}, {parquet.Double, &parquet.RLEDictionary}, {parquet.ByteArray, &parquet.DeltaByteArray},
		{parquet.ByteArray, &parquet.DeltaLengthByteArray}, {parquet.ByteArray, &parquet.RLEDictionary}, {parquet.Int64, &parquet.Plain},
		{parquet.FixedLenByteArray, &parquet.DeltaByteArray}, {parquet.FixedLenByteArray, &parquet.RLEDictionary},
	} {
		t.Run(fmt.Sprint(c.kind, c.enc), func(t *testing.T) {
			checkColumns(t, write(t, rows, parquet.DefaultEncodingFor(c.kind, c.enc)), rows)
		})
	}
}

func TestParquetDeclared(t *testing.T) {
	type row struct {
		When time.Time `parquet:"when,timestamp(microsecond)"`
		N    int64     `parquet:"n"`
		Text string    `parquet:"text"`
		NaN  float64   `parquet:"nan"`
	}
	nan := 0.0
	path := write(t, []row{
		{time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC), 1, "2", nan / nan},
		{time.Date(1969, 12, 31, 1, 0, 0, 0, time.UTC), 0, "NA", 1},
	})
	got, err := Read(path, Options{Types: map[string]Type{"when": {Kind: Date}, "n": {Kind: Boolean}, "text": {Kind: Category}}})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, c := range got.Columns {
		all = append(all, show(c, got.Rows))
	}
	if s := strings.Join(all, "; "); s != "date 2024-02-29 1969-12-31; boolean true false; category 2 NA; float ? 1" {
		t.Errorf("got %s", s)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, `column "when": the column holds timestamps (declare the type date`},
		{Options{Columns: []string{"text"}, Types: map[string]Type{"text": {Kind: Integer}}}, `row 2, column "text": "NA" is not an integer`},
		{Options{Columns: []string{"nan"}, Types: map[string]Type{"nan": {Kind: Integer}}}, "float in the file and cannot be read as integer"},
		{Options{Columns: []string{"x"}}, `there is no column "x" (the table has when, n, text, nan)`},
		{Options{Columns: []string{"n"}, Format: Format{Decimal: ','}}, "format is for CSV files"},
	} {
		if _, err := Read(path, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestParquetRefuses(t *testing.T) {
	type list struct {
		L []int64 `parquet:"l"`
	}
	type group struct {
		G struct{ X int64 } `parquet:"g"`
	}
	type id struct {
		ID [16]byte `parquet:"id,uuid"`
	}
	type big struct {
		U uint64 `parquet:"u"`
	}
	for _, c := range []struct{ path, want string }{
		{write(t, []list{{[]int64{1, 2}}}), `column "l": the column is nested`},
		{write(t, []group{{}}), `column "g": the column is nested`},
		{write(t, []id{{}}), "columns of type UUID are not read"},
		{write(t, []big{{1}, {1 << 63}}), `row 2, column "u": 9223372036854775808: the number is too large`},
		{write(t, []big{}), "the table has no rows, only 1 columns"},
		{text(t, ""), ".parquet: the file is empty"},
		{text(t, "PAR1"), ".parquet: not a Parquet file: it has 4 bytes only"},
	} {
		if _, err := Read(c.path, Options{}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), c.path) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if _, err := ColumnNames(c.path, Options{}); strings.Contains(c.want, "file") && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("names: got %v, want %q", err, c.want)
		}
	}
}

// text writes a Parquet file with this text.
func text(t *testing.T, s string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestParquetDamaged cuts a file and changes its bytes: it is refused or read, never a panic.
func TestParquetDamaged(t *testing.T) {
	whole, err := os.ReadFile(write(t, rowsOf(50)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	refused := 0
	try := func(text []byte) {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path, Options{}); err != nil {
			refused++
		}
	}
	for n := 0; n < len(whole); n += 97 {
		try(whole[:n])
	}
	if cuts := (len(whole) + 96) / 97; refused != cuts {
		t.Errorf("%d of %d cut files were refused", refused, cuts)
	}
	for i := 0; i < len(whole); i += 41 {
		changed := bytes.Clone(whole)
		changed[i] ^= 0x55
		try(changed)
	}
}
