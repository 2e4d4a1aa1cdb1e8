package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"reseller/config/errdefs"
)

func TestSetRoundTrip(t *testing.T) {
	f := newFixture(t)
	f.env["RESELLER_OUTPUT"] = "csv" // must not end up in the file
	values := map[string]string{
		"base_url": "https://api.example.com/v1", "sandbox_url": "https://s.example.com", "mock_url": "http://localhost:1",
		"server": "sandbox", "output": "json", "token_command": "printf '%s' \"$T\" # : ä", "reseller_account_id": "9007199254740993",
		"timeout": "90", "retries": "7", "rate": "0.5",
	}
	for name, text := range values {
		if err := f.load("timeout=1s").Set(t.Context(), name, text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	delete(f.env, "RESELLER_OUTPUT")
	s := f.load()
	for name, text := range values {
		wantText(t, s.Get(name).Text, text)
		wantText(t, s.Get(name).Origin.String(), "profile default")
	}
	info, err := os.Stat(f.path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v and error %v, want 0600", info.Mode(), err)
	}
	if raw := readFile(t, f.path()); !strings.Contains(raw, "retries: 7\n") || strings.Contains(raw, "csv") {
		t.Errorf("got file %q, want retries: 7 and no value of the environment", raw)
	}
	noError(t, s.Set(t.Context(), "output", ""))
	wantText(t, s.Get("output").Text, "table")
	wantText(t, f.load().Get("output").Text, "table")
}

func TestSetNormalisesAndRefuses(t *testing.T) {
	f := newFixture(t)
	s := f.load()
	noError(t, s.Set(t.Context(), "base_url", "HTTPS://API.example.com:443/"))
	wantText(t, s.Get("base_url").Text, "https://api.example.com")
	before := readFile(t, f.path())
	for _, c := range []struct{ key, value, want string }{
		{"base-url", "https://x.example.com", "base_url"},
		{"timout", "5s", "timeout"},
		{"token", "abc", "auth login"},
		{"profile", "x", "config use"},
		{"token_command_for", "https://x.example.com", "token_command"},
		{"zzzzzzzzzz", "1", "keys:"},
		{"retries", "-1", "retries"},
		{"server", "prod", "production, sandbox, mock"},
		{"base_url", "https://a:hunter2@x.example.com", "user name"},
		{"base_url", "http://x.example.com", "--allow-http"},
	} {
		t.Run(c.key+"="+c.value, func(t *testing.T) {
			wantError[*errdefs.InvalidError](t, s.Set(t.Context(), c.key, c.value), c.want)
		})
	}
	wantText(t, readFile(t, f.path()), before)
	if err := f.load("allow_http=true").Set(t.Context(), "base_url", "http://x.example.com"); err != nil {
		t.Errorf("got error %v with --allow-http, want none", err)
	}
}

func TestInitAndUse(t *testing.T) {
	f := newFixture(t)
	s, err := LoadToEdit(f.lookup(), flagsOf("profile=live"))
	noError(t, err)
	noError(t, s.Init(t.Context(), map[string]string{"base_url": "https://api.example.com", "token_command": "echo t", "output": ""}))
	wantText(t, f.load().Profile(), "live")
	wantText(t, f.load().ofProfile(keyFor("token_command")), "https://api.example.com:443")
	s, _ = LoadToEdit(f.lookup(), flagsOf("profile=test"))
	noError(t, s.Init(t.Context(), map[string]string{"server": "mock"}))
	wantText(t, f.load().Profile(), "live")
	wantError[*errdefs.InvalidError](t, f.load().Use(t.Context(), "tst"), "did you mean test")
	wantError[*errdefs.InvalidError](t, f.load().Use(t.Context(), "No Name"), "a-z")
	s = f.load()
	noError(t, s.Use(t.Context(), "Test"))
	wantText(t, s.Profile(), "test")
	wantText(t, f.load().Get("server").Text, "mock")
	if err := s.Use(t.Context(), "default"); err != nil {
		t.Errorf("got error %v for the default profile, want none", err)
	}
}

func TestBrokenFiles(t *testing.T) {
	for _, c := range []struct {
		name, text string
		parts      []string
	}{
		{"syntax", "profile: a\nprofiles:\n  a: [1\n", []string{"line "}},
		{"tab", "profiles:\n\ta: 1\n", []string{"line 2"}},
		{"list", "- a\n", []string{"line 1"}},
		{"scalar that may be a secret", "hunter2", []string{"line 1"}},
		{"repeated key", "profile: a\nprofile: b\n", []string{"line 2 repeats a key, in capitals or not"}},
		{"profiles in two cases", "profiles: {prod: {output: csv}, Prod: {output: json}}", []string{"line 1", "repeats", "capital"}},
		{"keys in two cases", "profiles:\n  live: {timeout: 1s, Timeout: 2s}", []string{"line 2", "repeats", "capital"}},
		{"top", "base_url: https://a.example.com\n", []string{`"base_url"`, "under profiles"}},
		{"top typo", "profils: {}\nprofil: a\n", []string{`"profil"`, "did you mean profile"}},
		{"top token", "token: hunter2\n", []string{`"token"`, "auth login"}},
		{"key", "profiles: {live: {bse_url: x}}\n", []string{`"bse_url"`, "profile live", "did you mean base_url"}},
		{"key token", "profiles: {live: {password: hunter2}}\n", []string{`"password"`, "auth login"}},
		{"dotted key", "profiles: {live: {base.url: x}}\n", []string{`"base.url"`}},
		{"value", "profiles:\n  live: {base_url: [hunter2]}\n", []string{"line 2"}},
		{"profiles", "profiles: hunter2\n", []string{"profiles"}},
		{"profile", "profiles:\n  live: hunter2\n", []string{"line 2"}},
		{"profile name", "profiles: {a.b: {}}\n", []string{`"a.b"`}},
		{"active", "profile: [a]\n", []string{"profile"}},
		{"active unknown", "profile: b\nprofiles: {a: {}}\n", []string{`"b"`}},
		{"binary", "\x00\x01", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			f.writeFile(c.text)
			s, err := Load(f.lookup(), nil)
			wantError[*errdefs.InvalidError](t, err, append(c.parts, f.path())...)
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got error %q, want no secret in it", err)
			}
			wantText(t, s.Path(), f.path())
			if c.name == "active unknown" {
				return
			}
			if err := s.Set(t.Context(), "output", "json"); err == nil {
				t.Error("got no error, want the broken file to stay as it is")
			}
			wantText(t, readFile(t, f.path()), c.text)
		})
	}
}

// TestCapitals reads a file whose keys are in capitals, as viper does.
func TestCapitals(t *testing.T) {
	doc, err := parseDocument([]byte("Profile: Work\nPROFILES:\n  Work:\n    Server: mock\n"), "config.yaml")
	noError(t, err)
	wantText(t, fmt.Sprint(doc), "{work map[work:map[server:mock]]}")
}

func TestGoodFiles(t *testing.T) {
	for _, text := range []string{
		"", "# nothing\n", "---\n", "profiles:\n", "profiles: {}\n", "profile:\n", "profiles: {default: }\n",
		"\ufeffprofiles:\r\n  default:\r\n    output: table\r\n", "profiles: {default: {output: }}", "profiles: {2024: {output: csv}}",
	} {
		t.Run(text, func(t *testing.T) {
			f := newFixture(t)
			f.writeFile(text)
			wantText(t, f.load().Get("output").Text, "table")
		})
	}
}

// TestValuesAreTheirText checks that values which YAML would read as numbers keep
// their text, also when the file is written again.
func TestValuesAreTheirText(t *testing.T) {
	f := newFixture(t)
	f.writeFile("profiles: {default: {reseller_account_id: 010, rate: 1e+08, Output: csv, token_command: yes}}")
	for range 2 {
		s := f.load()
		for key, want := range map[string]string{"reseller_account_id": "010", "rate": "1e+08", "output": "csv", "token_command": "yes"} {
			wantText(t, s.Get(key).Text, want)
		}
		id, err := s.ResellerAccountID()
		wantValue(t, id, err, 10)
		noError(t, s.Set(t.Context(), "timeout", "1s"))
	}
}

func TestUnreadableFile(t *testing.T) {
	f := newFixture(t)
	f.env["RESELLER_CONFIG"] = f.dir
	_, err := Load(f.lookup(), nil)
	wantError[*errdefs.InvalidError](t, err, f.dir)
	f.env["RESELLER_CONFIG"] = filepath.Join(f.dir, "deep", "er", "c.yaml")
	s := f.load()
	noError(t, s.Set(t.Context(), "output", "json"))
	wantText(t, f.load().Get("output").Text, "json")
	if info, err := os.Stat(filepath.Join(f.dir, "deep")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v and error %v, want mode 0700", info, err)
	}
}

func TestWritesOnlyOrdinaryFiles(t *testing.T) {
	f := newFixture(t)
	target := filepath.Join(f.dir, "dotfiles.yaml")
	link := filepath.Join(f.dir, "link.yaml")
	noError(t, os.WriteFile(target, []byte("profiles: {a: {output: csv}}"), 0o644))
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links can be made here:", err)
	}
	f.env["RESELLER_CONFIG"] = link
	noError(t, f.load().Set(t.Context(), "output", "json"))
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("got error %v, want the link to stay a link", err)
	}
	if raw := readFile(t, target); !strings.Contains(raw, "json") || !strings.Contains(raw, "csv") {
		t.Errorf("got target %q, want both profiles", raw)
	}
	f.env["RESELLER_CONFIG"] = os.DevNull
	if err := f.load().Set(t.Context(), "output", "json"); err == nil {
		t.Error("got no error, want a device not to be replaced")
	}
	noError(t, os.Remove(target))
	f.env["RESELLER_CONFIG"] = link
	if err := f.load().Set(t.Context(), "output", "json"); err == nil {
		t.Error("got no error, want a dangling link not to be replaced")
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	if os.Geteuid() == 0 {
		// Root may write everywhere, but a file in place of the folder stops it too.
		f := newFixture(t)
		noError(t, os.WriteFile(filepath.Join(f.dir, "reseller"), nil, 0o600))
		if err := f.load().Set(t.Context(), "output", "json"); err == nil {
			t.Error("got no error, want one")
		}
		return
	}
	f := newFixture(t)
	f.writeFile("profiles: {default: {output: csv}}")
	noError(t, os.Chmod(filepath.Dir(f.path()), 0o500))
	if err := f.load().Set(t.Context(), "output", "json"); err == nil {
		t.Error("got no error, want one")
	}
	wantText(t, f.load().Get("output").Text, "csv")
}

func TestConcurrentSets(t *testing.T) {
	f := newFixture(t)
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			s, err := LoadToEdit(f.lookup(), flagsOf("profile="+fmt.Sprintf("p%d", i)))
			if err == nil {
				err = s.Set(t.Context(), "retries", fmt.Sprint(i))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := f.load().Profiles(); len(got) != 12 {
		t.Errorf("got profiles %v, want 12", got)
	}
	if files := listFiles(t, filepath.Dir(f.path())); strings.Count(files, "\n") != 2 {
		t.Errorf("got %s, want only the folder, the file and the lock", files)
	}
}

func FuzzParseDocument(f *testing.F) {
	f.Add([]byte("profile: a\nprofiles: {a: {retries: 4, rate: 0.5, timeout: 60s}}"))
	f.Add([]byte("profiles: {1: {x: [1]}, b: &x {output: json}, c: *x}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, err := parseDocument(raw, "config.yaml")
		if err != nil {
			return
		}
		out, err := doc.render()
		noError(t, err)
		again, err := parseDocument(out, "config.yaml")
		if err != nil || fmt.Sprint(again) != fmt.Sprint(doc) {
			t.Fatalf("%q became %q: %v", raw, out, err)
		}
	})
}
