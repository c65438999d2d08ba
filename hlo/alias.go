package hlo

import "strings"

// aliasDef reads #name = attribute, or #name = loc(…).
func (p *parser) aliasDef() {
	pos := p.here()
	name := p.take(kHash, "an alias")[1:]
	p.expect("=")
	if p.is("loc") {
		if _, twice := p.locAliases[name]; twice {
			failAt(pos, "", "the alias #%s is defined twice", name)
		}
		p.locAliases[name] = p.location()
		return
	}
	if strings.Contains(name, ".") {
		failAt(pos, "", "an alias cannot be called #%s", name)
	}
	if _, twice := p.attrAliases[name]; twice {
		failAt(pos, "", "the alias #%s is defined twice", name)
	}
	p.attrAliases[name] = alias{p.attr()}
}
