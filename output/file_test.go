package output

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestClosedPipe(t *testing.T) {
	failed := func(err error) error { return &fs.PathError{Op: "write", Path: "/dev/stdout", Err: err} }
	for name, c := range map[string]struct {
		system string
		err    error
		want   bool
	}{
		"none":             {"linux", nil, false},
		"Linux":            {"linux", failed(syscall.EPIPE), true},
		"Linux, another":   {"linux", failed(syscall.Errno(232)), false},
		"Windows":          {"windows", failed(syscall.Errno(109)), true},
		"Windows, ending":  {"windows", failed(syscall.Errno(232)), true},
		"Windows, left":    {"windows", failed(syscall.Errno(233)), true},
		"Windows, another": {"windows", failed(syscall.Errno(5)), false},
		"Windows, of Go":   {"windows", failed(syscall.EPIPE), true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := isClosedPipe(c.system, c.err); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "absent"
	}
	noError(t, err)
	return string(text)
}

func begin(t *testing.T, path, text string) *File {
	t.Helper()
	f, err := OpenFile(path)
	noError(t, err)
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return f
}

// only fails where other files than the named ones are in dir.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("%q in the folder, want %q", got, names)
	}
}

func TestFileIsWholeOrNotThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	f := begin(t, path, "new")
	if got := content(t, path); got != "absent" {
		t.Errorf("before: %q", got)
	}
	f.Abort()
	only(t, dir)
	f = begin(t, path, "new")
	defer f.Abort()
	noError(t, f.Commit())
	f.Abort()
	if got := content(t, path); got != "new" {
		t.Errorf("after: %q", got)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	noError(t, os.WriteFile(plain, nil, 0o666))
	want, err := os.Stat(plain)
	noError(t, err)
	if got, err := os.Stat(path); err != nil || got.Mode() != want.Mode() {
		t.Errorf("got mode %v, error %v, want %v as any new file has", got.Mode(), err, want.Mode())
	}
	f = begin(t, path, "newer")
	f.Abort()
	if got := content(t, path); got != "new" {
		t.Errorf("aborted: %q", got)
	}
	only(t, dir, "out.csv")
}

// A brokenTarget fails to write.
type brokenTarget struct {
	target
	err error
}

func (b brokenTarget) Write([]byte) (int, error) { return 0, b.err }

func TestFileAfterAFailedWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	f := begin(t, path, "half")
	full := errors.New("no space left")
	f.target = brokenTarget{f.target, full}
	if _, err := f.Write([]byte("x")); !errors.Is(err, full) {
		t.Error(err)
	}
	if err := f.Commit(); !errors.Is(err, full) {
		t.Error(err)
	}
	only(t, dir)
}

// An error names the file that the user named, not the temporary one.
func TestFileFailsUnderItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	for what, fail := range map[string]func(f *File) error{
		"write":  func(f *File) error { _, err := f.Write([]byte("x")); return err },
		"commit": func(f *File) error { return f.Commit() },
	} {
		f := begin(t, path, "half")
		f.Abort()
		if err := fail(f); err == nil || err.Error() != path+": file already closed" || !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
		f.Abort()
	}
}

func TestFileKeepsModeAndLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Unix file modes, and not every user may make symbolic links there")
	}
	dir := t.TempDir()
	target := filepath.Join(dir, "sub", "target")
	noError(t, os.Mkdir(filepath.Dir(target), 0o755))
	link := filepath.Join(dir, "link")
	noError(t, os.Symlink(filepath.Join("sub", "target"), link))
	for _, text := range []string{"first", "second"} { // dangling, then existing
		noError(t, begin(t, link, text).Commit())
		if got := content(t, target); got != text {
			t.Errorf("%q, want %q", got, text)
		}
		noError(t, os.Chmod(target, 0o640))
	}
	noError(t, begin(t, link, "third").Commit())
	info, _ := os.Stat(target)
	if info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if info, _ := os.Lstat(link); info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	only(t, filepath.Dir(target), "target")
	loop := filepath.Join(dir, "loop")
	_ = os.Symlink("loop", loop)
	if _, err := OpenFile(loop); err == nil {
		t.Error("a loop of links")
	}
}

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"", "-", dir, filepath.Join(dir, "no", "such")} {
		if _, err := OpenFile(path); err == nil || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%q: %v", path, err)
		}
	}
	only(t, dir)
}

func TestDirect(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err == nil {
		if err := begin(t, os.DevNull, "gone").Commit(); err != nil {
			t.Error(err)
		}
	}
	var out bytes.Buffer
	f := Direct(&out)
	_, _ = f.Write([]byte("x"))
	if err := f.Commit(); err != nil || out.String() != "x" {
		t.Errorf("%v %q", err, out.String())
	}
}

// TestSameFile compares a file with itself by another name, also where nothing would be written through that name.
func TestSameFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no mode of folders in which everybody may create files")
	}
	dir, shared := t.TempDir(), filepath.Join(t.TempDir(), "shared")
	file, link := filepath.Join(dir, "rows.csv"), filepath.Join(shared, "link.csv")
	if err := errors.Join(os.Mkdir(shared, 0o700), os.WriteFile(file, nil, 0o600), os.Symlink(file, link), os.Chmod(shared, 0o777|os.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	for other, want := range map[string]bool{file: true, link: true, dir + "/./rows.csv": true, dir + "/none.csv": false, dir: false, "-": false} {
		if got := SameFile(file, other); got != want {
			t.Errorf("%s and %s: got %t, want %t", file, other, got, want)
		}
	}
	if none := dir + "/none.csv"; !SameFile(none, dir+"/../"+filepath.Base(dir)+"/none.csv") {
		t.Errorf("got two files for one that does not exist yet")
	}
}
