//go:build !amd64 || purego

package fixed

func special() []kernels { return nil }
