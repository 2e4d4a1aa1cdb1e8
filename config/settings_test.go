package config

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reseller/config/errdefs"
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
		"token_file":          {"f", "e", "p"},
		"brand":               {"f.yaml", "e.yaml", "p.yaml"},
	}
	for _, key := range Keys {
		t.Run(key.Name, func(t *testing.T) {
			sample, ok := samples[key.Name]
			if !ok {
				t.Fatal("no sample for this key")
			}
			f := newFixture(t)
			check := func(s *Settings, text, origin string) {
				t.Helper()
				got := s.Get(key.Name)
				wantText(t, got.Text, text)
				wantText(t, got.Origin.String(), origin)
			}
			check(f.load(), key.Default, "default")
			f.writeFile("profiles:\n  default:\n    " + key.Name + ": " + sample[2] + "\n")
			check(f.load(), sample[2], "profile default")
			f.env[key.Env()] = ""
			check(f.load(), sample[2], "profile default")
			f.env[key.Env()] = sample[1]
			check(f.load(), sample[1], "environment "+key.Env())
			if key.Flag != "" {
				check(f.load(key.Name+"="+sample[0]), sample[0], "flag "+key.Flag)
			}
			if err := f.load().Check(); err != nil {
				t.Errorf("got error %v, want none", err)
			}
		})
	}
}

func TestEnvironmentNames(t *testing.T) {
	for _, key := range Keys {
		if key.Help == "" || key.Type == "" {
			t.Errorf("%s has no help or type", key.Name)
		}
	}
}

func TestTypedValues(t *testing.T) {
	f := newFixture(t)
	s := f.load()
	d, err := s.Timeout()
	wantValue(t, d, err, time.Minute)
	n, err := s.Retries()
	wantValue(t, n, err, 4)
	r, err := s.Rate()
	wantValue(t, r, err, 0)
	id, err := s.ResellerAccountID()
	wantValue(t, id, err, 0)
	for text, want := range map[string]time.Duration{
		"60": time.Minute, "1.5": 1500 * time.Millisecond, "90s": 90 * time.Second, "1m30s": 90 * time.Second, "5ms": 5 * time.Millisecond, "1ns": time.Nanosecond,
	} {
		t.Run(text, func(t *testing.T) {
			got, err := f.load("timeout=" + text).Timeout()
			wantValue(t, got, err, want)
		})
	}
	f.writeFile("profiles: {default: {reseller_account_id: 9007199254740993, rate: 0.5, retries: 0, timeout: 5}}")
	s = f.load()
	id, err = s.ResellerAccountID()
	wantValue(t, id, err, 9007199254740993)
	r, err = s.Rate()
	wantValue(t, r, err, 0.5)
	n, err = s.Retries()
	wantValue(t, n, err, 0)
	d, err = s.Timeout()
	wantValue(t, d, err, 5*time.Second)
}

func TestBadValues(t *testing.T) {
	call := map[string]func(*Settings) error{
		"timeout":             func(s *Settings) error { _, err := s.Timeout(); return err },
		"retries":             func(s *Settings) error { _, err := s.Retries(); return err },
		"rate":                func(s *Settings) error { _, err := s.Rate(); return err },
		"server":              func(s *Settings) error { _, err := s.word("server"); return err },
		"output":              func(s *Settings) error { _, err := s.Output(); return err },
		"reseller_account_id": func(s *Settings) error { _, err := s.ResellerAccountID(); return err },
	}
	bad := map[string][]string{
		"timeout":             {"abc", "0", "-1", "-5s", "0s", "NaN", "Inf", "1e300", "9223372036.9", "", "10 s", "60 "},
		"retries":             {"-1", "101", "1.5", "x", "", "99999999999999999999"},
		"rate":                {"0", "-1", "NaN", "Inf", "x", "1e999", ""},
		"server":              {"prod", "Production", "", "mock "},
		"output":              {"xml", "JSONL", ""},
		"reseller_account_id": {"1.5", "x", "9223372036854775808", ""},
	}
	for name, texts := range bad {
		for _, text := range texts {
			t.Run(name+" "+text, func(t *testing.T) {
				f := newFixture(t)
				key, _ := LookupKey(name)
				err := call[name](f.load(name + "=" + text))
				wantError[*errdefs.InvalidError](t, err, key.Flag, `"`+text+`"`)
				wantError[*errdefs.InvalidError](t, f.load(name+"="+text).Check(), key.Flag)
				if text == "" {
					return // an empty variable or key is unset
				}
				f.env[key.Env()] = text
				wantError[*errdefs.InvalidError](t, call[name](f.load()), key.Env(), `"`+text+`"`)
				delete(f.env, key.Env())
				f.writeFile("profiles: {default: {" + name + `: "` + text + `"}}`)
				wantError[*errdefs.InvalidError](t, call[name](f.load()), name+" of profile default", `"`+text+`"`)
			})
		}
	}
}

func TestProfileChosen(t *testing.T) {
	f := newFixture(t)
	wantText(t, f.load().Profile(), "default")
	f.writeFile("profile: b\nprofiles: {a: {output: csv}, b: {output: json}, c-1_x: }\n")
	s := f.load()
	wantText(t, s.Profile(), "b")
	wantText(t, s.Get("output").Text, "json")
	wantText(t, s.Get("profile").Origin.String(), "file "+f.path())
	wantText(t, strings.Join(s.Profiles(), " "), "a b c-1_x")
	f.env["RESELLER_PROFILE"] = "a"
	wantText(t, f.load().Get("output").Text, "csv")
	wantText(t, f.load("profile=c-1_x").Profile(), "c-1_x")
	wantText(t, f.load("profile=C-1_X").Profile(), "c-1_x")
	wantText(t, f.load("profile=default").Profile(), "default")

	_, err := Load(f.lookup(), flagsOf("profile=c-1_y"))
	wantError[*errdefs.InvalidError](t, err, "--profile", `"c-1_y"`, "did you mean c-1_x")
	f.env["RESELLER_PROFILE"] = "nobody"
	_, err = Load(f.lookup(), nil)
	wantError[*errdefs.InvalidError](t, err, "RESELLER_PROFILE", `"nobody"`, "config init --profile nobody")
	for _, name := range []string{"", "a.b", "a b", "../x", "ä"} {
		t.Run("invalid name "+name, func(t *testing.T) {
			_, err := LoadToEdit(f.lookup(), flagsOf("profile="+name))
			wantError[*errdefs.InvalidError](t, err, "--profile")
		})
	}
	if s, err := LoadToEdit(f.lookup(), flagsOf("profile=new")); err != nil || s.Profile() != "new" {
		t.Errorf("got profile %q and error %v, want new", s.Profile(), err)
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
		t.Run(c.goos+" "+c.want, func(t *testing.T) {
			f := newFixture(t)
			f.env = c.env
			env := f.lookup()
			env.GOOS = c.goos
			s, err := Load(env, nil)
			noError(t, err)
			wantText(t, filepath.ToSlash(s.Path()), c.want)
		})
	}
}

func TestNoHome(t *testing.T) {
	s, err := Load(Env{}, nil)
	noError(t, err)
	wantText(t, s.Get("timeout").Text, "60s")
	s.All()
	wantError[*errdefs.InvalidError](t, s.Set(t.Context(), "output", "json"), "RESELLER_CONFIG")
	_, err = s.Store(true)
	wantError[*errdefs.InvalidError](t, err, "RESELLER_CONFIG")
	for _, home := range []string{"/dev/null", "/nonexistent"} {
		f := newFixture(t)
		f.env = map[string]string{"HOME": home}
		f.load()
	}
}

func TestAllTellsNoSecrets(t *testing.T) {
	secret := jwt(`{"sub":1}`)
	f := newFixture(t)
	f.env["RESELLER_TOKEN"] = secret
	f.env["RESELLER_PASSWORD"] = "hunter2"
	f.env["RESELLER_BASE_URL"] = "https://me:hunter2@api.example.com"
	f.writeFile("profiles: {default: {token_command: echo " + secret + "}}")
	var lines strings.Builder
	all := f.load().All()
	for _, setting := range all {
		lines.WriteString(setting.Key + " " + setting.Text + " " + setting.Origin.String() + "\n")
	}
	if strings.Contains(lines.String(), secret) || strings.Contains(lines.String(), "hunter2") {
		t.Errorf("got settings with a secret:\n%s", lines.String())
	}
	if len(all) != len(Keys)+1 {
		t.Errorf("got %d settings, want %d:\n%s", len(all), len(Keys)+1, lines.String())
	}
}

func TestReadingWritesNothing(t *testing.T) {
	f := newFixture(t)
	f.writeFile("profiles: {default: {base_url: https://api.example.com}}")
	before := listFiles(t, f.dir)
	s := f.load()
	s.All()
	_, _ = s.Address()
	_ = s.Check()
	_, _ = getToken(t, s, api)
	for _, insecure := range []bool{false, true} {
		if store, err := s.Store(insecure); err != nil {
			t.Error(err)
		} else if _, err := store.Delete(t.Context(), s.Profile(), api); err != nil {
			t.Error(err)
		}
	}
	wantText(t, listFiles(t, f.dir), before)
}

// FuzzNumbers checks that the values of settings that are accepted can be used.
func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{"90s", "60", "1e300", "NaN", "-1", "0x1p-2", "9223372036", "1ns", "0.0000000001"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if timeout, err := parseTimeout(text); err == nil && timeout <= 0 {
			t.Errorf("%q: got the timeout %v, want one above zero", text, timeout)
		}
		if retries, err := parseRetries(text); err == nil && (retries < 0 || retries > 100) {
			t.Errorf("%q: got %d retries, want 0 to 100", text, retries)
		}
		if rate, err := parseRate(text); err == nil && !(rate > 0 && rate <= math.MaxFloat64) {
			t.Errorf("%q: got the rate %v, want one above zero", text, rate)
		}
	})
}
