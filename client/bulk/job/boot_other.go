//go:build !linux

package job

// BootClock returns a function that returns the boot of this machine, which is not known on this system.
func BootClock() func() Boot { return func() Boot { return Boot{} } }
