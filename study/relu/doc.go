// Package relu studies the cost of a network's ReLUs. It compares a ResNet18 for images of 32×32
// with all, some and no ReLUs. The ReLUs that are kept are selected by indices that the program
// computes, by constant indices, by a mask, or by whole channels.
package relu
