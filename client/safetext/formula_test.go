package safetext

import "testing"

func TestAppendFormulaSafe(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a-b+c=d@e", "a-b+c=d@e"},
		{"formula", "=1+1", "'=1+1"},
		{"full-width sign", "＝1", "'＝1"},
		{"quote", `"=1"`, `'"=1"`},
		{"quoted name", `"Joe" Smith`, `'"Joe" Smith`},
		{"apostrophe", "'=1", "''=1"},
		{"apostrophe of a name", "'t Hof", "'t Hof"},
		{"after other separators", "a;=1,+2\t-3\n@4", "a;'=1,'+2\t'-3\n'@4"},
		{"quote after another separator", `a;"=1`, `a;'"=1`},
		{"no formula after another separator", `a;"b`, `a;"b`},
		{"carriage return", "\r=1", "'\r=1"},
		{"apostrophe before what may be an escaped carriage return", `'\r`, `''\r`},
		{"empty parts", ";;", ";;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := string(AppendFormulaSafe(nil, []byte(tt.in)))
			if got != tt.want {
				t.Errorf("AppendFormulaSafe(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzFormulaUnsafe(f *testing.F) {
	f.Add("'=a;'=b")
	f.Add(`'\r`)
	f.Add("\"'\"=,''+\r\t-")
	f.Fuzz(func(t *testing.T, text string) {
		safe := AppendFormulaSafe(nil, []byte(text))
		if got := FormulaUnsafe(string(safe)); got != text {
			t.Fatalf("FormulaUnsafe(%q) = %q, want %q", safe, got, text)
		}
		escaped := Append(nil, []byte(text), '\n', '\t')
		if got := FormulaUnsafe(string(Append(nil, safe, '\n', '\t'))); got != string(escaped) {
			t.Fatalf("FormulaUnsafe of %q with its control characters escaped = %q, want %q", safe, got, escaped)
		}
	})
}
