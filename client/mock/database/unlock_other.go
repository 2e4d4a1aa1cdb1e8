//go:build !unix || aix || solaris

package database

import "os"

// unlock does nothing where closing a file releases its lock.
func unlock(*os.File) {}
