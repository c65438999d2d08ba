//go:build noparquet

package table

import (
	"errors"
	"os"
)

// errParquet is the error of every Parquet file in a build with the tag noparquet.
var errParquet = errors.New("Parquet files are not read by this program, which was built with the tag noparquet (write the table as CSV)")

func readParquet(file string, _ *os.File, _ Options) (*Table, error) {
	return nil, &Error{File: file, Err: errParquet}
}

func parquetNames(file string, _ *os.File) ([]string, error) {
	return nil, &Error{File: file, Err: errParquet}
}
