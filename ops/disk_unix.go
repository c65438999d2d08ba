//go:build linux || darwin || freebsd

package ops

import "syscall"

// disk returns the bytes that are free for this process and in use in the file system of a folder.
func disk(folder string) (free, used float64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	block := float64(s.Bsize)
	return float64(s.Bavail) * block, float64(uint64(s.Blocks)-uint64(s.Bfree)) * block, nil
}
