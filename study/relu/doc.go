// Package relu studies what a network's ReLUs cost: a ResNet18 for images of
// 32×32 with all, some and none of them, where those that are kept are selected
// by indices that the program computes, by constant indices, by a mask, or
// whole channels at a time.
package relu
