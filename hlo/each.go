package hlo

// Each calls f for all operations of a program in the order of its text, for those of an operation's
// regions before the operation.
func (p *Program) Each(f func(*Op)) {
	for _, fn := range p.Funcs {
		fn.Body.each(f)
	}
}

func (b *Block) each(f func(*Op)) {
	for _, o := range b.Ops {
		for _, r := range o.Regions {
			r.each(f)
		}
		f(o)
	}
}
