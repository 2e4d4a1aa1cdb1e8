package job

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"reseller/client/bulk/wal"
	"reseller/client/trust"
)

// An archive carries one job to another machine. It is a compressed tar file with these
// members, in this order: the manifest, the journal, and the input if the job has a copy of
// standard input. An archive with anything else is refused.
const (
	manifestMember = "manifest.json"
	journalMember  = "journal"
	inputMember    = "input"

	archiveVersion = 1
	maxManifest    = 64 << 10
	maxMember      = 1 << 30 // the maximum number of bytes of a journal, and of an input
	maxPadding     = 64 << 10
)

// A manifest says what the other members of an archive are.
type manifest struct {
	Version int      `json:"version"`
	Job     string   `json:"job"`
	Journal *content `json:"journal"`
	Input   *content `json:"input,omitempty"`
}

// A content is what a member must contain.
type content struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Export writes an archive of a job that is not running.
func (s Store) Export(id string, w io.Writer) error {
	status, err := s.Find(id)
	if err != nil {
		return err
	}
	if status.Corrupt != nil {
		return status.Corrupt
	}
	unlock, err := s.lockJob(id)
	if err != nil {
		return err
	}
	defer unlock()
	log, err := os.Open(s.path(id, logSuffix))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	end, err := wal.ReplayFrom(log, 0, isKind, func([]byte) error { return nil })
	if err != nil {
		return err
	}
	m := manifest{Version: archiveVersion, Job: id}
	if m.Journal, err = contentOf(log, end); err != nil {
		return err
	}
	var input *os.File
	if status.keepsInput() {
		path := s.path(id, inputSuffix)
		if err := trust.Check(path); err != nil {
			return fmt.Errorf("the input %w", err)
		}
		if input, err = os.Open(path); err != nil {
			return err
		}
		defer func() { _ = input.Close() }()
		info, err := input.Stat()
		if err != nil {
			return err
		}
		if m.Input, err = contentOf(input, info.Size()); err != nil {
			return err
		}
	}
	return writeArchive(w, m, log, input)
}

// contentOf returns what the first bytes of a file are.
func contentOf(file *os.File, size int64) (*content, error) {
	if size > maxMember {
		return nil, fmt.Errorf("%s has %d bytes; an archive can take %d", file.Name(), size, maxMember)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, size)); err != nil {
		return nil, err
	}
	return &content{size, hex.EncodeToString(sum.Sum(nil))}, nil
}

// writeArchive writes the members of an archive. input is nil if the job has none.
func writeArchive(w io.Writer, m manifest, log, input *os.File) error {
	compressed := gzip.NewWriter(w)
	out := tar.NewWriter(compressed)
	add := func(name string, size int64, from io.ReaderAt) error {
		if err := out.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		_, err := io.Copy(out, io.NewSectionReader(from, 0, size))
		return err
	}
	text, err := json.Marshal(m)
	if err == nil {
		err = add(manifestMember, int64(len(text)), bytes.NewReader(text))
	}
	if err == nil {
		err = add(journalMember, m.Journal.Bytes, log)
	}
	if err == nil && m.Input != nil {
		err = add(inputMember, m.Input.Bytes, input)
	}
	if err == nil {
		err = out.Close()
	}
	if err == nil {
		err = compressed.Close()
	}
	return err
}
