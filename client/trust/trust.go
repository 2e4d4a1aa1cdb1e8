// Package trust tells files that the user controls from those that somebody else could have planted. It follows the rules of ssh:
// a file that decides what the program does must belong to the user or to root, and nobody else may write to it or replace it.
//
// On Windows, where files have no owner and mode of this kind, every regular file is trusted.
package trust

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// An Error says why a file is not trusted.
type Error struct {
	Path   string
	Reason string // with the command that mends it
}

func (e *Error) Error() string { return fmt.Sprintf("%s is not trusted: %s", e.Path, e.Reason) }

// Advice returns a sentence that says what to do before the file is used.
func (e *Error) Advice() string { return "another user may have put it there: look at it first" }

// InvalidInput marks an error in what the user gave to the program: nothing was sent.
func (e *Error) InvalidInput() {}

// WithoutPath returns the reason of an error of the file system, for messages that name the path themselves.
func WithoutPath(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}

// ReadFile returns the content of a file that Open opens. A file of more than limit bytes is an error.
func ReadFile(path, home string, limit int64) ([]byte, error) {
	file, err := Open(path, home)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("larger than %d MB", limit>>20)}
	}
	return content, err
}

// Open opens a file for reading if it is a regular file, or os.DevNull, that is trusted: Check and CheckFolder find nothing
// wrong, and nobody else has planted the symbolic link at its path. It never waits for the other end of a pipe.
func Open(path, home string) (*os.File, error) {
	return open(path, func(target string, info fs.FileInfo) error {
		if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(info, null) {
			return nil
		}
		if err := checkFile(path, info); err != nil {
			return err
		}
		return checkFolders(path, filepath.Dir(target), home)
	})
}

// OpenUnnamed opens for reading a regular file that the user has not named: the listing of a folder did. A symbolic link or
// a file that another user may have planted there is an error. It never waits for the other end of a pipe.
func OpenUnnamed(path string) (*os.File, error) {
	return open(path, func(target string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() {
			return &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
		}
		return CheckTarget(target, info)
	})
}

// open opens for reading the file to which a path resolves, if check finds nothing wrong with it.
func open(path string, check func(target string, info fs.FileInfo) error) (*os.File, error) {
	target, err := Resolve(path)
	if err != nil {
		return nil, err
	}
	file, err := OpenFile(target)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		at.Path = path
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = check(target, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Check returns an error unless path is a regular file that belongs to the user or to root, and that nobody else may write to.
func Check(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return checkFile(path, info)
}

func checkFile(path string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return &Error{path, "it is not a regular file"}
	case !isOurs(info):
		return &Error{path, fmt.Sprintf("it belongs to another user (%s); run `%s`", ownerOf(info), chown(path))}
	case othersMayWrite(path, info):
		return &Error{path, fmt.Sprintf("others can write to it (mode %04o); run `chmod go-w %s`", info.Mode().Perm(), ShellWord(path))}
	}
	return nil
}

// CheckFolder returns an error if somebody else could replace the files in a folder. The folder must belong to the user or
// to root, and others must not be able to write to it, unless its sticky bit keeps them from touching the user's files. If
// the folder lies below home, the folders between them and home itself are checked likewise. Folders that do not exist are
// passed over.
func CheckFolder(folder, home string) error { return checkFolders(folder, folder, home) }

// CheckUnshared returns an error if everybody may create files in a folder, whose sticky bit keeps them from the files
// of others only. A folder that does not exist is passed over.
func CheckUnshared(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && othersMayWrite(folder, info) && info.Mode()&fs.ModeSticky != 0:
		return &Error{folder, fmt.Sprintf("others can write to it (mode 1%03o); use a folder of your own in it, such as %s", info.Mode().Perm(), ShellWord(filepath.Join(folder, "reseller")))}
	}
	return err
}

// CheckNoLinks returns an error if a folder contains a symbolic link. It is for folders whose files
// this program alone makes, but that may have come from elsewhere: a link would have it read and
// write other files of the user. A folder that does not exist is passed over.
func CheckNoLinks(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if path := filepath.Join(folder, e.Name()); e.Type()&fs.ModeSymlink != 0 {
			return &Error{path, fmt.Sprintf("it is a symbolic link; run `rm %s`", ShellWord(path))}
		}
	}
	return err
}

// checkFolders is CheckFolder for the folder of the file or folder at path, which is named in the error.
func checkFolders(path, folder, home string) error {
	if real, err := Resolve(folder); err == nil { // otherwise, whoever opens the file says what is wrong
		folder = real
	}
	if real, err := Resolve(home); err == nil && home != "" {
		home = real
	}
	for {
		info, err := os.Stat(folder)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !isOurs(info):
			return &Error{path, fmt.Sprintf("the folder %s belongs to another user (%s); run `%s`", folder, ownerOf(info), chown(folder))}
		case othersMayWrite(folder, info) && info.Mode()&fs.ModeSticky == 0 && !isPrivateGroup(info):
			return &Error{path, fmt.Sprintf("others can write to the folder %s (mode %04o); run `chmod go-w %s`", folder, info.Mode().Perm(), ShellWord(folder))}
		}
		below, err := filepath.Rel(home, folder)
		if err != nil || home == "" || below == "." || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
			return nil
		}
		folder = filepath.Dir(folder)
	}
}

// Resolve follows the symbolic links at path and returns the path of the file to which they lead, which has no links. Unlike
// with filepath.EvalSymlinks, this file need not exist. A link that belongs to another user, or that lies in a folder where
// others can write, is an error: it may have been planted. So is a folder on the way to the file (CheckTarget).
func Resolve(path string) (string, error) {
	real, err := resolve(path, new(int))
	if err == nil && path != "" && os.IsPathSeparator(path[len(path)-1]) {
		if info, bad := os.Stat(real); bad != nil || !info.IsDir() {
			return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("no such folder")}
		}
	}
	return real, err
}

// ResolveTarget is Resolve for a file to be written, which another user may not have planted (CheckTarget). info is nil if
// there is no file.
func ResolveTarget(path string) (target string, info fs.FileInfo, err error) {
	if target, err = Resolve(path); err != nil {
		return "", nil, err
	}
	if info, err = os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		return target, nil, nil
	} else if err == nil {
		err = CheckTarget(target, info)
	}
	return target, info, err
}

// MakeFolder makes a folder, and those on the way to it, that do not exist, unless another user has planted one of them.
func MakeFolder(path string, perm fs.FileMode) error {
	real, err := Resolve(path + "/.") // which checks the folder, too
	if err != nil {
		return err
	}
	return os.MkdirAll(real, perm)
}

// absolute returns a path from the root, with its "..": filepath.Abs takes the name before one away, and so does Windows, but
// other systems follow it if it is a link.
func absolute(path string) (string, error) {
	switch {
	case runtime.GOOS == "windows":
		return filepath.Abs(path)
	case filepath.IsAbs(path):
		return path, nil
	}
	working, err := os.Getwd()
	return working + "/" + path, err
}

// resolve is Resolve, and counts links. It takes one name after the other, as the system does, so that a ".." after a
// link leads to the folder above that of the link.
func resolve(path string, links *int) (string, error) {
	path, err := absolute(path)
	if err != nil {
		return "", err
	}
	if clean := filepath.Clean(path); filepath.Dir(clean) == clean && (runtime.GOOS == "windows" || strings.Trim(path, "/") == "") {
		return clean, nil
	}
	parent, name := filepath.Split(strings.TrimRight(path, string(filepath.Separator)))
	folder, err := resolve(parent, links)
	if err != nil {
		return "", err
	}
	if info, err := os.Lstat(folder); err == nil && isPlanted(folder, info) {
		return "", &fs.PathError{Op: "open", Path: folder, Err: fmt.Errorf("the folder %s belongs to another user (%s)", folder, ownerOf(info))}
	}
	switch name {
	case ".":
		return folder, nil
	case "..":
		return filepath.Dir(folder), nil
	}
	path = filepath.Join(folder, name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink == 0:
		return path, nil
	case *links == 40:
		return "", &fs.PathError{Op: "resolve", Path: path, Err: errors.New("too many symbolic links")}
	}
	if err := checkLink(path, info); err != nil {
		return "", err
	}
	link, err := os.Readlink(path)
	if err != nil {
		return "", err
	}
	if os.IsPathSeparator((link + " ")[0]) && filepath.VolumeName(link) == "" { // from the root of the drive on Windows
		link = filepath.VolumeName(folder) + link
	}
	if !filepath.IsAbs(link) {
		link = folder + string(filepath.Separator) + link
	}
	*links++
	return resolve(link, links)
}

func checkLink(path string, info fs.FileInfo) error {
	refused := func(reason string) error {
		return &fs.PathError{Op: "follow", Path: path, Err: errors.New(reason)}
	}
	if !isOurs(info) {
		return refused(fmt.Sprintf("the symbolic link is not followed, since it belongs to another user (%s)", ownerOf(info)))
	}
	folder := filepath.Dir(path)
	in, err := os.Stat(folder)
	if err != nil {
		return err
	}
	if othersMayWrite(folder, in) {
		return refused(fmt.Sprintf("the symbolic link is not followed, since others can write to its folder (mode %04o)", in.Mode().Perm()))
	}
	return nil
}

// CheckTarget returns an error if the file at path was perhaps planted, so that it must be neither replaced nor written to: it
// belongs to another user, and it is no regular file, or lies where this user can have created it (isPlanted).
func CheckTarget(path string, info fs.FileInfo) error {
	if isOurs(info) || info.Mode().IsRegular() && !isPlanted(path, info) {
		return nil // files of a group are shared
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("the file belongs to another user (%s)", ownerOf(info))}
}

// isPlanted reports whether a file or folder may have been planted: it belongs to another user, and lies in a folder, not of
// the same user, where everybody may create some, or all of a group who may not touch those of others.
func isPlanted(path string, info fs.FileInfo) bool {
	if isOurs(info) {
		return false
	}
	folder := filepath.Dir(path)
	in, err := os.Stat(folder)
	return err != nil || in.Mode()&(fs.ModeSticky|0o002) != 0 && othersMayWrite(folder, in) && ownerOf(in) != ownerOf(info)
}

// ShellWord returns a text as one word of a POSIX shell.
func ShellWord(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
