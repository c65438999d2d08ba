// Package pki is who is who between machines: certificates, the small CA that
// issues them, and TLS configurations that pin names.
//
// A certificate's name is an identity: alice, bob, dealer, carol. It is the
// certificate's CommonName and one of its DNS names alike, and compared
// exactly. Each side says whom it expects there, whatever address it dials, so
// that a wrong address, a moved machine or a hijacked route ends in an error
// and not in another party's hands. What a name may do is the affair of those
// who ask (a node's peers and policy).
//
// # Security
//
// TLS 1.3 only, both sides always show a certificate, no session is resumed
// (each handshake looks at certificates and their dates afresh), and one of
// the protocols that the caller names is agreed on (ALPN), so that a
// connection meant for one purpose is never taken for one of another.
//
// The CA that Init makes issues certificates of machines and people only
// (path length 0). Its key is needed to issue and for nothing else: keep
// ca.key where no node runs. There is no revocation: to shut a name out,
// take it out of the configs that name it, or begin a new CA.
//
// A CA of the user's own serves as well: any chain of PEM certificates, as
// long as the leaf is for clients and servers both and has the identity as
// CommonName and DNS name.
//
// Keys are ECDSA P-256; certificates of other CAs may have any key that TLS
// 1.3 knows. Key files are made with mode 0600, whole or not at all, and are
// not replaced unless that is asked for. For users: docs/certificates.md.
package pki
