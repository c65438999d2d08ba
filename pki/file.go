package pki

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/tacet-mpc/tacet/durable"
)

const (
	certificateType = "CERTIFICATE"
	keyType         = "PRIVATE KEY"
	// maxFile is the maximum size, in bytes, of a file of certificates or keys.
	maxFile = 1 << 20
)

// Read returns the certificates in a PEM file, of which there must be at least one.
func Read(path string) ([]*x509.Certificate, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return parseCertificates(path, data)
}

// parseCertificates parses the PEM certificates in a file's text.
func parseCertificates(path string, data []byte) ([]*x509.Certificate, error) {
	var out []*x509.Certificate
	for {
		var block *pem.Block
		block, data = pem.Decode(data)
		switch {
		case block == nil && len(out) == 0:
			return nil, fmt.Errorf("pki: %s: contains no PEM certificate", path)
		case block == nil && len(bytes.TrimSpace(data)) > 0:
			return nil, fmt.Errorf("pki: %s: other data after %d certificates", path, len(out))
		case block == nil:
			return out, nil
		case strings.HasSuffix(block.Type, keyType):
			return nil, fmt.Errorf("pki: %s: contains a private key instead of a certificate", path)
		case block.Type != certificateType:
			return nil, fmt.Errorf("pki: %s: contains a %.40q instead of a certificate", path, block.Type)
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("pki: %s: %w", path, err)
		}
		out = append(out, c)
	}
}

// readFile reads a file of at most maxFile bytes.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("pki: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("pki: %w", err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("pki: %s: longer than %d bytes, so not a certificate or key", path, maxFile)
	}
	return data, nil
}

// file is a file to write.
type file struct {
	path string
	mode fs.FileMode
	data []byte
}

// write writes files in this order, each atomically. Without force it refuses to replace an existing
// file, and removes the files it has written if a later one fails.
func write(force bool, files ...file) error {
	for _, f := range files {
		if _, err := os.Lstat(f.path); err == nil && !force {
			return existsError(f.path)
		}
	}
	for i, f := range files {
		if err := f.write(force); err != nil {
			if !force {
				for _, g := range files[:i] {
					os.Remove(g.path)
				}
			}
			return err
		}
	}
	return nil
}

func (f file) write(force bool) error {
	create := durable.CreateFile
	if force {
		create = durable.WriteFile
	}
	switch err := create(f.path, f.data, f.mode); {
	case errors.Is(err, fs.ErrExist):
		return existsError(f.path)
	case err != nil:
		return fmt.Errorf("pki: %w", err)
	}
	return nil
}

func existsError(path string) error {
	return &explainedError{fmt.Sprintf("pki: %s exists already", path), fs.ErrExist}
}
