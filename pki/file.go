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
	// maxFile bounds what is read of a file of certificates or keys.
	maxFile = 1 << 20
)

// Read reads a file of certificates: one at least.
func Read(path string) ([]*x509.Certificate, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var out []*x509.Certificate
	for {
		var block *pem.Block
		block, data = pem.Decode(data)
		switch {
		case block == nil && len(out) == 0:
			return nil, fmt.Errorf("pki: %s: no PEM certificate is in it", path)
		case block == nil && len(bytes.TrimSpace(data)) > 0:
			return nil, fmt.Errorf("pki: %s: after %d certificates comes something that is none", path, len(out))
		case block == nil:
			return out, nil
		case strings.HasSuffix(block.Type, keyType):
			return nil, fmt.Errorf("pki: %s: holds a private key, where a certificate is wanted", path)
		case block.Type != certificateType:
			return nil, fmt.Errorf("pki: %s: holds a %.40q, where a certificate is wanted", path, block.Type)
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("pki: %s: %w", path, err)
		}
		out = append(out, c)
	}
}

// readFile reads a file that is not too long for what it should be.
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
		return nil, fmt.Errorf("pki: %s: longer than %d bytes: no certificate or key", path, maxFile)
	}
	return data, nil
}

// file is one to be written.
type file struct {
	path string
	mode fs.FileMode
	data []byte
}

// write writes files, each whole or not at all, in that order. Without force
// none may be there; what was written before one that cannot be is taken back.
func write(force bool, files ...file) error {
	for _, f := range files {
		if _, err := os.Lstat(f.path); err == nil && !force {
			return exists(f.path)
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
	put := durable.CreateFile
	if force {
		put = durable.WriteFile
	}
	switch err := put(f.path, f.data, f.mode); {
	case errors.Is(err, fs.ErrExist):
		return exists(f.path)
	case err != nil:
		return fmt.Errorf("pki: %w", err)
	}
	return nil
}

func exists(path string) error {
	return &explained{fmt.Sprintf("pki: %s is there already", path), fs.ErrExist}
}
