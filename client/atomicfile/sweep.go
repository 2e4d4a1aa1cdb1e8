package atomicfile

import (
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

// tempName returns the pattern of the names of temporary files.
var tempName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(tempPrefix) + `[A-Z2-7]{26}$`)
})

// swept are the folders in which this process has created a file.
var swept sync.Map

// sweepOnce sweeps a folder unless this process has done so before.
func sweepOnce(folder string) {
	if _, done := swept.LoadOrStore(folder, true); !done {
		Sweep(folder)
	}
}

// Sweep removes the temporary files in a folder that killed processes left behind. A
// process that is alive holds the lock of its file. Files of other users are left alone.
func Sweep(folder string) {
	in, err := os.Open(folder)
	if err != nil {
		return // Create says what is wrong
	}
	defer func() { _ = in.Close() }()
	for {
		names, err := in.Readdirnames(1000)
		for _, name := range names {
			if tempName().MatchString(name) {
				removeUnused(filepath.Join(folder, name))
			}
		}
		if err != nil {
			return
		}
	}
}
