package hlo

// closer is the bracket that closes another.
var closer = [256]byte{'<': '>', '(': ')', '[': ']', '{': '}'}

// scan returns the first offset from i, outside of strings and of brackets
// opened since, where stop holds. "->" closes nothing.
func (p *parser) scan(i int, stop func(i int) bool) int {
	var due []byte // closing brackets, innermost last
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

// balanced moves over brackets and all they hold without understanding it. The
// current token must be the opening bracket. It returns the offset behind the
// closing one.
func (p *parser) balanced(open string) int {
	if !p.is(open) {
		p.unexpected("\"" + open + "\"")
	}
	start := p.tok.start
	end := p.scan(start, func(i int) bool { return i > start })
	p.jump(end)
	return end
}

// opaque moves over an attribute without understanding it and keeps its text,
// up to the comma or bracket that ends it.
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

// skipDict moves over {…}.
func (p *parser) skipDict() { p.balanced("{") }
