package node

import (
	"net/http"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
)

// describe returns the types of the arrays in an input of this party. Nobody learns from a refusal whether an input
// exists that the policy does not let the caller describe. No data is read.
func (n *Node) describe(r *http.Request) (api.InputTypes, error) {
	name := r.URL.Query().Get("name")
	p := n.policy.Policy()
	found, err := n.config.findInput(api.Input{Owner: n.config.Name, Name: name})
	if err != nil {
		found.name = name
	}
	if !p.MayDescribe(caller(r), found.name) {
		return api.InputTypes{}, refuse(http.StatusForbidden,
			"the policy of %s does not let %s learn types and shapes of the input %.200q (a rule that lets its submitters has the input in inputs, and describe: true)",
			n.config.Name, caller(r), name)
	}
	if err != nil {
		return api.InputTypes{}, refuse(http.StatusNotFound, "%w", err)
	}
	if found.table != nil {
		return api.InputTypes{}, refuse(http.StatusBadRequest, "the input %.200q of %s is made of a table, whose shape is known when the table is read", name, n.config.Name)
	}
	arrays, err := job.FileTypes(found.path)
	if err != nil {
		return api.InputTypes{}, refuse(http.StatusBadRequest, "the input %.200q of %s has no types: %w", name, n.config.Name, err)
	}
	out := api.InputTypes{Name: found.name}
	for _, a := range arrays {
		out.Arrays = append(out.Arrays, api.ArrayType{Name: a.Name, Type: a.Type.String(), Shape: a.Type.Shape, DType: a.Type.DType.String()})
	}
	n.log.Info("types of an input told", "input", found.name, "to", caller(r))
	return out, nil
}
