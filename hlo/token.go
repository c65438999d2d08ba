package hlo

import (
	"strconv"
	"strings"
)

// Methods that read single tokens.

// fail stops the parser with an error at the current token.
func (p *parser) fail(format string, args ...any) { failAt(p.here(), p.op, format, args...) }

// unexpected stops the parser with an error: want is expected instead of the current token.
func (p *parser) unexpected(want string) {
	if p.tok.kind == kEOF {
		p.fail("the text ends where %s should stand", want)
	}
	p.fail("%s should stand here, not %s", want, shorten(p.text()))
}

// accept consumes the given word or punctuation if it is next.
func (p *parser) accept(s string) bool {
	if !p.is(s) {
		return false
	}
	p.next()
	return true
}

// expect consumes the given words or punctuation, which are separated by single blanks.
func (p *parser) expect(all string) {
	if p.accept(all) {
		return // a single word, the most frequent case
	}
	for all != "" {
		var s string
		if s, all, _ = strings.Cut(all, " "); !p.accept(s) {
			p.unexpected(strconv.Quote(s))
		}
	}
}

// acceptAll consumes the given words if all of them follow, else none.
func (p *parser) acceptAll(all string) bool {
	back := p.lexer
	for all != "" {
		var s string
		if s, all, _ = strings.Cut(all, " "); !p.accept(s) {
			p.lexer = back
			return false
		}
	}
	return true
}

// take consumes a token of the given kind and returns its text.
func (p *parser) take(k kind, want string) string {
	if p.tok.kind != k {
		p.unexpected(want)
	}
	s := p.text()
	p.next()
	return s
}

// ident consumes a word.
func (p *parser) ident(want string) string { return p.take(kIdent, want) }

// str consumes a string and returns its contents.
func (p *parser) str() string {
	s := p.text()
	pos := p.here()
	p.take(kString, "a string")
	return p.unquote(s, pos)
}

// symbol consumes @name or @"name" and returns the name.
func (p *parser) symbol() string {
	s, pos := p.text(), p.here()
	p.take(kAt, "a symbol such as @main")
	s = s[1:]
	if s[0] == '"' {
		return p.unquote(s, pos)
	}
	return s
}

// unquote decodes MLIR's string escapes: \\, \", \n, \t and two hex digits.
func (p *parser) unquote(s string, pos Pos) string {
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case i < len(s) && (s[i] == '\\' || s[i] == '"'):
			b.WriteByte(s[i])
		case i < len(s) && s[i] == 'n':
			b.WriteByte('\n')
		case i < len(s) && s[i] == 't':
			b.WriteByte('\t')
		case i+1 < len(s) && isHex(s[i]) && isHex(s[i+1]):
			b.WriteByte(unhex(s[i])<<4 | unhex(s[i+1]))
			i++
		default:
			failAt(pos, p.op, "the string has an unknown escape")
		}
	}
	return b.String()
}

// integer consumes a signed integer that fits int64.
func (p *parser) integer() int64 {
	pos := p.here()
	neg := p.accept("-")
	return p.toInt64(p.take(kInt, "an integer"), neg, pos)
}

// toInt64 parses an integer. Values from 2^63 up to 2^64 keep their bits, as unsigned attributes
// require.
func (p *parser) toInt64(digits string, neg bool, pos Pos) int64 {
	u, err := strconv.ParseUint(strings.TrimPrefix(digits, "0x"), base(digits), 64)
	if err != nil || neg && u > 1<<63 {
		failAt(pos, p.op, "the integer %s does not fit 64 bits", shorten(digits))
	}
	if neg {
		return -int64(u)
	}
	return int64(u)
}

// base returns the base of an integer's digits.
func base(digits string) int {
	if strings.HasPrefix(digits, "0x") {
		return 16
	}
	return 10
}

// list reads items separated by commas up to the closing punctuation and consumes that too.
func (p *parser) list(closing string, item func()) {
	if p.accept(closing) {
		return
	}
	for {
		item()
		if p.accept(closing) {
			return
		}
		if !p.accept(",") {
			p.unexpected(strconv.Quote(",") + " or " + strconv.Quote(closing))
		}
	}
}

// ints reads [1, 2].
func (p *parser) ints() []int64 {
	p.expect("[")
	p.buffer = p.buffer[:0]
	p.list("]", func() { p.buffer = append(p.buffer, p.integer()) })
	return append(make([]int64, 0, len(p.buffer)), p.buffer...)
}

// dims reads [1, 2] as dimension numbers.
func (p *parser) dims() []int {
	var out []int
	for _, v := range p.ints() {
		out = append(out, int(v))
	}
	return out
}

// bools reads [true, false].
func (p *parser) bools() []bool {
	p.expect("[")
	out := []bool{}
	p.list("]", func() { out = append(out, p.boolElement()) })
	return out
}

// boolean reads true or false.
func (p *parser) boolean() bool {
	if p.accept("true") {
		return true
	}
	if !p.accept("false") {
		p.unexpected("true or false")
	}
	return false
}

// unhex returns the value of a hexadecimal digit.
func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
