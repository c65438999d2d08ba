package api

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/version"
)

// Identify sets the headers with this build's protocol number and release in a request or an answer.
func Identify(h http.Header) {
	h.Set(version.ProtocolHeader, strconv.Itoa(version.Protocol))
	h.Set(version.ReleaseHeader, version.Release)
}

// anyProtocol reports whether a request is served whatever the caller's protocol number is: questions
// for health, and requests that end a job or free its slot, so that none is left behind by an upgrade.
func anyProtocol(path string) bool {
	return path == "/v1/health" || strings.HasSuffix(path, "/cancel") || strings.HasSuffix(path, "/release")
}

// CheckProtocol returns an error if the caller of request r runs another protocol number (version.Protocol) than
// this node. Requests that any version may send, such as health requests and cancellations, pass. caller and
// node are names for the error.
func CheckProtocol(r *http.Request, caller, node string) error {
	if anyProtocol(r.URL.Path) {
		return nil
	}
	return version.Mismatch(version.Self(node, node+"'s node"), sender(r.Header, caller, caller+"'s tacet"))
}

// checkProtocol is CheckProtocol for the answer to a request of this path. An answer that is not a node's
// is left to the caller.
func (c *Client) checkProtocol(r *http.Response, path string) error {
	foreign := r.StatusCode != http.StatusOK && r.Header.Get(version.ProtocolHeader) == "" && r.Header.Get("Content-Type") != "application/json"
	if anyProtocol(path) || foreign {
		return nil
	}
	return version.Mismatch(version.Self(c.self, c.self+"'s tacet"), sender(r.Header, c.name, c.name+"'s node"))
}

// sender returns the sender of a message with these headers.
func sender(h http.Header, name, program string) version.Peer {
	return version.Other(name, program, version.ParseProtocol(h.Get(version.ProtocolHeader)), h.Get(version.ReleaseHeader))
}
