//go:build !(linux || darwin || freebsd)

package ops

import "errors"

// disk returns errors.ErrUnsupported.
func disk(string) (free, used float64, err error) { return 0, 0, errors.ErrUnsupported }
