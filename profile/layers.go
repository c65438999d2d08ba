package profile

// PlacesByLayer returns a map from names of layers, which are those of Groups(ByLayer), to the places of their
// operations in the program.
func (r *Report) PlacesByLayer() map[string][]string {
	l := r.layers()
	out := map[string][]string{}
	for _, o := range r.Ops {
		for _, s := range o.Sites {
			name, _ := l.layerOf(o, s)
			out[name] = append(out[name], o.Loc)
		}
	}
	return out
}
