package job

import (
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// CurrentBoot returns the boot of this machine.
func CurrentBoot() Boot {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return Boot{}
	}
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		return Boot{}
	}
	return Boot{strings.TrimSpace(string(id)), time.Duration(now.Nano())}
}
