package hlo

// closer maps an opening bracket to its closing bracket.
var closer = [256]byte{'<': '>', '(': ')', '[': ']', '{': '}'}

// scan returns the first offset from i on, outside of strings and nested brackets, at which stop is
// true. "->" is not a closing bracket.
func (p *parser) scan(i int, stop func(i int) bool) int {
	var due []byte // expected closing brackets, innermost last
	for ; ; i++ {
		if len(due) == 0 && stop(i) {
			return i
		}
		if i == len(p.src) {
			p.fail("the text ends within what begins here")
		}
		switch c := p.src[i]; {
		case c == '"':
			i = p.quoted(i) - 1
		case c == '-' && i+1 < len(p.src) && p.src[i+1] == '>':
			i++
		case closer[c] != 0:
			due = append(due, closer[c])
		case c == '>' || c == ')' || c == ']' || c == '}':
			if len(due) == 0 || due[len(due)-1] != c {
				p.failOff(i, "%q closes nothing that is open here", string(c))
			}
			due = due[:len(due)-1]
		}
	}
}

// balanced skips brackets and their content. The current token must be the opening bracket. It
// returns the offset after the closing one.
func (p *parser) balanced(open string) int {
	if !p.is(open) {
		p.unexpected("\"" + open + "\"")
	}
	start := p.tok.start
	end := p.scan(start, func(i int) bool { return i > start })
	p.jump(end)
	return end
}

// opaque skips an attribute up to the comma or bracket that ends it, and returns its text.
func (p *parser) opaque() Opaque {
	start := p.tok.start
	end := p.scan(start, func(i int) bool { return i < len(p.src) && (p.src[i] == ',' || p.src[i] == '}') })
	if end == start {
		p.unexpected("an attribute")
	}
	p.jump(end)
	for end > start && (p.src[end-1] == ' ' || p.src[end-1] == '\n') {
		end--
	}
	return Opaque(p.src[start:end])
}

// skipDict skips {…}.
func (p *parser) skipDict() { p.balanced("{") }
