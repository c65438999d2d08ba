// Package console serves a local page over the control API of nodes: approvals, jobs, results, the audit log, services,
// health, and a plan explorer for developers.
//
// The server listens on 127.0.0.1 only. The certificate and its key stay in the process: the page never sees them, and
// it shows nothing that the identity may not fetch from the nodes, since each page is made of the nodes' answers to
// this identity.
//
// # Who may read the page
//
// The address has a random token, drawn at each start (Server.URL). The first request with the token sets a cookie and
// leads to the address without it; every other request needs the cookie. The cookie is HttpOnly and SameSite=Strict,
// and limited to a random path, because browsers send cookies of 127.0.0.1 to every port of this machine, also to one
// at which another user listens. A request whose Host is not the server's own is refused, so that a foreign name that
// leads to 127.0.0.1 (DNS rebinding) finds nothing. Actions are POST requests whose Origin is the server's own, with a
// key in the form that is derived from the token. All secrets are compared in constant time.
//
// # What a page may do
//
// Texts of submitters, programs, logs and results are escaped by html/template and made printable and bounded by package
// printable. The content security policy allows scripts and styles of the server only, nothing inline, and no other
// address: text that got past the escaping would still not run. Lists have pages, so that a node with 10^5 jobs is
// answered as fast as one with ten.
package console
