package meta

import (
	"regexp"
	"strings"
	"testing"
)

// TestScriptsEvaluateNothing checks that no script has a construct with which its shell runs a text of the command line or of the program.
// The shells themselves are tried by TestShells.
func TestScriptsEvaluateNothing(t *testing.T) {
	for shell, constructs := range map[string]string{
		"bash":       `\beval\b|compgen -[^f]|\$\{[a-z]+@P\}|printf -v|\(\( *\$|<<<|\bsource\b`,
		"zsh":        `\beval\b|\$\{\([^)]*[e%][^)]*\)|\$\{=|_arguments|\bsource\b`,
		"fish":       `\beval\b|\bsource\b|complete .*-a "|string unescape`,
		"powershell": `(?i)Invoke-Expression|\biex\b|ExpandString|\[scriptblock\]|\.Invoke|\$\(|NewScriptBlock`,
	} {
		t.Run(shell, func(t *testing.T) {
			text, err := script(shell)
			if err != nil {
				t.Fatal(err)
			}
			if found := regexp.MustCompile(constructs).FindAllString(string(text), -1); found != nil {
				t.Errorf("got the constructs %q, want none", found)
			}
			if i := strings.IndexFunc(string(text), func(r rune) bool { return r > 0x7e }); i >= 0 {
				t.Errorf("got %q, want ASCII only: Windows PowerShell reads files in the code page of the machine", text[i:min(i+8, len(text))])
			}
		})
	}
}

// TestPowerShellQuotes does with the patterns of the script for PowerShell what the script does with a word, and reads the result as
// PowerShell does: between single quotes, two quotes of any of its five shapes are one, and nothing else means anything.
func TestPowerShellQuotes(t *testing.T) {
	text, err := script("powershell")
	if err != nil {
		t.Fatal(err)
	}
	pattern := func(line string) *regexp.Regexp {
		found := regexp.MustCompile(line).FindSubmatch(text)
		if found == nil {
			t.Fatalf("the script has no line with %s", line)
		}
		unquoted := strings.ReplaceAll(string(found[1]), "''", "'")
		return regexp.MustCompile(regexp.MustCompile(`\\u([0-9A-F]{4})`).ReplaceAllString(unquoted, `\x{$1}`))
	}
	isPlain := pattern(`if \(\$text -cnotmatch '(.*)'\) \{\n +\$text = "'" \+ `)
	quotes := pattern(`\(\$text -replace '(.*)', '\$0\$0'\) \+ "'"\n`)
	quote := func(name string) string {
		if isPlain.MatchString(name) {
			return name
		}
		return "'" + quotes.ReplaceAllString(name, "$0$0") + "'"
	}
	const shapes = "'\u2018\u2019\u201A\u201B"
	read := func(word string) (name, rest string) {
		if !strings.HasPrefix(word, "'") {
			end := strings.IndexFunc(word, func(r rune) bool {
				return !strings.ContainsRune("-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", r)
			})
			if end < 0 {
				end = len(word)
			}
			return word[:end], word[end:]
		}
		runes, b := []rune(word)[1:], strings.Builder{}
		for i := 0; i < len(runes); i++ {
			if strings.ContainsRune(shapes, runes[i]) {
				if i++; i == len(runes) || !strings.ContainsRune(shapes, runes[i]) {
					return b.String(), string(runes[i:])
				}
			}
			b.WriteRune(runes[i])
		}
		return b.String(), "no quote at the end"
	}
	for _, name := range []string{
		"London", "--columns", "-city", "1", "Harbour Bikes", "Joe's Diner", "Joe\u2019s", "\u2018x\u2019\u201A\u201B", "''", "$(touch pwned)", "`touch pwned`", `The "Inn"`,
		"$HOME", "@at", "{a,b}", "#hash", "a;b|c>d<e", "&x", `C:\x\`, "a=b", "a,b", "1kb", "-a.b", "M\u00fcnchen", "\u6771\u4eac", "-", "--", "--%", "\u2013dash", "x`", "'; touch pwned; '", "\u212a",
	} {
		t.Run(name, func(t *testing.T) {
			if got, rest := read(quote(name)); got != name || rest != "" {
				t.Errorf("%s is read as %q with %q behind it, want %q", quote(name), got, rest, name)
			}
		})
	}
}
