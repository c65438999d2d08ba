package party_test

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestOfflineGraph: the offline graph is what reports count, for every protocol that is
// registered, and says who sends it.
func TestOfflineGraph(t *testing.T) {
	prog, err := hlo.Parse("test.mlir", []byte(`module @m {
 func.func public @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %z = stablehlo.multiply %x, %y : tensor<8xf32>
  %m = stablehlo.maximum %z, %x : tensor<8xf32>
  return %m : tensor<8xf32>
 }
}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range protocol.Names() {
		t.Run(name, func(t *testing.T) {
			d, err := protocol.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			s := party.Spec{Program: prog, Protocol: name, Ring: 64, Fraction: 18, Computing: max(2, d.Least), Network: "none", Reveal: []int{0}}
			for i := range s.Computing {
				s.Parties = append(s.Parties, fmt.Sprintf("p%d", i))
			}
			for i := range 2 {
				s.Args = append(s.Args, party.Arg{Owner: i, Data: tensor.NewArray(prog.Main.Body.Params[i].Type)})
			}
			g, err := party.OfflineGraph(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := party.Plan(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			out, err := party.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			for what, o := range map[string][2]int64{
				"planned":  {plan.Offline.BytesSent, int64(plan.Offline.Rounds)},
				"measured": {out.Report.Offline.BytesSent, int64(out.Report.Offline.Rounds)},
			} {
				if o != [2]int64{g.Bytes(), int64(g.Rounds())} {
					t.Errorf("%s: %d bytes, rounds, the graph %+v", what, o, g)
				}
			}
			if d.Clear != (g.Bytes() == 0) {
				t.Errorf("%+v", g)
			}
			for rank, sent := range g.BySender(s.Computing) {
				if (sent > 0) != (rank == d.DealerRank() || d.Supply == protocol.BetweenParties) {
					t.Errorf("party %d sends %d offline", rank, sent)
				}
			}
		})
	}
}
