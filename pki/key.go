package pki

import "crypto"

// Key returns the certificate's private key, for signatures; nil if the key cannot sign.
func (id *Identity) Key() crypto.Signer {
	key, _ := id.current().cert.PrivateKey.(crypto.Signer)
	return key
}
