package atomicfile

import "os"

// An Unnamed file is a temporary file that only this user may read. It loses its name when it is created, so that nothing is left
// of it however the process ends. Windows removes no open file: there, it keeps its name until Close.
type Unnamed struct {
	*os.File
	name string // empty once the file has none, since another file may get it
}

// CreateUnnamed creates a file in the folder for temporary files. The caller must close it.
func CreateUnnamed() (*Unnamed, error) {
	file, err := os.CreateTemp("", "reseller-*") // mode 0600
	if err != nil {
		return nil, err
	}
	f := &Unnamed{File: file}
	if os.Remove(file.Name()) != nil {
		f.name = file.Name()
	}
	return f, nil
}

// Close closes the file, and removes it if it has a name.
func (f *Unnamed) Close() error {
	err := f.File.Close()
	if f.name != "" {
		_ = os.Remove(f.name)
		f.name = ""
	}
	return err
}
