package ops

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestRefusals checks that each refusal is counted, and that for each network a reason is logged once a
// minute, and ten reasons at most.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		counted := 0
		refused := Refusals(slog.New(slog.NewTextHandler(&out, nil)), func(string) { counted++ })
		for i := range 100 {
			from := fmt.Sprintf("10.0.0.1:%d", i)
			refused(from, fmt.Errorf("%s: no", from))
		}
		refused("10.0.0.2:1", errors.New("no"))
		if n := strings.Count(out.String(), "\n"); counted != 101 || n != 2 {
			t.Errorf("%d counted, %d logged:\n%s", counted, n, &out)
		}
		out.Reset()
		time.Sleep(time.Minute)
		refused("10.0.0.1:1", errors.New("no"))
		for i := range 100 {
			refused("10.0.0.1:1", fmt.Errorf("reason %d", i))
		}
		if n := strings.Count(out.String(), "\n"); n != 10 {
			t.Errorf("%d reasons are logged:\n%s", n, &out)
		}
		if !strings.Contains(out.String(), "suppressed=99") {
			t.Error(out.String())
		}
	})
}
