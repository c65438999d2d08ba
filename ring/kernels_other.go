//go:build !amd64 || purego

package ring

func special() []kernels { return nil }
