//go:build !amd64 || purego

package ot

func special() []kernels { return nil }
