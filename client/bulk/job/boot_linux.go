package job

import (
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// BootClock returns a function that returns the boot of this machine and its uptime. The function asks the kernel again only once the
// wall clock and the monotonic clock disagree: while the machine sleeps, the monotonic clock stands still.
func BootClock() func() Boot {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	ask := func() Boot {
		var now unix.Timespec
		if err != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
			return Boot{}
		}
		return Boot{strings.TrimSpace(string(text)), time.Duration(now.Nano())}
	}
	start := time.Now()
	return bootClock(ask, func() (wall, monotonic time.Duration) {
		now := time.Now()
		return now.Round(0).Sub(start.Round(0)), now.Sub(start)
	})
}

// bootClock is BootClock with a function that asks the kernel, and one that returns how far both clocks went on.
func bootClock(ask func() Boot, passed func() (wall, monotonic time.Duration)) func() Boot {
	_, before := passed()
	first := ask()
	if _, after := passed(); after-before > time.Millisecond { // the process was stopped in between, so that the two are not of one moment
		first = Boot{}
	}
	return func() Boot {
		wall, monotonic := passed()
		if slept := wall - monotonic; first.ID == "" || slept.Abs() > 10*time.Millisecond {
			return ask()
		}
		return Boot{first.ID, first.Uptime + monotonic - before}
	}
}
