package trust

import "time"

// busyTimeout is how long a file that another process has open may stay so. Commands read
// small files as a whole and close them at once.
const busyTimeout = 2 * time.Second

// WhileBusy calls do again as long as its error is that another process uses the file, which isBusy reports.
func WhileBusy(do func() error, isBusy func(error) bool) error {
	for end := time.Now().Add(busyTimeout); ; time.Sleep(10 * time.Millisecond) {
		if err := do(); err == nil || !isBusy(err) || time.Now().After(end) {
			return err
		}
	}
}
