package complete

import (
	"math/rand/v2"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestBashReadsWhatIsInserted quotes random names for each place of a line, and lets bash and splitBash read them.
func TestBashReadsWhatIsInserted(t *testing.T) {
	const breaks = " \t\n\"'@><=;|&(:"
	signs := []rune("abZ09 '\"\\$`!*?[]{}()<>|&;#~^%@:=+,./-_éß東🍕\u00a0\u3000")
	var names []string
	for random := rand.New(rand.NewPCG(1, 2)); len(names) < 3000; {
		name := make([]rune, 1+random.IntN(12))
		for i := range name {
			name[i] = signs[random.IntN(len(signs))]
		}
		names = append(names, string(name))
	}
	for _, typed := range []struct{ stays, goes string }{ // of the word at the cursor
		{"", ""}, {"'", ""}, {`"`, ""}, {"--account=", ""}, {"--account='", ""}, {`--account="`, ""}, {"a:", ""}, {"a", "@"}, {`a'b'=`, ""}, {"", `"a b"`}, {"a:'", "b c"},
	} {
		t.Run("behind "+typed.stays+typed.goes, func(t *testing.T) {
			l := splitBash("reseller x "+typed.stays+typed.goes, breaks)
			last := l.words[len(l.words)-1]
			words, want := make([]string, len(names)), make([]string, len(names))
			for i, name := range names {
				want[i] = last + name
				inserted := l.quoted(want[i], true)
				stays := typed.stays
				if l.quote != 0 && strings.HasPrefix(inserted, string(l.quote)) {
					stays = strings.TrimSuffix(stays, string(l.quote)) // bash replaces that quote as well
				}
				words[i] = stays + inserted
				if got := splitBash("reseller "+words[i], breaks); len(got.words) != 1 || got.words[0] != want[i] || got.quote != 0 {
					t.Fatalf("splitBash reads %s as %q within %q, want %q", words[i], got.words, got.quote, want[i])
				}
			}
			if runtime.GOOS == "windows" {
				t.Skip("the test has not been tried with a bash of Windows")
			}
			bash, err := exec.LookPath("bash")
			if err != nil {
				t.Skip("no bash was found:", err)
			}
			c := exec.Command(bash, "--norc", "-s")
			c.Stdin = strings.NewReader("printf '%s\\0' " + strings.Join(words, " \\\n"))
			c.Env = []string{"LC_ALL=C.UTF-8", "HOME=/home", "PATH=/nowhere"}
			c.Dir = t.TempDir()
			out, err := c.Output()
			got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
			if err != nil || len(got) != len(want) {
				t.Fatalf("bash reads %d words (%v), want %d", len(got), err, len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("bash reads %s as %q, want %q", words[i], got[i], want[i])
				}
			}
		})
	}
}

func TestSplitBash(t *testing.T) {
	const breaks = " \t\n\"'@><=;|&(:"
	for _, tt := range []struct {
		line, words, kept string
		quote             rune
		isFile            bool
	}{
		{line: "reseller ", words: ""},
		{line: "reseller acc", words: "acc"},
		{line: `reseller a\ b 'c d' "e \" f" g`, words: `a b|c d|e " f|g`},
		{line: `reseller 'a b`, words: "a b", quote: '\''},
		{line: `reseller x"a $b`, words: "xa $b", kept: "x", quote: '"'},
		{line: `reseller 'a b'c`, words: "a bc"},
		{line: `reseller --account=Har`, words: "--account=Har", kept: "--account="},
		{line: `reseller --account='Har`, words: "--account=Har", kept: "--account=", quote: '\''},
		{line: `reseller a\:b`, words: "a:b"},
		{line: `reseller a@b`, words: "a@b", kept: "a"},
		{line: `reseller a b\`, words: "a|b"},
		{line: `reseller $(touch x) y`, words: "$|touch|x|y"},
		{line: `reseller a >out b`, words: "a|b"},
		{line: `reseller a 2>out 3 b`, words: "a|3|b"},
		{line: `reseller a > o`, words: "a|o", isFile: true},
		{line: `reseller a >`, words: "a|", isFile: true},
		{line: `reseller '' ""`, words: "|"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			l := splitBash(tt.line, breaks)
			if got := strings.Join(l.words, "|"); got != tt.words || l.kept != tt.kept || l.quote != tt.quote || l.isFile != tt.isFile {
				t.Errorf("got words %s, %q kept, quote %q, file %t; want words %s, %q kept, quote %q, file %t", got, l.kept, l.quote, l.isFile, tt.words, tt.kept, tt.quote, tt.isFile)
			}
		})
	}
}
