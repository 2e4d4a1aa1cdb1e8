// Package opener opens a file with the program that the system has for files of its kind.
package opener

import "path/filepath"

// Open starts the program for the file at path and does not wait for its end. The program gets an absolute path, which
// is never a flag, and no shell reads it.
func Open(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return start(path)
}
