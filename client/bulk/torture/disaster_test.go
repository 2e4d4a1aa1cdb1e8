package torture_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The kinds of disasters.
const (
	fullDisk       = "full disk"        // the state folder is on a disk that is full
	readOnlyFolder = "read-only folder" // nothing in the state folder can be changed
	fewFiles       = "few files"        // the program may open only a few files
	stopped        = "stopped"          // the program is stopped for a while, and continues
	twoProcesses   = "two processes"    // two processes load the file at the same time
	cutJournal     = "cut journal"      // the journal of a killed run is cut off at any byte
	flippedJournal = "flipped journal"  // a bit of the journal of a killed run is flipped
	jumpingClock   = "jumping clock"    // the clock jumps in mid-run, and back before the next start
)

var disasterKinds = []string{fullDisk, readOnlyFolder, fewFiles, stopped, twoProcesses, cutJournal, flippedJournal, jumpingClock}

// A disaster befalls one start of a run, beside its faults and kills. The later starts are
// as if nothing had happened, and must finish the job.
type disaster struct {
	kind   string
	start  int // the number of the start, or of the first that is killed if the journal is damaged after it
	random *rand.Rand
	late   bool // the service is late, so that starts take minutes

	dir       string // the state folder
	mounted   bool
	isDamaged bool // the journal was damaged
	mustFind  bool // the next start must report that the journal is corrupt
}

// newDisaster returns a disaster, or none.
func newDisaster(random *rand.Rand, readable bool) *disaster {
	d := &disaster{start: 1 + random.IntN(2), random: random}
	if random.IntN(3) > 0 {
		d.kind = disasterKinds[random.IntN(len(disasterKinds))]
	}
	if !readable && d.kind == twoProcesses {
		d.start = 2 // both processes resume the job: a second job would send all rows once more
	}
	return d
}

// damages reports whether the disaster damages a journal.
func (d *disaster) damages() bool { return d.kind == cutJournal || d.kind == flippedJournal }

// stopTime returns for how long a program is stopped.
func (d *disaster) stopTime() time.Duration {
	if *tortureRuns == 0 {
		return time.Second
	}
	return []time.Duration{time.Second, 5 * time.Second, 30 * time.Second}[d.random.IntN(3)]
}

// mountFails returns why this process can't mount file systems, nil if it can.
var mountFails = sync.OnceValue(func() error {
	dir, err := os.MkdirTemp("", "mount")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(dir) }()
	if err := mount("-t", "tmpfs", "-o", "size=1m", "none", dir); err != nil {
		return err
	}
	return unmount(dir)
})

func mount(args ...string) error {
	if out, err := exec.Command("mount", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("mount %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

func unmount(dir string) error {
	if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("umount %s: %w: %s", dir, err, out)
	}
	return nil
}

// spares reports whether a start is not killed, so that the disaster alone ends it.
func (d *disaster) spares(n int) bool {
	return n == d.start && (d.kind == fullDisk || d.kind == fewFiles) && d.random.IntN(2) == 0
}

// prepare prepares the state folder before the first start. A disaster that can't be had
// on this machine becomes none; reason says why.
func (d *disaster) prepare(dir string) (reason string, err error) {
	d.dir = dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	_, noShell := exec.LookPath("sh")
	switch isRoot := os.Geteuid() == 0; {
	case d.kind == fewFiles && noShell != nil:
		reason = noShell.Error()
	case d.kind == jumpingClock && *tortureRuns == 0:
		reason = "a program whose clock jumps is built only for -torture"
	case d.kind == fullDisk, d.kind == readOnlyFolder && isRoot: // permissions do not bind root
		if err := mountFails(); err != nil {
			reason = err.Error()
		}
	}
	switch {
	case reason != "":
		d.kind = ""
	case d.kind == fullDisk:
		d.mounted = true
		return "", mount("-t", "tmpfs", "-o", "size=1m,mode=700", "none", dir)
	}
	return reason, nil
}

// remove removes what prepare and begin mounted.
func (d *disaster) remove() error {
	if !d.mounted {
		return nil
	}
	d.mounted = false
	return unmount(d.dir)
}

func (d *disaster) filler() string { return filepath.Join(d.dir, "filler") }

// begin begins the disaster, if it befalls the nth start.
func (d *disaster) begin(n int) error {
	switch {
	case n != d.start:
	case d.kind == fullDisk:
		err := os.WriteFile(d.filler(), make([]byte, 2<<20), 0o600)
		if err == nil {
			return errors.New("the disk is not full")
		}
		info, err := os.Stat(d.filler())
		if err != nil {
			return err
		}
		return os.Truncate(d.filler(), info.Size()-4096*int64(d.random.IntN(3)))
	case d.kind == readOnlyFolder && os.Geteuid() == 0:
		d.mounted = true
		return errors.Join(mount("--bind", d.dir, d.dir), mount("-o", "remount,bind,ro", d.dir))
	case d.kind == readOnlyFolder:
		return d.changeModes(0o500)
	}
	return nil
}

// end ends the disaster that befell the nth start.
func (d *disaster) end(n int) error {
	switch {
	case n != d.start:
	case d.kind == fullDisk:
		return os.Remove(d.filler())
	case d.kind == readOnlyFolder && d.mounted:
		return d.remove()
	case d.kind == readOnlyFolder:
		return d.changeModes(0o700)
	}
	return nil
}

func (d *disaster) changeModes(mode fs.FileMode) error {
	return filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			err = os.Chmod(path, mode)
		}
		return err
	})
}

// command returns the command line of the nth start.
func (d *disaster) command(n int, program string, args []string) []string {
	line := append([]string{program}, args...)
	if n == d.start && d.kind == fewFiles {
		// What the test has inherited does not count: without 8 files, no program of Go starts.
		return append([]string{"sh", "-c", `exec 3>&- 4>&- 5>&- 6>&- 7>&-; ulimit -n "$0"; exec "$@"`, strconv.Itoa(8 + d.random.IntN(16))}, line...)
	}
	return line
}

// environ returns the environment of the nth start.
func (d *disaster) environ(n int, env []string) []string {
	if n != d.start || d.kind != jumpingClock {
		return env
	}
	jumps := []time.Duration{time.Second, 5 * time.Second, time.Minute, time.Hour, 48 * time.Hour, 400 * 24 * time.Hour}
	jump := jumps[d.random.IntN(len(jumps))]
	if d.random.IntN(2) == 0 {
		jump = -jump
	}
	after := time.Duration(d.random.IntN(3000)) * time.Millisecond
	if d.late {
		after *= 20
	}
	return append(slices.Clip(env), fmt.Sprintf("%s=%d %d", clockVariable, int(jump.Seconds()), after))
}

// clockVariable is the variable with the seconds by which the clock of a program jumps
// that buildJumping has built, and the nanoseconds after which it does.
const clockVariable = "TORTURE_CLOCK"

// jumpingNow replaces the first line of time.Now.
const jumpingNow = `
var clockJump = sync.OnceValues(func() (jump, after int64) {
	text, _ := syscall.Getenv("TORTURE_CLOCK")
	for i := range len(text) {
		if text[i] == ' ' {
			j, _ := atoi(text[:i])
			a, _ := atoi(text[i+1:])
			return int64(j), int64(a)
		}
	}
	return 0, 0
})

func Now() Time {
	sec, nsec, mono := runtimeNow()
	if jump, after := clockJump(); mono-startNano >= after {
		sec += jump
	}
`

// buildOverlay returns the path of an overlay for go build, with which the clock of the
// program jumps. The monotonic clock goes on as it does when somebody sets the time.
func buildOverlay(dir string) (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	const now = "\nfunc Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	if bytes.Count(text, []byte(now)) != 1 {
		return "", fmt.Errorf("%s has another func Now", original)
	}
	text = bytes.Replace(text, []byte(now), []byte(jumpingNow), 1)
	text = bytes.Replace(text, []byte("\nimport (\n"), []byte("\nimport (\n\t\"sync\"\n\t\"syscall\"\n"), 1)
	changed, overlay := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json")
	list, _ := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	return overlay, errors.Join(os.WriteFile(changed, text, 0o600), os.WriteFile(overlay, list, 0o600))
}

// mayFail reports whether the nth start may end with an error because of the disaster.
func (d *disaster) mayFail(n int, last *programStart) bool {
	switch {
	case last.exit != 1 && last.exit != 2 && last.exit != 7:
		return false
	case d.isDamaged && d.kind == flippedJournal:
		return strings.Contains(last.stderr.String(), isCorrupt)
	}
	return n == d.start && (d.kind == fullDisk || d.kind == readOnlyFolder || d.kind == fewFiles || d.kind == twoProcesses)
}

// isCorrupt is what the program says of a damaged journal.
const isCorrupt = "is corrupt at byte"

// damage damages the last journal, once.
func (d *disaster) damage(n int) error {
	logs, _ := filepath.Glob(filepath.Join(d.dir, "reseller", "jobs", "*.journal"))
	if !d.damages() || d.isDamaged || n < d.start || len(logs) == 0 {
		return nil
	}
	path := logs[len(logs)-1]
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		return err
	}
	ends := frameEnds(text)
	at := d.random.IntN(len(text))
	if len(ends) > 0 && d.random.IntN(3) > 0 { // behind the header, which is long
		at = min(ends[0]+d.random.IntN(len(text)-ends[0]+1), len(text)-1)
	}
	d.isDamaged = true
	if d.kind == cutJournal {
		return os.Truncate(path, int64(at))
	}
	text[at] ^= 1 << d.random.IntN(8)
	d.mustFind = len(ends) > 1 && at < ends[len(ends)-2] // in the last event it looks like a torn end
	return os.WriteFile(path, text, 0o600)
}

// frameEnds returns where each event of a journal ends. It stops at a torn end.
func frameEnds(text []byte) (ends []int) {
	for at := 0; ; {
		size, n := binary.Uvarint(text[at:])
		end := at + n + int(size) + crc32.Size
		if n <= 0 || size > uint64(len(text)) || end > len(text) {
			return ends
		}
		event := text[at+n : end-crc32.Size]
		if crc32.Checksum(event, crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(text[end-crc32.Size:]) {
			return ends
		}
		ends, at = append(ends, end), end
	}
}

// check checks that a start has noticed the damage of the journal.
func (d *disaster) check(last *programStart) error {
	if !d.mustFind {
		return nil
	}
	reported := bytes.Contains(last.stderr.Bytes(), []byte(isCorrupt))
	if d.mustFind = last.exit != 0 && last.exit != 3 && !reported; d.mustFind || reported { // it ended before it could say so
		return nil
	}
	return fmt.Errorf("exit code %d with a flipped journal, want an error that says %q", last.exit, isCorrupt)
}
