package wal_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"reseller/client/bulk/wal"
)

// Make events durable, and read them again after a crash that tore the last one.
func Example() {
	dir, err := os.MkdirTemp("", "wal")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "events")
	l, err := wal.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	l.Append([]byte("Bbegin"))
	l.Append([]byte("Eend"))
	if err := l.Close(); err != nil { // makes both events durable
		log.Fatal(err)
	}
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, info.Size()-1)
	}
	if err != nil {
		log.Fatal(err)
	}
	isKind := func(kind byte) bool { return kind == 'B' || kind == 'E' }
	end, err := wal.Replay(path, isKind, func(event []byte) error {
		fmt.Printf("%s\n", event)
		return nil
	})
	fmt.Println("the last whole event ends at byte", end, err)
	// Output:
	// Bbegin
	// the last whole event ends at byte 11 <nil>
}
