//go:build linux

package cmd_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// maxImage is how large the files of the image may be together.
const maxImage = 25 << 20

// TestContainer carries out the steps of the Dockerfile in an empty folder, and runs the
// program in it as the root of its file system, as the user of the image.
func TestContainer(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can change the root of a file system")
	}
	const certificates = "/etc/ssl/certs/ca-certificates.crt"
	if _, err := os.Stat(certificates); err != nil {
		t.Skip("this machine has no certificates:", err)
	}
	root, platform := t.TempDir(), t.TempDir()
	noError(t, buildProgram(filepath.Join(platform, "reseller"), ".."))
	i := buildImage(t, root, platform)
	if i.uid == 0 || !slices.Equal(i.entrypoint, []string{"/usr/bin/reseller"}) {
		t.Errorf("got user %d and entry point %q, want another user than root and the program", i.uid, i.entrypoint)
	}
	size := int64(0)
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
			files = append(files, strings.TrimPrefix(path, root))
		}
		return err
	})
	if want := []string{certificates, "/usr/bin/reseller"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("got files %q, error %v, want %q", files, err, want)
	}
	if size > maxImage {
		t.Errorf("got an image of %d bytes, want at most %d", size, maxImage)
	}
	if out := i.run(t, "", "version"); !strings.HasPrefix(out, "reseller ") {
		t.Errorf("got %q, want the version", out)
	}
	const rows = "account_id,campaign_id,keyword,type\n1,101,red shoes,target\n1,101,blue shoes,target\n"
	load := []string{"keywords", "add", "--server", "mock", "--file", "-", "--input-format", "csv", "--jq", `"\(.sent) \(.present)"`}
	for _, want := range []string{"2 0\n", "0 2\n"} {
		if out := i.run(t, rows, load...); out != want {
			t.Errorf("got %q sent and present, want %q", out, want)
		}
	}
	if out := i.run(t, "", "keywords", "list", "--server", "mock", "--sort", "-keyword", "-o", "csv", "--columns", "keyword", "--output-file", "/tmp/out.csv"); out != "" {
		t.Errorf("got %q, want nothing but a file", out)
	}
}

// An image is a folder with the files of an image, and what its Dockerfile says of programs.
type image struct {
	root, dir  string
	uid        uint32
	env        []string
	entrypoint []string
}

// buildImage carries out the Dockerfile. What its first stage makes lies in a folder of its
// own, and the certificates are those of this machine.
func buildImage(t *testing.T, root, platform string) image {
	t.Helper()
	i := image{root: root, dir: "/"}
	stage := t.TempDir()
	shell := func(format string, args ...any) {
		t.Helper()
		script := fmt.Sprintf(format, args...)
		if out, err := exec.Command("sh", "-ec", script).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
	}
	for line := range strings.SplitSeq(readPage(t, "Dockerfile"), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "", "#", "FROM", "ARG":
		case "RUN":
			shell("%s", strings.ReplaceAll(rest, " /", " "+stage+"/"))
		case "COPY":
			words := strings.Fields(rest)
			owner, from := "0:0", ""
			for strings.HasPrefix(words[0], "--") {
				name, value, _ := strings.Cut(words[0], "=")
				switch name {
				case "--from":
					from = stage
				case "--chown":
					owner = value
				default:
					t.Fatalf("the test does not know %s", name)
				}
				words = words[1:]
			}
			source := strings.Replace(words[0], "$TARGETPLATFORM", platform, 1)
			if _, err := os.Stat(from + source); err == nil {
				source = from + source
			}
			if info, err := os.Stat(source); err == nil && info.IsDir() {
				source += "/."
			}
			target := root + words[1]
			shell("mkdir -p %s; umask 0; cp -R --preserve=mode %s %s", filepath.Dir(target), source, target)
			if strings.HasSuffix(source, "/.") {
				entries, err := os.ReadDir(source)
				noError(t, err)
				for _, e := range entries {
					shell("chown -R %s %s", owner, filepath.Join(target, e.Name()))
				}
			} else {
				shell("chown %s %s", owner, target)
			}
		case "ENV":
			i.env = append(i.env, rest)
		case "WORKDIR":
			i.dir = rest
		case "USER":
			user, _, _ := strings.Cut(rest, ":")
			uid, err := strconv.ParseUint(user, 10, 32)
			noError(t, err)
			i.uid = uint32(uid)
		case "ENTRYPOINT":
			i.entrypoint = strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(`[]", `, r) })
		default:
			if !strings.HasPrefix(line, "#") {
				t.Fatalf("the test does not know %s", word)
			}
		}
	}
	noError(t, os.Chmod(root, 0o755))
	return i
}

// run runs the program of the image and returns what it writes to stdout.
func (i image) run(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	line := append(slices.Clone(i.entrypoint), args...)
	c := exec.CommandContext(context.Background(), line[0], line[1:]...)
	c.Path, c.Err = line[0], nil
	c.Dir, c.Env, c.Stdin = i.dir, i.env, strings.NewReader(stdin)
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: i.root, Credential: &syscall.Credential{Uid: i.uid, Gid: i.uid}}
	var told strings.Builder
	c.Stderr = &told
	out, err := c.Output()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("this root may not change the root of a file system:", err)
	}
	if err != nil {
		t.Errorf("%q: %v\n%s", args, err, told.String())
	}
	return string(out)
}
