// Package table reads tables with typed columns from CSV and Parquet files, and prepares columns as numbers.
//
//	t, err := table.Read("patients.csv", table.Options{Columns: []string{"age", "region"}})
//	m, err := t.Prepare([]table.Step{{Column: "age", Standardise: true}, {Column: "region", OneHot: true}}, false)
//
// Everything here happens at the owner of the table, in clear. What other parties may see of it, a shape and
// the names of features, does not depend on the table's values if levels are declared.
//
// # Kinds
//
// A column holds integers (64 bits), floats, booleans, categories, dates or strings, and marks missing values.
// Strings have no numeric form: a program gets them as a category's levels (OneHot names the column
// explicitly), never as text.
//
// # CSV files
//
// Fields are separated by commas, or by the separator that Format names; a field with separators, quotes or
// line ends is quoted by ", and a quote in it is doubled. Lines end with LF or CRLF. The first line names the
// columns. Files are UTF-8, with or without byte order mark, or UTF-16 with one; other encodings are declared.
// Only the columns that Options.Columns names are parsed, but every row has as many fields as the header.
//
// A field that is one of the missing spellings, without the spaces around it, is a missing value. The kind of a
// column that Options.Types does not declare is the first of these that all its other fields have:
//
//  1. boolean: true or false, in lower case, upper case or capitalised;
//  2. integer: digits with an optional sign, without leading zeros, from −2^63 to 2^63 − 1;
//  3. float: a decimal number with an optional exponent; digits alone that are no integer are no float either;
//  4. date: YYYY-MM-DD, or the declared pattern;
//  5. string.
//
// All fields of the column decide, not the first ones. A column without any value is float. Spaces around
// numbers, booleans and dates are ignored; those of strings and categories belong to the value. A column
// becomes a category by declaration only.
//
// A record has at most MaxRecord bytes, a table MaxColumns columns. Empty lines, ragged rows, two columns of
// one name, and files without rows are refused with file, line and column, where a column is counted in
// bytes of the line, as editors do, from 1.
//
// # Parquet files
//
// Columns are flat and of a physical type with one of these meanings: boolean; integers up to int64, and
// unsigned ones below 2^63; float and double; decimals, as floats; dates; strings; enums, as categories.
// Null and NaN are missing values. Timestamps are read as dates (in UTC) if Options.Types declares them so.
// Other types are refused when the column is used. All encodings and codecs of the library are read.
// The build tag noparquet leaves the library out (5 MB of a program): Parquet files are then refused.
//
// # Preparation
//
// A Step turns one column into features: it fills missing values, takes parts of dates, bins, encodes levels as
// 0 and 1, or standardises, in this order. Means, quantiles and levels are those of the whole column at its
// owner. If the rows of a table are split between parties, these would need the others' rows; such steps are
// refused unless their constants are declared.
package table
