//go:build !race

package party_test

const raced = false
