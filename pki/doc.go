// Package pki identifies machines to one another: certificates, a small CA that issues them, and TLS
// configurations that pin names.
//
// A certificate's name is an identity: alice, bob, dealer, carol. It is the certificate's CommonName
// and also one of its DNS names, and it is compared exactly. Each side states the name that it
// expects, whatever address it dials, so that a wrong address, a moved machine or a hijacked route
// ends in an error and not in a connection with another party. What a name may do is decided elsewhere
// (a node's peers and policy).
//
// A name belongs to one organisation: a configuration lists, for each [Organisation], its CAs with the
// names that they may issue, or pinned keys. An identity is then spelled NAME@ORGANISATION
// ([Peer.String]). Organisations are named by the configuration of the side that verifies, never by a
// certificate, in which a CA can write anything. A configuration without organisations trusts each CA
// for every name, and spells identities by their names alone.
//
// One function, trust.verify, decides whom a chain of certificates identifies. All listeners and
// diallers use it. It looks up the organisation of the name first and then accepts no other CA than
// that organisation's. The alternative, to verify with all CAs and then ask whose the root is, has to
// choose between several chains if organisations share or cross-sign a CA. Refusals are of type
// [RefusedError], which tells name, CA, time, use and key apart.
//
// An [Identity] can be reloaded while connections exist: these stay, and [Caller.Check] verifies them
// again where it matters.
//
// # Security
//
// TLS 1.3 only. Both sides always present a certificate. No session is resumed, so each handshake
// checks certificates and their dates. One of the caller's protocols is negotiated (ALPN), so that a
// connection for one purpose cannot be used for another.
//
// The CA that Init creates issues only end-entity certificates (path length 0). Its key is needed only
// to issue: keep ca.key away from all nodes. A holder creates its private key itself and sends a
// [Request] (PKCS #10), so that no CA sees the key. There is no list of revoked certificates: to exclude
// a name, remove it from the organisation's names or keys, and reload.
//
// An external CA works as well: any chain of PEM certificates whose leaf is for both clients and
// servers and has the identity as CommonName and DNS name.
//
// Keys are ECDSA P-256; certificates of other CAs may have any key that TLS 1.3 supports. Key files
// are created with mode 0600, atomically, and existing ones are not replaced unless Options.Force is
// set. For users: docs/certificates.md.
package pki
