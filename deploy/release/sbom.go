package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// Types of a CycloneDX 1.5 document, as far as it is used.
type (
	bom struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Serial     string      `json:"serialNumber"`
		Version    int         `json:"version"`
		Metadata   bomMetadata `json:"metadata"`
		Components []component `json:"components"`
	}
	bomMetadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PURL       string     `json:"purl"`
		Hashes     []bomHash  `json:"hashes,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	bomHash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// billOfMaterials returns the CycloneDX document of a binary: the modules that Go has recorded in it (as
// go version -m prints them) and Go's standard library.
func billOfMaterials(b *binary) ([]byte, error) {
	sum := sha256.Sum256(b.content)
	top := module("application", b.Main.Path, b.version, "")
	top.Hashes = []bomHash{{"SHA-256", fmt.Sprintf("%x", sum)}}
	top.Properties = []property{{"commit", b.commit}, {"platform", b.os + "/" + b.arch}, {"go", b.GoVersion}}
	out := bom{
		Format: "CycloneDX", Spec: "1.5", Version: 1,
		// A UUID of version 8 (RFC 9562) made from the binary's hash: equal binaries have equal documents.
		Serial:     fmt.Sprintf("urn:uuid:%x-%x-8%03x-%x-%x", sum[:4], sum[4:6], int(sum[6]&15)<<8|int(sum[7]), []byte{sum[8]&0x3f | 0x80, sum[9]}, sum[10:16]),
		Metadata:   bomMetadata{b.made.UTC().Format(time.RFC3339), top},
		Components: []component{module("library", "std", strings.TrimPrefix(b.GoVersion, "go"), "")},
	}
	for _, m := range b.Deps {
		out.Components = append(out.Components, dependency(m))
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), err
}

// dependency returns the component of a module that is linked into a binary: what replaces it, if
// something does.
func dependency(m *debug.Module) component {
	if m.Replace == nil {
		return module("library", m.Path, m.Version, m.Sum)
	}
	c := module("library", m.Replace.Path, m.Replace.Version, m.Replace.Sum)
	c.Properties = append(c.Properties, property{"go:replaces", m.Path + "@" + m.Version})
	return c
}

// module returns the component of a Go module. sum is its checksum as in go.sum, "" if there is none.
func module(kind, path, version, sum string) component {
	purl := "pkg:golang/" + path + "@" + version
	c := component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}}
	}
	return c
}
