package version

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestInfo(t *testing.T) {
	if i := infoOf(nil); i.Version != Release || i.Protocol != Protocol || i.Commit != "" || i.Go != runtime.Version() {
		t.Errorf("%+v", i)
	}
	i := infoOf(&debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: strings.Repeat("ab", 20)}, {Key: "vcs.modified", Value: "true"}}})
	i.Version, i.Go = "0.2.1", "go1.26.0"
	if want := "0.2.1 (protocol 2, commit abababababab, modified, go1.26.0)"; i.String() != want {
		t.Errorf("%v, want %s", i, want)
	}
	if i := infoOf(nil).String(); !strings.Contains(i, "commit unknown") {
		t.Error(i)
	}
}

// TestSince checks that the first release of the protocol is not later than this build's.
func TestSince(t *testing.T) {
	if base, _, _ := strings.Cut(Release, "-"); base < Since {
		t.Errorf("protocol %d is of release %s, and this build is %s", Protocol, Since, Release)
	}
}

func TestMismatch(t *testing.T) {
	self := Peer{"alice", "alice's node", 2, "0.2.0"}
	for _, x := range []struct {
		protocol int
		release  string
		want     string
	}{
		{2, "0.2.7", ""},
		{0, "", "bob runs protocol 1 (tacet 0.1.0), alice protocol 2 (tacet 0.2.0): upgrade bob's node"},
		{1, "0.1.3", "bob runs protocol 1 (tacet 0.1.3), alice protocol 2 (tacet 0.2.0): upgrade bob's node"},
		{3, "0.3.0-rc.1+x", "alice runs protocol 2 (tacet 0.2.0), bob protocol 3 (tacet 0.3.0-rc.1+x): upgrade alice's node"},
		{3, "0.3\x1b[2J", "alice runs protocol 2 (tacet 0.2.0), bob protocol 3 (tacet of an unknown release): upgrade alice's node"},
		{3, strings.Repeat("9", maxRelease+1), "alice runs protocol 2 (tacet 0.2.0), bob protocol 3 (tacet of an unknown release): upgrade alice's node"},
		{-1, "x", "bob does not say which protocol it runs, and alice runs protocol 2 (tacet 0.2.0): upgrade bob's node"},
	} {
		other := Other("bob", "bob's node", x.protocol, x.release)
		for _, err := range []error{Mismatch(self, other), Mismatch(other, self)} {
			if got := text(err); got != x.want {
				t.Errorf("protocol %d: %q, want %q", x.protocol, got, x.want)
			}
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestParseProtocol(t *testing.T) {
	for text, want := range map[string]int{"": 0, "2": 2, "17": 17, "0": -1, "-1": -1, "2x": -1, "99999999999999999999": -1} {
		if got := ParseProtocol(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
