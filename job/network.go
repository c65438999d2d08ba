package job

import "github.com/tacet-mpc/tacet/link"

// checkNetwork refuses an invalid network description.
func checkNetwork(s string) error {
	_, err := link.ParseShape(s)
	return err
}
