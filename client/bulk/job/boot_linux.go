package job

import (
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// BootClock returns a function that returns the boot of this machine and its uptime.
func BootClock() func() Boot {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	id := strings.TrimSpace(string(text))
	return func() Boot {
		var now unix.Timespec
		if err != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
			return Boot{}
		}
		return Boot{id, time.Duration(now.Nano())}
	}
}
