package main

import (
	"log"
	"path/filepath"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/tensor"
)

// data reads alice's images and whether each is an 8 or a 9. The model knows the digits 0 to 4 only.
func data() (images, labels *tensor.Array) {
	a, err := npy.OpenArchive(filepath.Join(folder, "alice.npz"))
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	if images, err = a.Read("images"); err == nil {
		labels, err = a.Read("labels")
	}
	if err != nil {
		log.Fatal(err)
	}
	return images, labels
}

// folder holds alice.npz.
var folder = "."
