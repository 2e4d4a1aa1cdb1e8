//go:build !unix || aix || solaris

package database

import "os"

// unlock does nothing, since closing a file releases its lock on these systems.
func unlock(*os.File) {}
