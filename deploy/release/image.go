package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// Media types of the OCI image specification.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// imageUser is the user and group of the image's process, as in deploy/Dockerfile.
const imageUser = "65532:65532"

// Types of an OCI image layout, as far as they are used.
type (
	descriptor struct {
		MediaType   string            `json:"mediaType"`
		Digest      string            `json:"digest"`
		Size        int               `json:"size"`
		Platform    *platform         `json:"platform,omitempty"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
	platform struct {
		Architecture string `json:"architecture"`
		OS           string `json:"os"`
	}
	imageIndex struct {
		Schema    int          `json:"schemaVersion"`
		MediaType string       `json:"mediaType"`
		Manifests []descriptor `json:"manifests"`
	}
	imageManifest struct {
		Schema    int          `json:"schemaVersion"`
		MediaType string       `json:"mediaType"`
		Config    descriptor   `json:"config"`
		Layers    []descriptor `json:"layers"`
	}
	imageConfig struct {
		Created string `json:"created"`
		platform
		Config processConfig `json:"config"`
		RootFS rootFS        `json:"rootfs"`
	}
	processConfig struct {
		User       string            `json:"User"`
		Entrypoint []string          `json:"Entrypoint"`
		Labels     map[string]string `json:"Labels"`
	}
	rootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	}
)

// layout collects the blobs of an image layout.
type layout struct{ files []file }

// add adds a blob and returns its descriptor.
func (l *layout) add(mediaType string, content []byte) descriptor {
	l.files = append(l.files, file{fmt.Sprintf("blobs/sha256/%x", sha256.Sum256(content)), 0o644, content})
	return descriptor{MediaType: mediaType, Digest: digestOf(content), Size: len(content)}
}

func digestOf(content []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(content)) }

// image returns a container image that holds the binary only, as a tar archive of an OCI image layout.
func image(b *binary) ([]byte, error) {
	content := []file{{"tacet", 0o755, b.content}}
	var plain bytes.Buffer
	if err := writeTar(tar.NewWriter(&plain), "", content, b.made); err != nil {
		return nil, err
	}
	packed, err := tarball("", content, b.made)
	if err != nil {
		return nil, err
	}
	at := platform{b.arch, b.os}
	config, err := json.Marshal(imageConfig{
		Created: b.made.UTC().Format(time.RFC3339), platform: at,
		Config: processConfig{imageUser, []string{"/tacet"}, map[string]string{
			"org.opencontainers.image.title": "tacet", "org.opencontainers.image.version": b.version, "org.opencontainers.image.revision": b.commit,
		}},
		RootFS: rootFS{"layers", []string{digestOf(plain.Bytes())}},
	})
	if err != nil {
		return nil, err
	}
	var l layout
	manifest, err := json.Marshal(imageManifest{2, manifestType, l.add(configType, config), []descriptor{l.add(layerType, packed)}})
	if err != nil {
		return nil, err
	}
	top := l.add(manifestType, manifest)
	top.Platform, top.Annotations = &at, map[string]string{"org.opencontainers.image.ref.name": b.version}
	index, err := json.Marshal(imageIndex{2, indexType, []descriptor{top}})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	files := append([]file{{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {"index.json", 0o644, index}}, l.files...)
	err = writeTar(tar.NewWriter(&out), "", files, b.made)
	return out.Bytes(), err
}
