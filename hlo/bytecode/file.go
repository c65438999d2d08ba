package bytecode

import (
	"bytes"
	"fmt"
)

// Magic is the text with which MLIR bytecode begins.
const Magic = "ML\xefR"

// Is reports whether data begins with Magic.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(Magic)) }

// Versions of the format that introduced a feature.
const (
	versionDialects   = 1 // a version for each dialect
	versionLazy       = 2 // isolated regions in sections
	versionUses       = 3 // orders of uses
	versionElide      = 4 // no location of a block's argument where it is unknown
	versionProperties = 5 // properties
	versionLast       = 6
)

// File is a parsed file. It refers to the bytes that Open got.
type File struct {
	Version  int     // version of the bytecode format
	Producer string  // producer of the file, such as "StableHLO_v1.15.0"
	Attrs    []Entry // attributes, by the indices that operations have
	Types    []Entry // types, by the indices that operations have

	strings  []string
	dialects []string
	opNames  []string
	props    []span
	ir       Cursor
}

// Entry is the encoding of one attribute or type.
type Entry struct {
	Dialect string // name of the dialect that defines it
	Custom  bool   // whether the encoding is the dialect's binary one; otherwise it is the text that MLIR prints
	span
}

// span is a part of the file.
type span struct {
	data []byte
	off  int
}

// Text returns the encoding of an Entry that is not Custom.
func (e Entry) Text() string { return string(bytes.TrimSuffix(e.data, []byte{0})) }

// Cursor returns a cursor at the beginning of an entry's binary encoding.
func (f *File) Cursor(e Entry) *Cursor { return f.cursor(e.span) }

func (f *File) cursor(s span) *Cursor { return &Cursor{data: s.data, off: s.off, file: f} }

// The section numbers.
const (
	sectionStrings = iota
	sectionDialects
	sectionEntries
	sectionOffsets
	sectionIR
	sectionResources
	sectionResourceOffsets
	sectionVersions
	sectionProperties
	sections
)

var sectionNames = [sections]string{
	"strings", "dialects", "attributes and types", "offsets of attributes and types", "operations", "resources", "offsets of resources", "versions", "properties",
}

// Open parses the tables of a file. It returns an error for data that is not well-formed bytecode of a supported
// version. data must not be changed while the File is used.
func Open(data []byte) (*File, error) {
	f := &File{}
	c := f.cursor(span{data: data})
	if string(c.Bytes(uint64(len(Magic)))) != Magic {
		return nil, fmt.Errorf("not MLIR bytecode")
	}
	v := c.Uint()
	if c.err == nil && v > versionLast {
		return nil, fmt.Errorf("version %d of MLIR bytecode is not supported (supported: up to %d)", v, versionLast)
	}
	f.Version = int(v)
	end := bytes.IndexByte(c.data, 0)
	if end < 0 {
		c.Fail("the producer's name has no end")
	}
	f.Producer = string(bytes.TrimSuffix(c.Bytes(uint64(end+1)), []byte{0}))
	var all [sections]*Cursor
	for !c.Empty() {
		id, s := c.section()
		switch {
		case c.err != nil:
		case id >= sections:
			c.Fail("there is no section %d", id)
		case all[id] != nil:
			c.Fail("the section of %s stands twice", sectionNames[id])
		default:
			all[id] = f.cursor(s)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	for id := range sectionIR + 1 {
		if all[id] == nil {
			return nil, fmt.Errorf("the section of %s is missing", sectionNames[id])
		}
	}
	f.readStrings(all[sectionStrings])
	f.readDialects(all[sectionDialects])
	f.readEntries(all[sectionOffsets], all[sectionEntries])
	if all[sectionProperties] != nil {
		f.readProperties(all[sectionProperties])
	}
	for _, s := range all {
		if s != nil && s.err != nil {
			return nil, s.err
		}
	}
	f.ir = *all[sectionIR]
	return f, nil
}

// section reads a section's header and returns its content.
func (c *Cursor) section() (id int, s span) {
	head := c.Byte()
	length := c.Uint()
	if head&0x80 != 0 {
		align := c.Uint()
		if align == 0 || align&(align-1) != 0 {
			c.Fail("the alignment %d is no power of two", align)
			return 0, s
		}
		for uint64(c.off)&(align-1) != 0 && c.err == nil {
			c.Byte()
		}
	}
	s.off = c.off
	s.data = c.Bytes(length)
	return int(head & 0x7f), s
}

// readStrings reads the lengths, which are in reverse order, and cuts the zero-terminated strings
// from the end.
func (f *File) readStrings(c *Cursor) {
	f.strings = make([]string, c.Count())
	ends := make([]uint64, len(f.strings))
	for i := range ends {
		ends[len(ends)-1-i] = c.Uint()
	}
	for i, n := range ends {
		b := c.Bytes(n)
		if n == 0 || c.err != nil {
			c.Fail("string %d has no end", i)
			return
		}
		f.strings[i] = string(b[:n-1])
	}
}

// readDialects reads the names of dialects and of their operations.
func (f *File) readDialects(c *Cursor) {
	f.dialects = make([]string, c.Count())
	for i := range f.dialects {
		if f.Version < versionDialects {
			f.dialects[i] = c.String()
			continue
		}
		name, versioned := c.Flagged()
		f.dialects[i] = f.str(c, name)
		if versioned {
			c.section()
		}
	}
	if f.Version >= versionElide {
		c.Uint() // total number of operations
	}
	f.groups(c, func(dialect string) {
		name := uint64(0)
		if f.Version >= versionProperties {
			name, _ = c.Flagged()
		} else {
			name = c.Uint()
		}
		f.opNames = append(f.opNames, dialect+"."+f.str(c, name))
	})
}

func (f *File) str(c *Cursor, i uint64) string {
	if i := c.checkBelow(i, len(f.strings), "string"); c.err == nil {
		return f.strings[i]
	}
	return ""
}

// groups reads groups of items that belong to one dialect.
func (f *File) groups(c *Cursor, one func(dialect string)) {
	for !c.Empty() {
		d := c.index(len(f.dialects), "dialect")
		for n := c.Count(); n > 0 && c.err == nil; n-- {
			one(f.dialects[d])
		}
	}
}

// readEntries reads the sizes of attributes and types and cuts out their encodings.
func (f *File) readEntries(offsets, entries *Cursor) {
	attrs := offsets.Count()
	types := offsets.Count()
	all := make([]Entry, 0, offsets.checkCount(uint64(attrs)+uint64(types)))
	f.groups(offsets, func(dialect string) {
		size, custom := offsets.Flagged()
		e := Entry{Dialect: dialect, Custom: custom}
		e.off = entries.off
		e.data = entries.Bytes(size)
		all = append(all, e)
	})
	if offsets.err == nil && len(all) != attrs+types {
		offsets.Fail("%d attributes and %d types are announced, but %d follow", attrs, types, len(all))
		return
	}
	if offsets.err == nil {
		f.Attrs, f.Types = all[:attrs], all[attrs:]
	}
}

// readProperties cuts out the encodings of operation properties.
func (f *File) readProperties(c *Cursor) {
	f.props = make([]span, c.Count())
	for i := range f.props {
		n := c.Uint()
		f.props[i].off = c.off
		f.props[i].data = c.Bytes(n)
	}
}
