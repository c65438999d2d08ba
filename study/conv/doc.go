// Package conv studies convolutions: standard ones against Winograd's minimal
// filtering (Lavin and Gray, "Fast algorithms for convolutional neural networks",
// 2016) with tiles of 2×2 and 4×4 results, whose products are taken elementwise
// or as products of matrices, over the layers of a ResNet18.
//
// The kernel is one party's, who transforms it alone and in clear. The first
// layer's image is the other's; elsewhere a layer's input is what a ReLU gave,
// a secret that nobody has seen under a mask.
package conv
