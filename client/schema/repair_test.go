package schema

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"

	"reseller/client/record"
	"reseller/client/safetext"
)

// repairNames are the names of Repairs in tests, by bit.
var repairNames = [len(Repairs)]string{"invisible", "space", "formula", "apostrophe", "country", "scheme", "fraction", "zero", "shown"}

func (s RepairSet) String() string {
	var names []string
	for i, name := range repairNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func TestRepair(t *testing.T) {
	text, number, site, country, postal := Field{}, Field{Type: Int}, Field{Type: URL}, Field{Type: Country}, Field{Content: PostalCode}
	for name, c := range map[string]struct {
		field      Field
		text, want string
		made       string
	}{
		"clean text":                   {text, "red  shoes", "red  shoes", ""},
		"white space":                  {text, "\t red  shoes\r\n", "red  shoes", "space"},
		"no-break spaces":              {text, "\u00a0\u202f\u2007red\u00a0shoes\u00a0", "red\u00a0shoes", "space"},
		"characters without width":     {text, "\ufeffred\u200b\u2060", "red", "invisible"},
		"nothing but white space":      {text, " \u00a0", "", "space"},
		"formula made safe":            {text, "'+49 30 1", "+49 30 1", "apostrophe"},
		"lines made safe":              {Field{Content: Prose}, "'- kind\n'- brief", "- kind\n- brief", "apostrophe"},
		"a line not made safe":         {Field{Content: Prose}, "'- kind\n- brief", "'- kind\n- brief", ""},
		"members made safe":            {Field{Type: List}, "'-50% shoes;-new;'=x", "-50% shoes;-new;=x", "apostrophe"},
		"apostrophes of a text":        {text, "rock 'n' roll, 'tis", "rock 'n' roll, 'tis", ""},
		"foreign letters":              {text, "Ärzte für Łódź", "Ärzte für Łódź", ""},
		"password":                     {Field{Type: Password}, " x ", " x ", ""},
		"number":                       {number, "3007.0", "3007", "fraction"},
		"number, more zeros":           {number, " 3007.00", "3007", "space fraction"},
		"number, maybe in thousands":   {number, "1.000", "1.000", ""},
		"phone, maybe in thousands":    {Field{Content: Code}, "351.000", "351.000", ""},
		"number with a fraction":       {number, "3007.5", "3007.5", ""},
		"point without zeros":          {number, "3007.", "3007.", ""},
		"number in a text":             {text, "3007.0", "3007.0", ""},
		"number in an id":              {Field{Content: Code}, "3007.0", "3007", "fraction"},
		"version in an id":             {Field{Content: Code}, "crm-3.0", "crm-3.0", ""},
		"site":                         {site, "example.com", "https://example.com", "scheme"},
		"site behind a user":           {site, "example.com:pass@other.example.com", "example.com:pass@other.example.com", ""},
		"site with an address in it":   {site, "example.com/?to=http://a.example.com", "https://example.com/?to=http://a.example.com", "scheme"},
		"scheme with one slash":        {site, "http:/example.com", "http:/example.com", ""},
		"site with a path":             {site, " www.example.com:8080/a?b#c ", "https://www.example.com:8080/a?b#c", "space scheme"},
		"site of foreign letters":      {site, "müller.рф", "https://müller.рф", "scheme"},
		"site with a scheme":           {site, "http://example.com", "http://example.com", ""},
		"site with another scheme":     {site, "ftp://example.com", "ftp://example.com", ""},
		"word":                         {site, "none", "none", ""},
		"abbreviation":                 {site, "n.a.", "n.a.", ""},
		"number, not a site":           {site, "10.5", "10.5", ""},
		"shortened, not a site":        {site, "5.03556E+09", "5.03556E+09", ""},
		"e-mail address, no site":      {site, "ada@example.com", "ada@example.com", ""},
		"wrong scheme, no site":        {site, "https:/example.com", "https:/example.com", ""},
		"site in a text":               {text, "example.com", "example.com", ""},
		"country code":                 {country, "de", "de", ""},
		"country code in no list":      {country, "ZZ", "ZZ", ""},
		"UK":                           {country, "uk", "GB", "country"},
		"three letters":                {country, "DEU", "DE", "country"},
		"three letters, small":         {country, " usa ", "US", "space country"},
		"name":                         {country, "germany", "DE", "country"},
		"name with accents":            {country, "cote d’ivoire", "CI", "country"},
		"name with an article":         {country, "The Netherlands", "NL", "country"},
		"name with an abbreviation":    {country, "St. Kitts & Nevis", "KN", "country"},
		"name of ISO":                  {country, "Korea (the Republic of)", "KR", "country"},
		"name with a no-break space":   {country, "United\u00a0States", "US", "country"},
		"U.S.":                         {country, "U.S.", "US", "country"},
		"U.S.A.":                       {country, "U. S. A.", "US", "country"},
		"United States of America":     {country, "United States of America", "US", "country"},
		"Great Britain":                {country, "Great Britain", "GB", "country"},
		"South Korea":                  {country, "South Korea", "KR", "country"},
		"Czech Republic":               {country, "Czech Republic", "CZ", "country"},
		"Ivory Coast":                  {country, "Ivory Coast", "CI", "country"},
		"name in German":               {country, "Deutschland", "DE", "country"},
		"name in French":               {country, "ÉTATS-UNIS", "US", "country"},
		"name in Spanish":              {country, "españa", "ES", "country"},
		"name without accents":         {country, "Oesterreich", "AT", "country"},
		"not available":                {country, "n.a.", "n.a.", ""},
		"not available, slash":         {country, "N/A", "N/A", ""},
		"ambiguous":                    {country, "Korea", "Korea", ""},
		"no country":                   {country, "Narnia", "Narnia", ""},
		"code with a digit":            {country, "US1", "US1", ""},
		"text in a formula":            {text, ` ="5035550100 "`, "5035550100", "space formula"},
		"postal code in a formula":     {postal, `="2134"`, "02134", "formula zero"},
		"site in a formula":            {site, `="example.com"`, "https://example.com", "formula scheme"},
		"formula of two texts":         {text, `="a"&"b"`, `="a"&"b"`, ""},
		"formula of a number":          {text, `=5035550100`, `=5035550100`, ""},
		"postal code":                  {postal, "2134", "02134", "zero"},
		"postal code of five":          {postal, "97201", "97201", ""},
		"postal code of three":         {postal, "601", "601", ""},
		"soft hyphen":                  {text, "run\u00adning\u200b \u00adshoes", "running shoes", "invisible"},
		"marks of direction":           {Field{Content: Code}, "\u202a+49 30\u200e 12\u202c", "+49 30 12", "invisible"},
		"marks of direction of a name": {text, "a\u202eb", "a\u202eb", ""},
		"invisible before a space":     {text, "\u00ad red", "red", "invisible space"},
		"joiner in a Latin word":       {text, "of\u200cfice", "office", "invisible"},
		"joiner at the end":            {text, "می\u200c", "می", "invisible"},
		"joiner before a space":        {text, "می\u200c\u00a0خ", "می\u00a0خ", "invisible"},
		"joiner in a Persian word":     {text, "می\u200cخواهم", "می\u200cخواهم", ""},
		"joiner in a Hindi word":       {text, "क्\u200dष", "क्\u200dष", ""},
		"emoji of two":                 {text, "👩\u200d💻", "👩\u200d💻", ""},
		"invisible in a password":      {Field{Type: Password}, "a\u00adb", "a\u00adb", ""},
		"postal code of letters":       {postal, "SW1A", "SW1A", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, made := c.field.Repair(c.text, "US", true)
			if got != c.want || made.String() != c.made {
				t.Errorf("got %q with the repairs %q, want %q with %q", got, made, c.want, c.made)
			}
			if again, made := c.field.Repair(got, "US", true); again != got || made != 0 {
				t.Errorf("a second time: got %q with the repairs %q, want %q and none", again, made, got)
			}
			if got, made := c.field.Repair(c.text, "US", false); c.made == "apostrophe" && (got != c.text || made != 0) {
				t.Errorf("of no sheet: got %q with the repairs %q, want it as it is", got, made)
			}
		})
	}
	for _, c := range []struct{ country, text, want, fault string }{
		{"DE", "1067", "01067", ""}, {"DE", "1067.0", "01067", ""}, {"DE", "10117", "10117", ""}, {"DE", "67", "67", "5"}, {"DE", "101177", "101177", "5"}, {"DE", "4934112340000", "4934112340000", "5"}, {"CH", "80011", "80011", "4"}, {"DE", "D-1067", "D-1067", ""},
		{"FR", "1000", "01000", ""}, {"IT", "118", "00118", ""}, {"ES", "8001", "08001", ""}, {"FI", "100", "00100", ""}, {"SE", "123 45", "123 45", ""}, {"SE", "1234", "1234", "5"},
		{"CH", "2134", "2134", ""}, {"AT", "101", "101", "4"}, {"DK", "800", "0800", ""}, {"NO", "150", "0150", ""}, {"AU", "800", "0800", ""}, {"RO", "10011", "010011", ""},
		{"US", "2134", "02134", ""}, {"US", "601", "601", "5"}, {"US", "02134-1234", "02134-1234", ""}, {"US", "021341234", "021341234", ""}, {"US", "0213412345", "0213412345", "5"},
		{"GB", "123", "123", ""}, {"", "1067", "1067", ""}, {"S", "1", "1", ""}, {"DE", "", "", ""}, {"DE", "0106", "0106", "5"},
	} {
		got, _ := postal.Repair(c.text, c.country, false)
		fault := ""
		if err := postal.CheckPostal(got, c.country); err != nil {
			fault = err.Error()
		}
		if got != c.want || (fault != "") != (c.fault != "") || !strings.Contains(fault, "of "+c.country+", which all have "+c.fault) && c.fault != "" {
			t.Errorf("%s %q: got %q, %s; want %q and a fault with %q", c.country, c.text, got, fault, c.want, c.fault)
		}
	}
}

// TestCountries checks the table of countries against the one of golang.org/x/text: both
// codes of each country, and its name in English.
func TestCountries(t *testing.T) {
	const officially = 249
	field, keys := Field{Type: Country}, map[string]string{}
	lines := slices.Collect(strings.Lines(countries))
	for _, line := range lines {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		code, long := cells[0], cells[1]
		region, err := language.ParseRegion(code)
		if err != nil || !region.IsCountry() {
			t.Errorf("%s: got %v, error %v; want a country", code, region, err)
			continue
		}
		if code != "XK" && region.ISO3() != long { // Kosovo has its codes from users
			t.Errorf("%s: got the long code %s, want %s", code, long, region.ISO3())
		}
		name := display.English.Regions().Name(region)
		for _, text := range append(cells[1:], strings.TrimSuffix(name, " China"), strings.ToUpper(name)) {
			if got, _ := field.Repair(text, "", false); got != code {
				t.Errorf("%q: got %q, want %s", text, got, code)
			}
			key := countryKey(text)
			if other := keys[key]; other != "" && other != code {
				t.Errorf("%q is a name of both %s and %s", text, other, code)
			}
			keys[key] = code
		}
	}
	if len(lines) != officially+1 {
		t.Errorf("got %d countries, want the %d of ISO 3166-1 and Kosovo", len(lines), officially)
	}
}

func TestDamage(t *testing.T) {
	text, prose, keyword, list := Field{}, Field{Content: Prose}, Field{Content: KeywordText}, Field{Type: List, Content: KeywordText}
	for name, c := range map[string]struct {
		field Field
		json  string
		want  string // a part of the error, "" for none
	}{
		"clean":                       {text, `"555-0100"`, ""},
		"shortened":                   {text, `"5.03556E+09"`, "shortened"},
		"shortened with a comma":      {text, `"5,03556E+09"`, "shortened"},
		"shortened, small letter":     {text, `"5e+09"`, "shortened"},
		"shortened JSON number":       {text, `5.03556E+09`, "shortened"},
		"shortened in a number":       {Field{Type: Int}, `"1E+15"`, "shortened"},
		"not quite shortened":         {text, `"E+09"`, ""},
		"article number":              {text, `"12E-345"`, ""},
		"with more behind it":         {text, `"5E+09 x"`, ""},
		"narrow":                      {text, `"########"`, "too narrow"},
		"one sign":                    {text, `"#"`, ""},
		"number sign":                 {text, `"#12"`, ""},
		"formula, not available":      {text, `"#N/A"`, "error of a spreadsheet"},
		"formula, reference":          {text, `"#REF!"`, "error of a spreadsheet"},
		"formula, value":              {text, `"#VALUE!"`, "error of a spreadsheet"},
		"formula, division":           {text, `"#DIV/0!"`, "error of a spreadsheet"},
		"formula, name":               {text, `"#NAME?"`, "error of a spreadsheet"},
		"formula, number":             {text, `"#NUM!"`, "error of a spreadsheet"},
		"formula, null":               {text, `"#NULL!"`, "error of a spreadsheet"},
		"formula, German":             {text, `"#BEZUG!"`, "error of a spreadsheet"},
		"formula, a space":            {text, `"#VALEUR !"`, "error of a spreadsheet"},
		"formula, no-break space":     {text, `"#DIV/0\u00a0!"`, "error of a spreadsheet"},
		"formula, LibreOffice, space": {text, `"Err :502"`, "error of a spreadsheet"},
		"formula, blocked":            {text, `"#BLOCKIERT!"`, "error of a spreadsheet"},
		"formula, French field":       {text, `"#CHAMP!"`, "error of a spreadsheet"},
		"formula, spill":              {text, `"#DÉVERSEMENT !"`, "error of a spreadsheet"},
		"formula, LibreOffice":        {text, `"Err:502"`, "error of a spreadsheet"},
		"formula, overflow":           {text, `"#ÜBERLAUF!"`, "error of a spreadsheet"},
		"formula, German LibreOffice": {text, `"Fehler:502"`, "error of a spreadsheet"},
		"formula in notes":            {prose, `"#REF!"`, "error of a spreadsheet"},
		"formula in an address":       {Field{Type: Email}, `"#N/A"`, "error of a spreadsheet"},
		"word with a number sign":     {text, `"#winning!"`, ""},
		"shortened without a sign":    {Field{Content: Code}, `"4.9341E12"`, "shortened"},
		"shortened, short exponent":   {Field{Content: Code}, `"5.03E+9"`, "shortened"},
		"fraction":                    {Field{Content: Code}, `"0.5"`, "fraction"},
		"fraction with a comma":       {Field{Content: Code}, `"0,5"`, "fraction"},
		"fraction in a text":          {text, `"0.5"`, ""},
		"keyword like a number":       {keyword, `"4.2e1"`, ""},
		"phone with dots":             {Field{Content: Code}, `"0.341.12"`, ""},
		"phone with a truth value":    {Field{Content: Code}, `"TRUE"`, "truth value"},
		"truth value":                 {text, `"TRUE"`, ""},
		"truth value as a keyword":    {keyword, `"TRUE"`, "truth value"},
		"other truth value":           {keyword, `"FALSE"`, "truth value"},
		"several keywords":            {keyword, `"a; b"`, "several keywords"},
		"keywords with bars":          {keyword, `"a | b"`, "several keywords"},
		"keyword with a comma":        {keyword, `"shoes, red"`, ""},
		"keyword true":                {keyword, `"true"`, ""},
		"keyword with true":           {keyword, `"TRUE love"`, ""},
		"truth value among keywords":  {list, `["a","TRUE | interest"]`, "truth value"},
		"keywords":                    {list, `["a","b|interest"]`, ""},
		"line feed":                   {text, `"a\nb"`, "line feed"},
		"carriage return":             {text, `"a\rb"`, "line feed"},
		"line separator":              {text, `"a\u2028b"`, "line feed"},
		"line feed in notes":          {prose, `"a\nb"`, ""},
		"tab":                         {text, `"a\tb"`, "control character"},
		"escape":                      {text, `"\u001b[31m"`, "control character"},
		"delete":                      {text, `"a\u007fb"`, "control character"},
		"control of eight bits":       {text, `"a\u009bb"`, "control character"},
		"control in notes":            {prose, `"a\u0007"`, ""},
		"control in an attribute":     {Field{Type: Attributes}, `[{"field_name":"a","field_value":"b\tc"}]`, "control character"},
		"formula in a pair":           {Field{Type: Pair}, `{"field_name":"a","field_value":"#REF!"}`, "error of a spreadsheet"},
		"password":                    {Field{Type: Password}, `"####"`, ""},
		"password like a truth value": {Field{Type: Password}, `"5E+09"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.field.Damage(record.Value(c.json).Text(), record.Value(c.json))
			if got := ""; err != nil {
				got = err.Error()
				if c.want == "" || !strings.Contains(got, c.want) || !strings.HasPrefix(got, `"`) {
					t.Errorf("got %s, want the value and %q", got, c.want)
				}
			} else if c.want != "" {
				t.Errorf("got no error, want one with %q", c.want)
			}
		})
	}
}

// FuzzRepair checks that a cell which was repaired needs no other repair, that the repair
// of a site or a country makes it valid, and that ordinary cells are clean.
func FuzzRepair(f *testing.F) {
	for _, text := range []string{" red\u00a0", "5.03556E+09", "#N/A", "TRUE", "example.com/x y", "a..b", "United States", "3007.0", "55555555555555555500.0", "2134", "a:80:9.com", "\ufeff\u200bUK ", "St. Lucia", "x\x7f", "Err:502", `="2134"`, `="=""`, "'+49 30", `="'+5"`, "'\t=\"x\""} {
		f.Add(text)
	}
	fields := []Field{{}, {Type: Int}, {Type: URL}, {Type: Country}, {Content: PostalCode}, {Content: KeywordText}, {Content: Prose}, {Type: Email}, {Type: Choice}, {Type: Password}}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || text == "" {
			return
		}
		for _, field := range fields {
			for _, country := range []string{"", "US"} {
				got, made := field.Repair(text, country, false)
				if again, more := field.Repair(got, country, false); again != got || more != 0 {
					t.Errorf("%+v: %q became %q, and then %q by the repairs %q", field, text, got, again, more)
				}
				if (made != 0) != (got != text) {
					t.Errorf("%+v: %q became %q with the repairs %q", field, text, got, made)
				}
				if made&^(1|1<<1|1<<2|1<<3) != 0 {
					if v, err := field.FromText(got, true); err != nil {
						t.Errorf("%+v: %q became %q, which is %s, %v", field, text, got, v, err)
					}
				}
				if field.IsOrdinary(text) {
					v, err := field.FromText(text, true)
					if made&^(1<<7) != 0 || field.Damage(text, nil) != nil || err != nil || field.Type == Text && string(v) != `"`+text+`"` {
						t.Errorf("%+v: %q is ordinary, but became %q, %s, %v", field, text, got, v, err)
					}
				}
			}
		}
	})
}

func TestIsID(t *testing.T) {
	for text, want := range map[string]bool{
		"2": true, " 2 ": true, "-2": true, "+2": true, "2.0": true, "99999999999999999999": true, "0": true, "0.5": true, "1,2": true,
		"": false, "crm-3001": false, "555-0100": false, "007": false, "00": false, "-007": false, "2nd Street": false, "inf": false, "1e5": false, "0x10": false, "-": false, "٣": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := IsID(text); got != want {
				t.Errorf("IsID(%q) = %t, want %t", text, got, want)
			}
		})
	}
}

// FuzzFoldText compares folding in place with folding by TrimSpace and the Unicode packages.
func FuzzFoldText(f *testing.F) {
	for _, text := range []string{
		"", " ", "a", "Emergency Plumber Near Me", "red  shoes on sale", "red shoes on sale ", "abcdefg  hi", "City  Bikes\t", " A B", "ÄPFEL", "a  b ü  C", "A\u030a B", "I\u0307", "\u00a0x\u2003Y", "ß SS", "Ǆ", "\v\f\r\n", "x\u0085y", "\u200bx \ufeff", "K\u212a", "run\u00adning é\u200b \u200b",
	} {
		f.Add(text)
	}
	seen := func(r rune) rune {
		if safetext.SaysNothing(r) {
			return -1
		}
		return r
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		want := strings.Join(strings.Fields(norm.NFC.String(cases.Fold().String(norm.NFC.String(strings.Map(seen, TrimSpace(text)))))), " ")
		if got := FoldText(text); got != want {
			t.Fatalf("FoldText(%q) = %q, want %q", text, got, want)
		}
		if got := string(AppendFolded([]byte("KEEP "+text), 5)); got != "KEEP "+want {
			t.Fatalf("AppendFolded(%q) = %q, want %q behind the other text", text, got, want)
		}
		if got, ok := record.Quote(text).AppendLower([]byte("KEEP ")); ok && string(got) != "KEEP "+want || !ok && string(got) != "KEEP " {
			t.Fatalf("AppendLower(%q) = %q, %t; want %q", text, got, ok, want)
		}
	})
}
