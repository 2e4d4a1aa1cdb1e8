package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// readFile returns the content of path, "absent" where there is no such file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "absent"
	}
	noError(t, err)
	return string(text)
}

func create(t *testing.T, path, text string) *File {
	t.Helper()
	f, err := Create(path, 0o600)
	noError(t, err)
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return f
}

func checkFolder(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	noError(t, err)
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func TestCommitAndAbort(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	f := create(t, path, "first")
	if got := readFile(t, path); got != "absent" {
		t.Errorf("before Commit: got %q, want no file", got)
	}
	f.Abort()
	checkFolder(t, dir)
	if err := f.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Commit after Abort: got %v, want %v", err, fs.ErrClosed)
	}

	f = create(t, path, "second")
	noError(t, f.Commit())
	f.Abort()
	if err := f.Commit(); err != nil {
		t.Errorf("a second Commit: got %v, want none", err)
	}
	create(t, path, "third").Abort()
	if got := readFile(t, path); got != "second" {
		t.Errorf("got %q, want %q", got, "second")
	}
	checkFolder(t, dir, "out")
}

func TestCommitAfterAFailedWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	noError(t, WriteFile(path, []byte("old"), 0o600))
	f := create(t, path, "new")
	_ = f.temp.Close()
	_, written := f.Write([]byte("more"))
	err := f.Commit()
	for name, err := range map[string]error{"Write": written, "Commit": err} {
		var at *fs.PathError
		if !errors.As(err, &at) || at.Path != path || !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: got %v, want a failure under the name %s", name, err, path)
		}
	}
	if got := readFile(t, path); got != "old" {
		t.Errorf("got %q, want the old content", got)
	}
	checkFolder(t, dir, "out")
}

func TestCommitThatFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	f := create(t, path, "text")
	if err := os.MkdirAll(filepath.Join(path, "folder"), 0o700); err != nil { // what can't be replaced
		t.Fatal(err)
	}
	err := f.Commit()
	var at *fs.PathError
	if !errors.As(err, &at) || at.Path != path || strings.Contains(err.Error(), tempPrefix) {
		t.Errorf("got %v, want a failure under the name %s", err, path)
	}
	if again := f.Commit(); !errors.Is(again, err) {
		t.Errorf("a second Commit: got %v, want %v", again, err)
	}
	checkFolder(t, dir, "out")
}

func TestCreateFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no", "such")
	if _, err := Create(path, 0o600); err == nil || strings.Contains(err.Error(), tempPrefix) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Create in a folder that is not there: got %v", err)
	}
	if err := WriteFile(path, nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("WriteFile in a folder that is not there: got %v", err)
	}
}

func TestLinksAndModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Unix file modes, and not every user may make symbolic links there")
	}
	dir := t.TempDir()
	target := filepath.Join(dir, "sub", "target")
	noError(t, os.Mkdir(filepath.Dir(target), 0o700))
	link := filepath.Join(dir, "link")
	noError(t, os.Symlink(filepath.Join("sub", "target"), link))
	for _, text := range []string{"of a link to nothing", "of a link to a file"} {
		noError(t, WriteFile(link, []byte(text), 0o600))
		if got := readFile(t, target); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	f := create(t, link, "text")
	noError(t, errors.Join(f.Chmod(0o640), f.Commit()))
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("got mode %v, %v, want 0640", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info.Mode(), err)
	}
	checkFolder(t, filepath.Dir(target), "target")

	loop := filepath.Join(dir, "loop")
	noError(t, os.Symlink("loop", loop))
	if _, err := Create(loop, 0o600); err == nil {
		t.Error("Create of a link to itself: got no error")
	}
}

// TestModeFromTheBeginning checks that a file never has wider permissions than it is to
// have in the end, and that what is no regular file is left alone.
func TestModeFromTheBeginning(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Unix file modes")
	}
	path := filepath.Join(t.TempDir(), "out")
	noError(t, os.WriteFile(path, []byte("old"), 0o644))
	f := create(t, path, "secret")
	defer f.Abort()
	if info, err := f.temp.Stat(); err != nil || info.Mode() != 0o600 {
		t.Errorf("got mode %v, error %v before Commit, want 0600", info.Mode(), err)
	}
	noError(t, f.Commit())
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("got mode %v, error %v after Commit, want 0600", info.Mode(), err)
	}
}

func TestOnlyRegularFilesAreReplaced(t *testing.T) {
	if _, err := Create(os.DevNull, 0o600); !errors.Is(err, errNotRegular) {
		t.Errorf("a device: got error %v, want %v", err, errNotRegular)
	}
	dir := t.TempDir()
	if _, err := Create(dir, 0o600); !errors.Is(err, errNotRegular) {
		t.Errorf("a folder: got error %v, want %v", err, errNotRegular)
	}
	noError(t, os.WriteFile(filepath.Join(dir, "f"), nil, 0o600))
	if _, err := Create(filepath.Join(dir, "f", "below"), 0o600); err == nil || runtime.GOOS != "windows" && errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a path below a file: got error %v, want the error of stat", err)
	}
}

// TestFolderIsSyncedAfterTheRename checks that the folder is synced once the file is in
// place, so that a power failure does not undo the rename.
func TestFolderIsSyncedAfterTheRename(t *testing.T) {
	defer func(was func(string)) { syncFolder = was }(syncFolder)
	path := filepath.Join(t.TempDir(), "out")
	var synced []string
	syncFolder = func(folder string) { synced = append(synced, folder+": "+readFile(t, path)) }
	noError(t, WriteFile(path, []byte("text"), 0o600))
	if want := []string{filepath.Dir(path) + ": text"}; !slices.Equal(synced, want) {
		t.Errorf("got %q, want %q", synced, want)
	}
}

// TestSweep checks that the next file in a folder removes the temporary files of killed
// processes, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-48 * time.Hour)
	killed := tempPrefix + strings.Repeat("A", 26)
	keep := []string{tempPrefix + "notes", tempPrefix + strings.Repeat("a", 26), "x" + killed}
	for _, name := range append(keep, killed) {
		path := filepath.Join(dir, name)
		noError(t, errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, old, old)))
	}
	writing, err := createTemp(dir, 0o600)
	noError(t, err)
	defer func() { _ = writing.Close() }()
	noError(t, os.Chtimes(writing.Name(), old, old))
	noError(t, WriteFile(filepath.Join(dir, "out"), nil, 0o600))
	want := append(keep, "out", filepath.Base(writing.Name()))
	slices.Sort(want)
	checkFolder(t, dir, want...)
}

// TestFileThatIsRemovedBeforeItsLock: another process may sweep between the creation of
// a temporary file and its lock.
func TestFileThatIsRemovedBeforeItsLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	file, err := os.Create(path)
	noError(t, err)
	defer func() { _ = file.Close() }()
	if !exists(file) {
		t.Error("got a file that does not exist, want one that does")
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that Go has opened")
	}
	noError(t, os.Remove(path))
	if exists(file) {
		t.Error("got a file that exists, want one that was removed")
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestUnnamed checks that only this user may read the file, that it has no name, and that
// Close removes no other file that has got the name since.
func TestUnnamed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Unix file modes, and removes no file that Go has opened")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := CreateUnnamed()
	noError(t, err)
	if info, err := f.Stat(); err != nil || info.Mode() != 0o600 {
		t.Errorf("got the mode %v, error %v; want 0600", info.Mode(), err)
	}
	checkFolder(t, dir)
	noError(t, os.WriteFile(f.Name(), nil, 0o600))
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.Name()); err != nil {
		t.Errorf("after Close: got %v, want the other file of that name", err)
	}
}
