//go:build race

package party_test

// raced makes tests of many programs take a part of them.
const raced = true
