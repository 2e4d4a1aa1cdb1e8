package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPrecedence(t *testing.T) {
	samples := map[string][3]string{ // flag, environment, profile
		"base_url":            {"https://f.example.com", "https://e.example.com", "https://p.example.com"},
		"sandbox_url":         {"https://f.example.com", "https://e.example.com", "https://p.example.com"},
		"mock_url":            {"https://f.example.com", "https://e.example.com", "https://p.example.com"},
		"server":              {"mock", "sandbox", "production"},
		"output":              {"json", "csv", "yaml"},
		"token_command":       {"echo f", "echo e", "echo p"},
		"reseller_account_id": {"1", "2", "3"},
		"timeout":             {"1s", "2s", "3s"},
		"retries":             {"1", "2", "3"},
		"rate":                {"1", "2", "3.5"},
	}
	for _, key := range Keys {
		t.Run(key.Name, func(t *testing.T) {
			sample, ok := samples[key.Name]
			if !ok {
				t.Fatal("no sample for this key")
			}
			w := newWorld(t)
			check := func(s *Settings, text, origin string) {
				t.Helper()
				got := s.Get(key.Name)
				wantText(t, got.Text, text)
				wantText(t, got.Origin.String(), origin)
			}
			check(w.load(), key.Default, "default")
			w.file("profiles:\n  default:\n    " + key.Name + ": " + sample[2] + "\n")
			check(w.load(), sample[2], "profile default")
			w.env[key.Env] = ""
			check(w.load(), sample[2], "profile default")
			w.env[key.Env] = sample[1]
			check(w.load(), sample[1], "environment "+key.Env)
			if key.Flag != "" {
				check(w.load(key.Name+"="+sample[0]), sample[0], "flag "+key.Flag)
			}
			if err := w.load().Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEnvironmentNames(t *testing.T) {
	for _, key := range Keys {
		wantText(t, key.Env, "RESELLER_"+strings.ToUpper(key.Name))
		if key.Help == "" || key.Type == "" {
			t.Errorf("%s has no help or type", key.Name)
		}
	}
}

func TestTypedValues(t *testing.T) {
	w := newWorld(t)
	s := w.load()
	if d, err := s.Timeout(); d != time.Minute || err != nil {
		t.Error(d, err)
	}
	if n, err := s.Retries(); n != 4 || err != nil {
		t.Error(n, err)
	}
	if r, err := s.Rate(); r != 0 || err != nil {
		t.Error(r, err)
	}
	if id, err := s.ResellerAccountID(); id != 0 || err != nil {
		t.Error(id, err)
	}
	for text, want := range map[string]time.Duration{
		"60": time.Minute, "1.5": 1500 * time.Millisecond, "90s": 90 * time.Second, "1m30s": 90 * time.Second, "5ms": 5 * time.Millisecond,
	} {
		if d, err := w.load("timeout=" + text).Timeout(); d != want || err != nil {
			t.Error(text, d, err)
		}
	}
	w.file("profiles: {default: {reseller_account_id: 9007199254740993, rate: 0.5, retries: 0, timeout: 5}}")
	s = w.load()
	if id, err := s.ResellerAccountID(); id != 9007199254740993 || err != nil {
		t.Error(id, err)
	}
	if r, err := s.Rate(); r != 0.5 || err != nil {
		t.Error(r, err)
	}
	if n, err := s.Retries(); n != 0 || err != nil {
		t.Error(n, err)
	}
	if d, err := s.Timeout(); d != 5*time.Second || err != nil {
		t.Error(d, err)
	}
}

func TestBadValues(t *testing.T) {
	call := map[string]func(*Settings) error{
		"timeout":             func(s *Settings) error { _, err := s.Timeout(); return err },
		"retries":             func(s *Settings) error { _, err := s.Retries(); return err },
		"rate":                func(s *Settings) error { _, err := s.Rate(); return err },
		"server":              func(s *Settings) error { _, err := s.Server(); return err },
		"output":              func(s *Settings) error { _, err := s.Output(); return err },
		"reseller_account_id": func(s *Settings) error { _, err := s.ResellerAccountID(); return err },
	}
	bad := map[string][]string{
		"timeout":             {"abc", "0", "-1", "-5s", "0s", "NaN", "Inf", "1e300", "9223372036.9", "", "10 s", "60 "},
		"retries":             {"-1", "101", "1.5", "x", "", "99999999999999999999"},
		"rate":                {"0", "-1", "NaN", "Inf", "x", "1e999", ""},
		"server":              {"prod", "Production", "", "mock "},
		"output":              {"xml", "JSON", ""},
		"reseller_account_id": {"1.5", "x", "9223372036854775808", ""},
	}
	for name, texts := range bad {
		for _, text := range texts {
			t.Run(name+" "+text, func(t *testing.T) {
				w := newWorld(t)
				key, _ := LookupKey(name)
				err := call[name](w.load(name + "=" + text))
				wantError[*Error](t, err, key.Flag, `"`+text+`"`)
				wantError[*Error](t, w.load(name+"="+text).Check(), key.Flag)
				if text == "" {
					return // an empty variable or key is unset
				}
				w.env[key.Env] = text
				wantError[*Error](t, call[name](w.load()), key.Env, `"`+text+`"`)
				delete(w.env, key.Env)
				w.file("profiles: {default: {" + name + `: "` + text + `"}}`)
				wantError[*Error](t, call[name](w.load()), name+" of profile default", `"`+text+`"`)
			})
		}
	}
}

func TestProfileChosen(t *testing.T) {
	w := newWorld(t)
	wantText(t, w.load().Profile(), "default")
	w.file("profile: b\nprofiles: {a: {output: csv}, b: {output: json}, c-1_x: }\n")
	s := w.load()
	wantText(t, s.Profile(), "b")
	wantText(t, s.Get("output").Text, "json")
	wantText(t, s.Get("profile").Origin.String(), "file "+w.path())
	wantText(t, strings.Join(s.Profiles(), " "), "a b c-1_x")
	w.env["RESELLER_PROFILE"] = "a"
	wantText(t, w.load().Get("output").Text, "csv")
	wantText(t, w.load("profile=c-1_x").Profile(), "c-1_x")
	wantText(t, w.load("profile=default").Profile(), "default")

	_, err := Load(w.lookup(), flagMap([]string{"profile=bb"}))
	wantError[*Error](t, err, "--profile", `"bb"`, "did you mean")
	w.env["RESELLER_PROFILE"] = "nobody"
	_, err = Load(w.lookup(), nil)
	wantError[*Error](t, err, "RESELLER_PROFILE", `"nobody"`, "config init --profile nobody")
	for _, name := range []string{"", "Prod", "a.b", "a b", "../x", "ä"} {
		_, err = LoadToEdit(w.lookup(), map[string]string{"profile": name})
		wantError[*Error](t, err, "--profile")
	}
	if s, err := LoadToEdit(w.lookup(), flagMap([]string{"profile=new"})); err != nil || s.Profile() != "new" {
		t.Error(s.Profile(), err)
	}
}

func TestPath(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"RESELLER_CONFIG": "/a/b.yaml", "XDG_CONFIG_HOME": "/x"}, "/a/b.yaml"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/x", "HOME": "/h"}, "/x/reseller/config.yaml"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "x", "HOME": "/h"}, "/h/.config/reseller/config.yaml"},
		{"linux", map[string]string{"RESELLER_CONFIG": "", "XDG_CONFIG_HOME": "", "HOME": "/h"}, "/h/.config/reseller/config.yaml"},
		{"darwin", map[string]string{"HOME": "/h"}, "/h/Library/Application Support/reseller/config.yaml"},
		{"windows", map[string]string{"AppData": "/d", "HOME": "/h"}, "/d/reseller/config.yaml"},
		{"linux", nil, ""},
	} {
		w := newWorld(t)
		w.env = c.env
		env := w.lookup()
		env.GOOS = c.goos
		s, err := Load(env, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, filepath.ToSlash(s.Path()), c.want)
	}
}

func TestNoHome(t *testing.T) {
	s, err := Load(Env{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, s.Get("timeout").Text, "60s")
	s.All()
	wantError[*Error](t, s.Set(t.Context(), "output", "json"), "RESELLER_CONFIG")
	_, err = s.Store(true)
	wantError[*Error](t, err, "RESELLER_CONFIG")
	for _, home := range []string{"/dev/null", "/nonexistent"} {
		w := newWorld(t)
		w.env = map[string]string{"HOME": home}
		w.load()
	}
}

func TestAllTellsNoSecrets(t *testing.T) {
	secret := jwt(`{"sub":1}`)
	w := newWorld(t)
	w.env["RESELLER_TOKEN"] = secret
	w.env["RESELLER_PASSWORD"] = "hunter2"
	w.env["RESELLER_BASE_URL"] = "https://me:hunter2@api.example.com"
	w.file("profiles: {default: {token_command: echo " + secret + "}}")
	var lines strings.Builder
	names := map[string]string{}
	for _, setting := range w.load().All() {
		lines.WriteString(setting.Key + " " + setting.Text + " " + setting.Origin.String() + "\n")
		names[setting.Key] = setting.Origin.String()
	}
	if strings.Contains(lines.String(), secret) || strings.Contains(lines.String(), "hunter2") {
		t.Error(lines.String())
	}
	if len(names) != len(Keys)+2 || names["token"] != "environment RESELLER_TOKEN" {
		t.Error(lines.String())
	}
}

func TestReadingWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.file("profiles: {default: {base_url: https://api.example.com}}")
	before := listing(t, w.dir)
	s := w.load()
	s.All()
	_, _ = s.Address()
	_ = s.Check()
	_, _ = s.Tokens("https://api.example.com", nil, nil).Token(t.Context())
	_, _ = s.Forget(t.Context(), "https://api.example.com")
	wantText(t, listing(t, w.dir), before)
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}
