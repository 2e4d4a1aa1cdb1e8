//go:build unix

package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const stranger = 12345 // the number of another user

// folder returns a new folder with a mode.
func folder(t *testing.T, mode fs.FileMode) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dir")
	noError(t, errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, mode)))
	return dir
}

// write creates a file with a mode.
func write(t *testing.T, path string, mode fs.FileMode) string {
	t.Helper()
	noError(t, errors.Join(os.WriteFile(path, []byte("text"), 0o600), os.Chmod(path, mode)))
	return path
}

// giveAway makes a file or a link that of another user. Only root can do that.
func giveAway(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can make files of other users")
	}
	if err := os.Lchown(path, stranger, stranger); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) {
		t.Skip("this root may not give files to other users, as in a container without their ids:", err)
	} else if err != nil {
		t.Fatal(err)
	}
}

// wantRefused checks that err contains all parts.
func wantRefused(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("got no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got error %q, want %q in it", err, part)
		}
	}
}

func TestOpen(t *testing.T) {
	t.Run("file of the user", func(t *testing.T) {
		path := write(t, filepath.Join(folder(t, 0o755), "f"), 0o644)
		if text, err := ReadFile(path, "", 4); err != nil || string(text) != "text" {
			t.Errorf("got %q, error %v, want the content", text, err)
		}
		if _, err := ReadFile(path, "", 3); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("got error %v for a file that is too large, want one that names it", err)
		}
	})
	for _, mode := range []fs.FileMode{0o666, 0o620, 0o602} {
		t.Run("mode "+mode.String(), func(t *testing.T) {
			path := write(t, filepath.Join(folder(t, 0o755), "f"), mode)
			_, err := Open(path, "")
			wantRefused(t, err, path, "others can write to it", "chmod go-w "+path)
		})
	}
	t.Run("file of another user", func(t *testing.T) {
		path := write(t, filepath.Join(folder(t, 0o755), "f"), 0o644)
		giveAway(t, path)
		_, err := Open(path, "")
		wantRefused(t, err, path, "another user (uid 12345)", "chown 0 "+path)
		var untrusted *Error
		if !errors.As(err, &untrusted) || untrusted.Advice() == "" {
			t.Errorf("got error %T, want a *trust.Error with advice", err)
		}
	})
	t.Run("folder of another user", func(t *testing.T) {
		dir := folder(t, 0o755)
		path := write(t, filepath.Join(dir, "f"), 0o644)
		giveAway(t, dir)
		_, err := Open(path, "")
		wantRefused(t, err, path, dir, "another user (uid 12345)")
	})
	t.Run("link of another user", func(t *testing.T) {
		dir := folder(t, 0o755)
		link := filepath.Join(dir, "link")
		noError(t, os.Symlink(write(t, filepath.Join(dir, "f"), 0o644), link))
		if file, err := Open(link, ""); err != nil {
			t.Errorf("got error %v for a link of the user, want none", err)
		} else {
			_ = file.Close()
		}
		giveAway(t, link)
		_, err := Open(link, "")
		wantRefused(t, err, link, "symbolic link")
	})
	t.Run("pipe", func(t *testing.T) {
		path := filepath.Join(folder(t, 0o755), "pipe")
		noError(t, syscall.Mkfifo(path, 0o600))
		_, err := Open(path, "") // which does not wait for somebody to write to the pipe
		wantRefused(t, err, path, "not a regular file")
	})
	t.Run("devices", func(t *testing.T) {
		if text, err := ReadFile(os.DevNull, "", 4); err != nil || len(text) != 0 {
			t.Errorf("%s: got %q, error %v, want no text", os.DevNull, text, err)
		}
		_, err := Open("/dev/zero", "")
		wantRefused(t, err, "/dev/zero", "not a regular file")
	})
	t.Run("absent", func(t *testing.T) {
		if _, err := Open(filepath.Join(folder(t, 0o755), "f"), ""); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got error %v, want %v", err, fs.ErrNotExist)
		}
	})
}

func TestCheckFolder(t *testing.T) {
	for name, c := range map[string]struct {
		mode    fs.FileMode
		refused bool
	}{
		"the user's own":        {0o755, false},
		"of everybody":          {0o777, true},
		"of everybody, sticky":  {0o777 | fs.ModeSticky, false},
		"of others":             {0o702, true},
		"of root's group":       {0o770, os.Geteuid() == 0},
		"of the group, sticky":  {0o770 | fs.ModeSticky, false},
		"that nobody may enter": {0o000, false},
	} {
		t.Run("folder "+name, func(t *testing.T) {
			if name == "of root's group" && os.Geteuid() != 0 {
				t.Skip("only root makes folders of root's group")
			}
			dir := folder(t, c.mode)
			defer func() { _ = os.Chmod(dir, 0o700) }()
			err := CheckFolder(dir, "")
			if !c.refused && err != nil {
				t.Errorf("got error %v, want none", err)
			}
			if c.refused {
				wantRefused(t, err, dir, "others can write to the folder", "chmod go-w")
			}
			// What is above the folder counts only as far as home.
			inner := filepath.Join(dir, "a", "b")
			if err := CheckFolder(inner, ""); err != nil && c.mode&0o100 != 0 {
				t.Errorf("a folder below, outside of home: got error %v, want none", err)
			}
			if err := CheckFolder(inner, dir); (err != nil) != c.refused && c.mode&0o100 != 0 {
				t.Errorf("a folder below home: got error %v, want one: %t", err, c.refused)
			}
		})
	}
	t.Run("private group", func(t *testing.T) {
		dir := folder(t, 0o775)
		giveAway(t, dir)
		info, err := os.Stat(dir)
		if err != nil || !isPrivateGroup(info) {
			t.Errorf("got no private group (error %v), want that of the owner's number to be one", err)
		}
		noError(t, os.Chown(dir, stranger, stranger+1))
		if info, err := os.Stat(dir); err != nil || isPrivateGroup(info) {
			t.Errorf("got a private group (error %v), want none with another number", err)
		}
	})
}

func TestResolve(t *testing.T) {
	for name, c := range map[string]struct {
		mode    fs.FileMode
		refused bool
	}{
		"the user's own":       {0o755, false},
		"of everybody":         {0o777, true},
		"of everybody, sticky": {0o777 | fs.ModeSticky, true},
		"of the group":         {0o770, true},
	} {
		t.Run("link in a folder "+name, func(t *testing.T) {
			dir := folder(t, c.mode)
			link := filepath.Join(dir, "link")
			noError(t, os.Symlink("target", link))
			got, err := Resolve(link)
			if c.refused {
				wantRefused(t, err, link, "others can write to its folder")
			} else if want := filepath.Join(dir, "target"); got != want || err != nil {
				t.Errorf("got %s, error %v, want %s", got, err, want)
			}
		})
	}
	t.Run("above a link", func(t *testing.T) {
		// The system follows the links before a "..", and a shell that has entered a folder by a link says its name.
		root, shared := folder(t, 0o755), folder(t, 0o777)
		inner, entered := filepath.Join(shared, "inner"), filepath.Join(root, "entered")
		noError(t, errors.Join(os.Mkdir(inner, 0o700), os.Symlink(inner, entered), os.Symlink(root, filepath.Join(shared, "link"))))
		t.Chdir(entered)
		for _, way := range []string{"..", entered + "/..", entered + "/./../inner/.."} {
			if got, err := Resolve(way + "/file"); got != filepath.Join(shared, "file") || err != nil {
				t.Errorf("%s/file: got %s, error %v, want a file in %s", way, got, err, shared)
			}
			_, err := Resolve(way + "/link/file")
			wantRefused(t, err, filepath.Join(shared, "link"), "others can write to its folder")
			wantRefused(t, MakeFolder(way+"/link/folder", 0o700), "others can write to its folder")
		}
	})
	t.Run("above a link, up to the root by name", func(t *testing.T) {
		root := folder(t, 0o755)
		up := strings.Repeat("/..", strings.Count(root, "/")+1)
		inner := root + strings.Repeat("/d", strings.Count(up, "..")+1)
		noError(t, errors.Join(os.MkdirAll(inner, 0o700), os.Symlink(inner, root+"/link")))
		if got, err := Resolve(root + "/link" + up + "/file"); got != root+"/d/file" || err != nil {
			t.Errorf("got %s, error %v, want a file in %s/d", got, err, root)
		}
	})
	t.Run("links to links", func(t *testing.T) {
		root := folder(t, 0o755)
		noError(t, os.Mkdir(filepath.Join(root, "0"), 0o700))
		for i := range 30 { // of which each doubles the steps
			before := filepath.Join(root, strconv.Itoa(i))
			noError(t, os.Symlink(before+"/../"+strconv.Itoa(i), filepath.Join(root, strconv.Itoa(i+1))))
		}
		_, err := Resolve(filepath.Join(root, "30", "file"))
		wantRefused(t, err, "too many symbolic links")
	})
	t.Run("error of stat", func(t *testing.T) {
		path := filepath.Join(write(t, filepath.Join(folder(t, 0o755), "f"), 0o600), "below")
		if _, err := Resolve(path); !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("got error %v, want %v", err, syscall.ENOTDIR)
		}
	})
}

func TestCheckTarget(t *testing.T) {
	for name, c := range map[string]struct {
		mode    fs.FileMode
		pipe    bool
		refused bool
	}{
		"file in a folder of the user":  {0o755, false, false},
		"file in a folder of a group":   {0o775, false, false},
		"file in a folder of everybody": {0o777, false, true},
		"file in a sticky folder":       {0o777 | fs.ModeSticky, false, true},
		"pipe in a folder of the user":  {0o755, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder(t, c.mode), "f")
			var err error
			if c.pipe {
				err = syscall.Mkfifo(path, 0o666)
			} else {
				write(t, path, 0o666)
			}
			noError(t, err)
			for _, whose := range []string{"the user's", "another user's"} {
				info, err := os.Lstat(path)
				noError(t, err)
				err = CheckTarget(path, info)
				if whose == "the user's" {
					if err != nil {
						t.Errorf("%s: got error %v, want none", whose, err)
					}
					giveAway(t, path)
				} else if (err != nil) != c.refused {
					t.Errorf("%s: got error %v, want one: %t", whose, err, c.refused)
				}
			}
			// Who owns the folder can put there what others can't: so it is where all files belong to one user, such as on a
			// volume without owners and modes.
			giveAway(t, filepath.Dir(path))
			info, err := os.Lstat(path)
			noError(t, err)
			if err := CheckTarget(path, info); (err != nil) != c.pipe {
				t.Errorf("in a folder of the same user: got error %v, want one: %t", err, c.pipe)
			}
		})
	}
}

func TestPlantedFolders(t *testing.T) {
	for name, c := range map[string]struct {
		mode    fs.FileMode
		refused bool
	}{
		"the user's own":       {0o755, false},
		"of a group":           {0o775, false},
		"of a group, sticky":   {0o775 | fs.ModeSticky, true},
		"of everybody":         {0o777, true},
		"of everybody, sticky": {0o777 | fs.ModeSticky, true},
	} {
		t.Run(name, func(t *testing.T) {
			inner := filepath.Join(folder(t, c.mode), "inner")
			noError(t, os.Mkdir(inner, 0o777))
			giveAway(t, inner)
			_, err := Resolve(filepath.Join(inner, "sub", "file"))
			for what, err := range map[string]error{"a file below": err, "the folder": MakeFolder(inner, 0o700), "a folder below": MakeFolder(filepath.Join(inner, "sub"), 0o700)} {
				if (err != nil) != c.refused {
					t.Errorf("%s: got error %v, want one: %t", what, err, c.refused)
				}
			}
		})
	}
}

func TestShellWord(t *testing.T) {
	for path, want := range map[string]string{"/a/b-c.d": "/a/b-c.d", "/a b": "'/a b'", "/it's": `'/it'\''s'`, "": "''", "/[*?\\]": `'/[*?\]'`} {
		t.Run(want, func(t *testing.T) {
			if got := ShellWord(path); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestCheckNoLinks(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	noError(t, os.WriteFile(file, nil, 0o600))
	if err := errors.Join(CheckNoLinks(folder), CheckNoLinks(link)); err != nil {
		t.Errorf("got %v of a folder with a file and of none, want no error", err)
	}
	if err := CheckNoLinks(file); err == nil {
		t.Error("got no error of a folder that can't be read, want one")
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip("no symbolic links can be made here:", err)
	}
	if err := (*Error)(nil); !errors.As(CheckNoLinks(folder), &err) || err.Path != link {
		t.Errorf("got %v, want an error about %s", err, link)
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFolderAtTheEnd takes a path with a separator at its end for that of a folder.
func TestFolderAtTheEnd(t *testing.T) {
	root := folder(t, 0o755)
	noError(t, os.WriteFile(root+"/file", nil, 0o600))
	for path, isFolder := range map[string]bool{root + "/": true, root + "/file/": false, root + "/none/": false} {
		if _, err := Resolve(path); (err == nil) != isFolder {
			t.Errorf("%s: got error %v, want one: %t", path, err, !isFolder)
		}
	}
}

func TestWithoutPath(t *testing.T) {
	for name, err := range map[string]error{
		"path": &fs.PathError{Op: "open", Path: "/p", Err: fs.ErrNotExist},
		"link": &os.LinkError{Op: "rename", Old: "/p", New: "/q", Err: fs.ErrNotExist},
		"none": fs.ErrNotExist,
	} {
		t.Run(name, func(t *testing.T) {
			if got := WithoutPath(err); got != fs.ErrNotExist {
				t.Errorf("got %v, want %v", got, fs.ErrNotExist)
			}
		})
	}
}
