package atomicfile

import "time"

// busyTimeout is how long a file that another process has open may stay so. Commands read
// small files as a whole and close them at once.
const busyTimeout = 2 * time.Second

// whileBusy calls replace again as long as its error is that the file is open elsewhere.
func whileBusy(replace func() error, isBusy func(error) bool) error {
	for end := time.Now().Add(busyTimeout); ; time.Sleep(10 * time.Millisecond) {
		if err := replace(); err == nil || !isBusy(err) || time.Now().After(end) {
			return err
		}
	}
}
