package job

import "github.com/tacet-mpc/tacet/link"

// checkNetwork refuses what is no network.
func checkNetwork(s string) error {
	_, err := link.ParseShape(s)
	return err
}
