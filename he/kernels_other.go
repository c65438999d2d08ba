//go:build !amd64 || purego

package he

func special() []kernels { return nil }
