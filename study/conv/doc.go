// Package conv studies convolutions over the layers of a ResNet18: standard convolutions against
// Winograd's minimal filtering (Lavin and Gray, "Fast algorithms for convolutional neural
// networks", 2016) with tiles of 2×2 and 4×4 results, with elementwise or matrix products.
//
// One party owns the kernel and transforms it locally in cleartext. The other owns the image of the
// first layer; the input of any other layer is the output of a ReLU, a secret that has not been
// opened.
package conv
