package hlo

// Each calls f for every operation of the program in the order of its text. Operations in an operation's regions come
// before that operation.
func (p *Program) Each(f func(*Op)) {
	for _, fn := range p.Funcs {
		fn.Body.each(f)
	}
}

// eachValue calls f for the parameters and results of a block, regions included.
func (b *Block) eachValue(f func(*Value)) {
	for _, v := range b.Params {
		f(v)
	}
	for _, o := range b.Ops {
		for _, r := range o.Regions {
			r.eachValue(f)
		}
		for _, v := range o.Results {
			f(v)
		}
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
