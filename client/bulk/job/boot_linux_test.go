package job

import (
	"testing"
	"time"
)

func TestBootClockAsksAfterSleep(t *testing.T) {
	const hour = time.Hour
	for _, c := range []struct {
		name                  string
		stopped               time.Duration // between the readings of the two clocks
		wall, monotonic, want time.Duration
	}{
		{"awake", 0, hour, hour, 5*hour + hour},
		{"slept", 0, 3 * hour, hour, 5*hour + 3*hour},
		{"the wall was set back", 0, -hour, hour, 5*hour + hour},
		{"stopped in between", time.Second, time.Second, time.Second, 5*hour + time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			uptime := 5 * hour
			times := [][2]time.Duration{{0, 0}, {c.stopped, c.stopped}, {c.wall, c.monotonic}}
			asked := 0
			clock := bootClock(func() Boot {
				asked++
				return Boot{"boot", uptime}
			}, func() (wall, monotonic time.Duration) {
				now := times[0]
				times = times[1:]
				return now[0], now[1]
			})
			uptime = c.want
			if got := clock(); got != (Boot{"boot", c.want}) {
				t.Errorf("got %v, want an uptime of %v", got, c.want)
			}
			if isAwake := c.name == "awake"; isAwake != (asked == 1) {
				t.Errorf("the kernel was asked %d times", asked)
			}
		})
	}
}
