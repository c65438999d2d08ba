// Package printable makes text from another machine safe to show on a screen.
//
// Names, error messages and other strings that a node, a submitter or a file brings may contain
// newlines, terminal escape sequences and characters that change the order in which a line is shown. On
// a terminal these could forge what a person reads before approving a job. Text escapes them visibly.
// Strings from outside pass through this package in one place each: a node's answers in api.Client,
// reports in profile.Parse, entries of an audit log in audit.Read. What a node accepts from submitters is
// checked by Check.
package printable

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns s with every character that is not printable escaped as in a Go string literal: \n, \x1b, \u202e.
// If s is longer than max bytes, Text returns its beginning with … at the end; max = 0 sets no bound.
func Text(s string, max int) string {
	if max > 0 && len(s) > max {
		s = s[:max]
		for len(s) > 0 && !utf8.ValidString(s[max4(len(s)):]) { // a character that was cut
			s = s[:len(s)-1]
		}
		s += "…"
	}
	if is(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += n
	}
	return b.String()
}

// max4 returns the offset of the last four bytes of a text of n bytes, the length of the longest
// character.
func max4(n int) int { return max(0, n-4) }

// is reports whether all characters of s are printable.
func is(s string) bool {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || !strconv.IsPrint(r) {
			return false
		}
		i += n
	}
	return true
}

// Check returns an error if s is longer than max bytes or has a character that is not printable. what names the
// text in the error.
func Check(what, s string, max int) error {
	if len(s) > max {
		return fmt.Errorf("%s has %d bytes; at most %d are allowed", what, len(s), max)
	}
	if !is(s) {
		return fmt.Errorf("%s contains characters that cannot be printed: %s", what, Text(s, 200))
	}
	return nil
}

// All replaces every string that v points to, directly or in structs, slices, arrays, maps and pointers, by its
// Text of at most max bytes. v must be a pointer. Keys of maps are replaced too; if keys become equal, one of
// them remains. Unexported fields and byte slices are not changed.
func All(v any, max int) { walk(reflect.ValueOf(v), max) }

func walk(v reflect.Value, max int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), max)
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString(Text(v.String(), max))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), max)
			}
		}
	case reflect.Slice, reflect.Array:
		switch v.Type().Elem().Kind() {
		case reflect.String, reflect.Struct, reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Array, reflect.Map:
			for i := range v.Len() {
				walk(v.Index(i), max)
			}
		}
	case reflect.Map:
		walkMap(v, max)
	}
}

// walkMap rebuilds a map, whose elements cannot be changed in place.
func walkMap(v reflect.Value, max int) {
	type entry struct{ key, value reflect.Value }
	var all []entry
	for it := v.MapRange(); it.Next(); {
		e := entry{reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()}
		e.key.Set(it.Key())
		e.value.Set(it.Value())
		walk(e.key, max)
		walk(e.value, max)
		all = append(all, e)
	}
	v.Clear()
	for _, e := range all {
		v.SetMapIndex(e.key, e.value)
	}
}
