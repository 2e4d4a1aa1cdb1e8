//go:build !linux

package job

// CurrentBoot returns the boot of this machine, which is not known on this system.
func CurrentBoot() Boot { return Boot{} }
