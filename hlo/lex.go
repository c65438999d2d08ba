package hlo

import (
	"bytes"
	"strings"
)

// kind is the class of a token.
type kind uint8

const (
	kEOF     kind = iota
	kIdent        // tensor, stablehlo.add, true
	kPercent      // %0, %arg0
	kAt           // @main, @"a name"
	kHash         // #loc1, #stablehlo.dot, the #1 of %0#1
	kBang         // !stablehlo.token
	kCaret        // ^bb0
	kInt          // 12, 0xFF800000 (no sign)
	kFloat        // 1.0, 1.5e-3 (no sign)
	kString       // "…", quotes included
	kPunct        // ( ) { } [ ] < > , = : + - * ? -> ::
)

// token is the piece src[start:end] of the text.
type token struct {
	kind       kind
	start, end int
	line, col  int
}

// lexer splits the text into tokens, one at a time. A lexer is a value: a copy saves a position to
// return to.
type lexer struct {
	file      string
	src       []byte
	pos       int // where the next token is searched
	line      int // of pos
	lineStart int // offset of that line's first byte
	tok       token
}

func newLexer(file string, src []byte) lexer {
	l := lexer{file: file, src: src, line: 1}
	l.next()
	return l
}

// text returns the current token's text.
func (l *lexer) text() string { return string(l.src[l.tok.start:l.tok.end]) }

// is reports whether the current token is the given word or punctuation.
func (l *lexer) is(s string) bool {
	t := &l.tok
	return t.end-t.start == len(s) && l.src[t.start] == s[0] && (t.kind == kIdent || t.kind == kPunct) && string(l.src[t.start:t.end]) == s
}

// here returns the current token's position.
func (l *lexer) here() Pos { return Pos{File: l.file, Line: l.tok.line, Col: l.tok.col} }

// at returns the position of an offset in the text. It takes linear time and is meant for errors.
func (l *lexer) at(off int) Pos {
	before := l.src[:off]
	return Pos{File: l.file, Line: 1 + bytes.Count(before, []byte{'\n'}), Col: off - bytes.LastIndexByte(before, '\n')}
}

// jump moves to an offset and reads the token there.
func (l *lexer) jump(to int) {
	skipped := l.src[l.pos:to]
	if n := bytes.Count(skipped, []byte{'\n'}); n > 0 {
		l.line += n
		l.lineStart = l.pos + bytes.LastIndexByte(skipped, '\n') + 1
	}
	l.pos = to
	l.next()
}

// next reads the next token into tok.
func (l *lexer) next() {
	l.space()
	start := l.pos
	l.tok = token{start: start, end: start, line: l.line, col: start - l.lineStart + 1}
	if start == len(l.src) {
		l.tok.kind = kEOF
		return
	}
	c := l.src[start]
	switch {
	case isLetter(c):
		l.tok.kind, l.pos = kIdent, l.run(start, classIdent)
	case isDigit(c):
		l.number()
	case c == '"':
		l.tok.kind, l.pos = kString, l.quoted(start)
	case c == '@' && start+1 < len(l.src) && l.src[start+1] == '"':
		l.tok.kind, l.pos = kAt, l.quoted(start+1)
	case sigils[c] != 0:
		l.tok.kind, l.pos = sigils[c], l.run(start+1, classSuffix)
		if l.pos == start+1 {
			failAt(l.here(), "", "a name is missing after %q", string(c))
		}
	default:
		l.punct(c)
	}
	l.tok.end = l.pos
}

var sigils = [256]kind{'%': kPercent, '@': kAt, '#': kHash, '!': kBang, '^': kCaret}

// space skips blanks, newlines and comments.
func (l *lexer) space() {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n':
			l.pos++
			l.line++
			l.lineStart = l.pos
		case c == ' ' || c == '\t' || c == '\r':
			l.pos++
		case c == '/' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '/':
			if n := bytes.IndexByte(l.src[l.pos:], '\n'); n >= 0 {
				l.pos += n
			} else {
				l.pos = len(l.src)
			}
		default:
			return
		}
	}
}

// run returns the offset of the first byte from start that is not in class.
func (l *lexer) run(start int, class byte) int {
	for start < len(l.src) && classes[l.src[start]]&class != 0 {
		start++
	}
	return start
}

// number reads digits, a hexadecimal number, or a decimal fraction.
func (l *lexer) number() {
	start := l.pos
	l.tok.kind = kInt
	if l.src[start] == '0' && start+2 < len(l.src) && l.src[start+1] == 'x' && isHex(l.src[start+2]) {
		l.pos = l.run(start+2, classHex)
		return
	}
	l.pos = l.run(start, classDigit)
	if l.pos == len(l.src) || l.src[l.pos] != '.' {
		return
	}
	l.tok.kind = kFloat
	l.pos = l.run(l.pos+1, classDigit)
	if l.pos < len(l.src) && (l.src[l.pos] == 'e' || l.src[l.pos] == 'E') {
		exp := l.pos + 1
		if exp < len(l.src) && (l.src[exp] == '+' || l.src[exp] == '-') {
			exp++
		}
		if end := l.run(exp, classDigit); end > exp {
			l.pos = end
		}
	}
}

// quoted returns the offset after the string that begins at start.
func (l *lexer) quoted(start int) int {
	i := start + 1
	for {
		n := bytes.IndexByte(l.src[i:], '"')
		if n < 0 {
			failAt(l.at(start), "", "the string has no end")
		}
		if nl := bytes.IndexByte(l.src[i:i+n], '\n'); nl >= 0 {
			failAt(l.at(start), "", "the string has no end on its line")
		}
		slashes := 0
		for j := i + n - 1; j > start && l.src[j] == '\\'; j-- {
			slashes++
		}
		i += n + 1
		if slashes%2 == 0 {
			return i
		}
	}
}

// punct reads punctuation.
func (l *lexer) punct(c byte) {
	l.tok.kind = kPunct
	next := byte(0)
	if l.pos+1 < len(l.src) {
		next = l.src[l.pos+1]
	}
	switch {
	case c == '-' && next == '>' || c == ':' && next == ':':
		l.pos += 2
	case classes[c]&classPunct != 0:
		l.pos++
	case c >= 0x80 || c < ' ':
		failAt(l.here(), "", "byte 0x%02x cannot stand here", c)
	default:
		failAt(l.here(), "", "%q cannot stand here", string(c))
	}
}

// Classes of bytes.
const (
	classLetter = 1 << iota // and _
	classDigit
	classHex
	classIdent  // part of a word
	classSuffix // part of a name after its sigil
	classType   // part of a type before its first ">"
	classBlank
	classPunct
)

var classes = func() (t [256]byte) {
	for i := range t {
		for class, in := range map[byte]string{
			classDigit: "0123456789", classHex: "0123456789abcdefABCDEF", classBlank: " \t\n\r", classPunct: "(){}[]<>,=:+-*?",
			classIdent: "0123456789$._", classSuffix: "0123456789$._-", classType: "0123456789$._<", classLetter: "_",
		} {
			if strings.IndexByte(in, byte(i)) >= 0 {
				t[i] |= class
			}
		}
		if c := byte(i) | 0x20; c >= 'a' && c <= 'z' {
			t[i] |= classLetter | classIdent | classSuffix | classType
		}
	}
	return t
}()

func isLetter(c byte) bool { return classes[c]&classLetter != 0 }
func isDigit(c byte) bool  { return classes[c]&classDigit != 0 }
func isHex(c byte) bool    { return classes[c]&classHex != 0 }
