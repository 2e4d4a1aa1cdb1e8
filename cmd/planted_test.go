//go:build unix

package cmd_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const (
	victim   = 65534 // the user who runs the program
	attacker = 12345
)

// A twoUsers is a machine that a victim, who runs the program, shares with an attacker.
type twoUsers struct {
	t       *testing.T
	program string // that both may run
	home    string // of the victim
	shared  string // a folder with the sticky bit, where everybody may create files
	env     []string
}

func newTwoUsers(t *testing.T) *twoUsers {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can run a program as another user")
	}
	root := t.TempDir()
	m := &twoUsers{t: t, program: filepath.Join(root, "reseller"), home: filepath.Join(root, "home"), shared: filepath.Join(root, "shared")}
	noError(t, storyPrograms())
	content, err := os.ReadFile(filepath.Join(programs, "reseller"))
	noError(t, err)
	m.check(os.WriteFile(m.program, content, 0o600), os.Chmod(m.program, 0o755), os.Chmod(filepath.Dir(root), 0o755), os.Chmod(root, 0o755),
		os.Mkdir(m.home, 0o700), os.Chown(m.home, victim, victim), os.Mkdir(m.shared, 0o700), os.Chmod(m.shared, 0o777|os.ModeSticky))
	m.env = []string{"HOME=" + m.home, "PATH=" + os.Getenv("PATH"), "RESELLER_SERVER=mock", "RESELLER_TOKEN=sesame", "TMPDIR=" + m.shared}
	return m
}

func (m *twoUsers) check(errs ...error) {
	m.t.Helper()
	if err := errors.Join(errs...); err != nil {
		m.t.Fatal(err)
	}
}

// write writes a file of a user and returns its path.
func (m *twoUsers) write(user int, path, text string, mode os.FileMode) string {
	m.t.Helper()
	m.check(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode), os.Chown(path, user, user))
	for dir := filepath.Dir(path); dir != m.home && strings.HasPrefix(dir, m.home); dir = filepath.Dir(dir) {
		m.check(os.Chown(dir, victim, victim))
	}
	return path
}

// run runs the program as the victim and returns its exit code and what it wrote to
// both streams.
func (m *twoUsers) run(args ...string) (code int, text string) {
	m.t.Helper()
	return m.runProgram(append([]string{m.program}, args...)...)
}

// runProgram is run for the command line of any program.
func (m *twoUsers) runProgram(line ...string) (code int, text string) {
	m.t.Helper()
	c := exec.Command(line[0], line[1:]...)
	c.Dir, c.Env = m.home, m.env
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: victim, Gid: victim}}
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

// wantRefused checks that a command line fails with a code and says all parts.
func (m *twoUsers) wantRefused(code int, args []string, parts ...string) {
	m.t.Helper()
	got, text := m.run(args...)
	if got != code {
		m.t.Errorf("%q: got exit code %d, want %d:\n%s", args, got, code, text)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			m.t.Errorf("%q: got %q, want %q in it", args, text, part)
		}
	}
}

// TestPlantedFilesOfFolders checks that --file FOLDER reads no file and no link that another
// user has put into a shared folder, and never waits for a pipe.
func TestPlantedFilesOfFolders(t *testing.T) {
	m := newTwoUsers(t)
	const head = "account_id,campaign_id,keyword,type\n"
	args := []string{"keywords", "add", "--file", m.shared, "--dry-run", "-o", "csv"}
	m.write(victim, filepath.Join(m.shared, "a.csv"), head+"1,101,red shoes,target\n", 0o600)
	if code, text := m.run(args...); code != 0 || !strings.Contains(text, ",1,1,0,") {
		t.Errorf("got exit code %d, %s; want one row", code, text)
	}
	path := m.write(attacker, filepath.Join(m.shared, "b.csv"), head+"1,101,planted,target\n", 0o644)
	m.wantRefused(2, args, path, "the file belongs to another user (uid 12345)")
	m.check(os.Remove(path), os.Symlink(m.write(victim, filepath.Join(m.home, "diary.csv"), head, 0o600), path), os.Lchown(path, attacker, attacker))
	m.wantRefused(2, args, path, "the symbolic link is not followed, since it belongs to another user (uid 12345)")
	m.check(os.Lchown(path, victim, victim)) // the kernel follows the user's own link
	m.wantRefused(2, args, path, "others can write to its folder")
	m.check(os.Remove(path), syscall.Mkfifo(path, 0o600), os.Chmod(path, 0o666), os.Chown(path, attacker, attacker))
	m.wantRefused(2, args, path)
	m.check(os.Remove(path), syscall.Mkfifo(path, 0o600), os.Chown(path, victim, victim))
	m.wantRefused(2, args, path, "not a regular file")
}

// TestPlantedOutput checks that no flag which names an output file follows a link, or
// replaces a file, that another user has put into a shared folder.
func TestPlantedOutput(t *testing.T) {
	t.Parallel()
	m := newTwoUsers(t)
	diary := m.write(victim, filepath.Join(m.home, "diary"), "dear diary", 0o600)
	rows := m.write(victim, filepath.Join(m.home, "rows.csv"), "account_id,campaign_id,keyword,type\n1,101,red shoes,target\n", 0o600)
	customers := m.write(victim, filepath.Join(m.home, "customers.csv"), "account_id,phone\n1,555-0199\n", 0o600)
	for flag, args := range map[string][]string{
		"--plan-file":    {"diff", "--file", customers, "--plan-file"},
		"--output-file":  {"accounts", "list", "-o", "csv", "--output-file"},
		"--chart-file":   {"reports", "traffic", "--account", "1", "--campaign", "101", "--chart-file"},
		"--failures":     {"reports", "traffic", "--account", "1", "--failures"},
		"--results":      {"keywords", "add", "--file", rows, "--results"},
		"--rejects":      {"keywords", "add", "--file", rows, "--rejects"},
		"auth token":     {"auth", "token", "--output-file"},
		"mock token":     {"mock", "token", "--output-file"},
		"--unknown":      {"keywords", "add", "--file", rows, "--unknown"},
		"--save-map":     {"keywords", "add", "--file", rows, "--save-map"},
		"--summary-file": {"keywords", "add", "--file", rows, "--summary-file"},
	} {
		t.Run(flag, func(t *testing.T) {
			m.t = t
			path := filepath.Join(m.shared, "out.svg")
			switch flag {
			case "--failures":
				path = filepath.Join(m.shared, "out.csv")
			case "--summary-file":
				path = filepath.Join(m.shared, "out.md")
			}
			args = append(args, path)
			m.check(os.Symlink(diary, path), os.Lchown(path, attacker, attacker))
			m.wantRefused(1, args, path, "another user (uid 12345)")
			m.check(os.Lchown(path, victim, victim)) // the kernel follows the user's own link
			m.wantRefused(1, args, path, "others can write to its folder")
			m.check(os.Remove(path))
			if text, err := os.ReadFile(diary); err != nil || string(text) != "dear diary" {
				t.Errorf("the victim's file has %q, error %v", text, err)
			}

			m.check(syscall.Mkfifo(path, 0o600), os.Chmod(path, 0o666), os.Chown(path, attacker, attacker))
			reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			m.check(err)
			m.wantRefused(1, args, path)
			if got, err := io.ReadAll(reader); err != nil || len(got) > 0 {
				t.Errorf("the attacker's pipe got %q, error %v", got, err)
			}
			m.check(reader.Close(), os.Remove(path))

			m.write(attacker, path, "planted", 0o666)
			m.wantRefused(1, args, path, "another user (uid 12345)")
			m.check(os.Remove(path))

			// Nor are the folders of another user on the way to the file.
			folder := filepath.Join(m.shared, "folder")
			args[len(args)-1] = filepath.Join(folder, "sub", filepath.Base(path))
			m.check(os.Symlink(m.home, folder), os.Lchown(folder, attacker, attacker), os.MkdirAll(filepath.Join(m.home, "sub"), 0o700), os.Chown(filepath.Join(m.home, "sub"), victim, victim))
			m.wantRefused(1, args, "the symbolic link is not followed, since it belongs to another user (uid 12345)")
			m.check(os.Remove(folder), os.MkdirAll(filepath.Join(folder, "sub"), 0o700), os.Chown(folder, attacker, attacker), os.Chown(filepath.Join(folder, "sub"), victim, victim), os.Chmod(folder, 0o777))
			m.wantRefused(1, args, "the folder "+folder+" belongs to another user (uid 12345)")
			m.check(os.RemoveAll(folder))

			// In a folder of the victim's own, links are followed.
			own := filepath.Join(m.home, filepath.Base(path))
			args[len(args)-1] = own
			m.check(os.Symlink("linked", own), os.Lchown(own, victim, victim))
			if code, text := m.run(args...); code != 0 && code != 3 && code != 6 {
				t.Errorf("the victim's own link: got exit code %d, want success:\n%s", code, text)
			}
			if info, err := os.Lstat(own); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("the victim's own link: got mode %v, error %v, want it to stay", info.Mode(), err)
			}
			m.check(os.Remove(own))
		})
	}
	for flag, args := range map[string][]string{
		"--output-dir": {"reports", "summary", "--all", "--month", "2026-10", "--output-dir"},
		"export":       {"export", "--output-dir"},
		"--man":        {"help", "--man"},
		"--db":         {"mock", "token", "--db"},
	} {
		t.Run(flag, func(t *testing.T) {
			m.t = t
			folder, inside := filepath.Join(m.shared, "folder"), filepath.Join(m.home, "inside")
			m.check(os.MkdirAll(inside, 0o700), os.Chown(inside, victim, victim), os.Symlink(inside, folder), os.Lchown(folder, attacker, attacker))
			for _, dir := range []string{folder, filepath.Join(folder, "sub")} {
				m.wantRefused(1, append(slices.Clip(args), dir), "the symbolic link is not followed, since it belongs to another user (uid 12345)")
			}
			if entries, err := os.ReadDir(inside); err != nil || len(entries) > 0 {
				t.Errorf("got %v, error %v in the victim's folder, want nothing", entries, err)
			}
			m.check(os.Remove(folder), os.Mkdir(folder, 0o700), os.Chown(folder, attacker, attacker), os.Chmod(folder, 0o777))
			m.wantRefused(1, append(slices.Clip(args), folder), folder, "belongs to another user (uid 12345)")
			m.check(os.RemoveAll(folder))
		})
	}
	t.Run("nothing left", func(t *testing.T) {
		entries, err := os.ReadDir(m.shared)
		if err != nil || len(entries) > 0 {
			t.Errorf("got %v, error %v in the shared folder, want nothing", entries, err)
		}
	})
}

// TestUnwritableOutput names files in a folder that the user may not write to: that is found before
// anything is sent.
func TestUnwritableOutput(t *testing.T) {
	m := newTwoUsers(t)
	rows := m.write(victim, filepath.Join(m.home, "rows.csv"), "account_id,campaign_id,keyword,type\n1,101,a new word,target\n", 0o600)
	folder := filepath.Join(m.home, "closed")
	m.check(os.Mkdir(folder, 0o555), os.Chown(folder, victim, victim))
	for flag, args := range map[string][]string{
		"--summary-file s.json": {"keywords", "add", "--file", rows},
		"--results r.csv":       {"keywords", "add", "--file", rows},
		"--rejects r.csv":       {"keywords", "add", "--file", rows},
		"--unknown r.csv":       {"keywords", "add", "--file", rows},
		"--output-file o.json":  {"keywords", "add", "--file", rows},
		"--failures f.csv":      {"reports", "traffic", "--all"},
		"--summary-file s.xml":  {"reports", "traffic", "--all"},
	} {
		t.Run(flag, func(t *testing.T) {
			m.t = t
			name, file, _ := strings.Cut(flag, " ")
			code := 2
			if name == "--output-file" {
				code = 1 // for every command
			}
			m.wantRefused(code, append(args, name, filepath.Join(folder, file)), filepath.Join(folder, file)+": permission denied")
			if _, text := m.run("keywords", "list", "--campaign", "101", "-o", "csv"); strings.Contains(text, "a new word") {
				t.Error("the load has sent its row, want nothing sent")
			}
			if _, text := m.run("jobs", "list", "-o", "csv", "--no-header"); text != "" {
				t.Errorf("got the jobs %q, want none", text)
			}
		})
	}
}

// TestUntrustedConfiguration checks that a configuration, or a file of credentials, that
// another user could have written is refused before its token_command runs.
func TestUntrustedConfiguration(t *testing.T) {
	m := newTwoUsers(t)
	ran := filepath.Join(m.shared, "ran")
	text := "profiles: {default: {base_url: \"http://127.0.0.1:9\", token_command: \"touch " + ran + "; echo t\"}}\n"
	m.env = []string{"HOME=" + m.home, "PATH=" + os.Getenv("PATH"), "RESELLER_CONFIG=" + filepath.Join(m.home, "conf", "c.yaml")}
	path := filepath.Join(m.home, "conf", "c.yaml")
	for name, c := range map[string]struct {
		user int
		mode os.FileMode
		dir  os.FileMode
		part string
	}{
		"mode 0666":             {victim, 0o666, 0o700, "others can write to it (mode 0666); run `chmod go-w " + path + "`"},
		"mode 0620":             {victim, 0o620, 0o700, "others can write to it (mode 0620); run `chmod go-w " + path + "`"},
		"another owner":         {attacker, 0o644, 0o700, "it belongs to another user (uid 12345); run `sudo chown 65534 " + path + "`"},
		"folder for everybody":  {victim, 0o600, 0o777, "others can write to the folder " + filepath.Dir(path) + " (mode 0777); run `chmod go-w"},
		"the user's own":        {victim, 0o644, 0o755, ""},
		"root's":                {0, 0o644, 0o755, ""},
		"sticky, the user's":    {victim, 0o600, 0o777 | os.ModeSticky, ""},
		"sticky, another owner": {attacker, 0o644, 0o777 | os.ModeSticky, "another user (uid 12345)"},
	} {
		t.Run(name, func(t *testing.T) {
			m.t = t
			m.write(c.user, path, text, c.mode)
			m.check(os.Chmod(filepath.Dir(path), c.dir))
			if c.part == "" {
				if code, text := m.run("auth", "token"); code != 0 || text != "t\n" {
					t.Errorf("got exit code %d and %q, want the token", code, text)
				}
				m.check(os.Remove(ran))
				return
			}
			m.wantRefused(2, []string{"auth", "token"}, "error: configuration "+path+" is not trusted: ", c.part, "hint: another user may have put it there")
			m.wantRefused(2, []string{"config", "set", "output", "json"}, path, "is not trusted")
			if _, err := os.Stat(ran); err == nil {
				t.Error("the token_command of the file ran")
			}
		})
	}
	t.Run("credentials", func(t *testing.T) {
		m.t = t
		m.check(os.RemoveAll(filepath.Dir(path)))
		credentials := m.write(attacker, filepath.Join(m.home, "conf", "credentials.json"), `{"entries":[]}`, 0o644)
		m.wantRefused(2, []string{"auth", "token", "--base-url", "http://127.0.0.1:9"}, "credentials file "+credentials)
		m.check(os.Chown(credentials, victim, victim), os.Chmod(credentials, 0o600), os.Chmod(filepath.Dir(credentials), 0o777))
		m.wantRefused(2, []string{"auth", "token", "--base-url", "http://127.0.0.1:9"}, "credentials file "+credentials, "others can write to the folder")
	})
}

// TestUntrustedJournal checks that nothing is sent for a journal that another user could
// have written.
func TestUntrustedJournal(t *testing.T) {
	t.Parallel()
	m := newTwoUsers(t)
	rows := m.write(victim, filepath.Join(m.home, "rows.csv"), "account_id,campaign_id,keyword,type\n1,101,red shoes,target\n", 0o600)
	load := []string{"keywords", "add", "--file", rows}
	if code, text := m.run(load...); code != 0 {
		t.Fatalf("got exit code %d, want 0:\n%s", code, text)
	}
	jobs := filepath.Join(m.home, ".local", "state", "reseller", "jobs")
	found, err := filepath.Glob(filepath.Join(jobs, "*.journal"))
	if err != nil || len(found) != 1 {
		t.Fatalf("got journals %q, error %v, want one", found, err)
	}
	journal := found[0]
	id := strings.TrimSuffix(filepath.Base(journal), ".journal")
	wantRefused := func(t *testing.T, parts ...string) {
		t.Helper()
		m.t = t
		for _, args := range [][]string{{"jobs", "resume", id}, {"jobs", "show", id}, {"jobs", "list"}, {"jobs", "remove", id}, load} {
			m.wantRefused(2, args, append(parts, "is not trusted")...)
		}
	}
	t.Run("another owner", func(t *testing.T) {
		m.check(os.Chmod(journal, 0o644), os.Chown(journal, attacker, attacker))
		wantRefused(t, "error: the journal "+journal, "another user (uid 12345); run `sudo chown 65534 "+journal+"`")
		m.check(os.Chown(journal, victim, victim))
	})
	t.Run("mode 0666", func(t *testing.T) {
		m.check(os.Chmod(journal, 0o666))
		wantRefused(t, "error: the journal "+journal, "run `chmod go-w "+journal+"`")
		m.check(os.Chmod(journal, 0o600))
	})
	t.Run("pipe", func(t *testing.T) {
		pipe := filepath.Join(jobs, "00000000-1.journal")
		m.check(syscall.Mkfifo(pipe, 0o600), os.Chown(pipe, victim, victim))
		wantRefused(t, "error: the journal "+pipe, "not a regular file")
		m.check(os.Remove(pipe))
	})
	for _, folder := range []string{jobs, filepath.Dir(jobs), filepath.Join(m.home, ".local"), m.home} {
		t.Run("folder "+strings.TrimPrefix(folder, m.home), func(t *testing.T) {
			m.check(os.Chmod(folder, 0o777))
			wantRefused(t, "error: the folder of the jobs "+jobs, "folder "+folder+" (mode 0777); run `chmod go-w "+folder+"`")
			m.check(os.Chmod(folder, 0o700))
		})
	}
	t.Run("state folder elsewhere", func(t *testing.T) {
		m.t = t
		dir := filepath.Join(m.shared, "state")
		m.check(os.Mkdir(dir, 0o700), os.Chown(dir, victim, victim))
		named := append([]string{"--state-dir", dir}, load...)
		if code, text := m.run(named...); code != 0 {
			t.Errorf("got exit code %d, want 0:\n%s", code, text)
		}
		m.check(os.Chmod(dir, 0o777))
		m.wantRefused(2, named, "is not trusted", "folder "+dir+" (mode 0777); run `chmod go-w "+dir+"`")
		m.check(os.Chmod(dir, 0o700), os.Chown(dir, attacker, attacker))
		m.check(os.Chmod(dir, 0o755))
		m.wantRefused(2, named, "is not trusted", "the folder "+dir+" belongs to another user (uid 12345)")
		link := filepath.Join(m.shared, "link")
		m.check(os.Symlink(filepath.Dir(jobs), link), os.Lchown(link, attacker, attacker))
		m.wantRefused(1, append([]string{"--state-dir", link}, load...), link, "the symbolic link is not followed, since it belongs to another user (uid 12345)")
	})
	t.Run("trusted again", func(t *testing.T) {
		m.t = t
		if code, text := m.run("jobs", "show", id); code != 0 {
			t.Errorf("got exit code %d, want 0:\n%s", code, text)
		}
	})
}
