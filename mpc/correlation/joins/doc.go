// Package joins is what a dealer deals for joins of tables (package psi has the protocols): a vector oblivious linear evaluation
// (VOLE), and the masks, bits and orders of a hidden join. Both parties expand their parts from seeds, but for one message to one of them.
package joins
