package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// isTemp reports whether a file has the name of a temporary one: createTemp ends it with the 26 characters of rand.Text.
func isTemp(name string) bool {
	random, hasPrefix := strings.CutPrefix(name, tempPrefix)
	return hasPrefix && len(random) == 26 && strings.Trim(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// swept are the folders in which this process has created a file.
var swept sync.Map

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
			if isTemp(name) {
				removeUnused(filepath.Join(folder, name))
			}
		}
		if err != nil {
			return
		}
	}
}
