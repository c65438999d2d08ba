package profile

// PlacesByLayer returns, by the names of layers as Groups(ByLayer) has them, the places of the layers' operations in
// the program.
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
