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

// TestRefusals checks that each refusal is counted, and one a minute logged for each network.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		counted := 0
		refused := Refusals(slog.New(slog.NewTextHandler(&out, nil)), func(string) { counted++ })
		for i := range 100 {
			refused(fmt.Sprintf("10.0.0.1:%d", i), errors.New("no"))
		}
		refused("10.0.0.2:1", errors.New("no"))
		if n := strings.Count(out.String(), "\n"); counted != 101 || n != 2 {
			t.Errorf("%d counted, %d logged:\n%s", counted, n, &out)
		}
		out.Reset()
		time.Sleep(time.Minute)
		refused("10.0.0.1:1", errors.New("no"))
		if !strings.Contains(out.String(), "suppressed=99") {
			t.Error(out.String())
		}
	})
}
