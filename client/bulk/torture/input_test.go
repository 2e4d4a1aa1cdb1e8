package torture_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// An inputFile is a file and the command that loads it.
type inputFile struct {
	name     string
	command  []string
	rateArgs []string // flags that are not stored with the job
	format   string
	file     []byte
	rows     map[string]bool // by key: whether the service accepts the row
	earlier  []byte          // what the file says at the first start, which changes the same records otherwise; nil for the same
	secrets  []string
	singles  [][]string // commands without a file that write some of the rows as well, before the first start and beside it
	batched  bool       // a call has many rows
	skips    bool       // rows that exist are not sent again
	readable bool       // the service lists what it stores

	rowOf        map[string]string // by key of a write: the key of its row, if rows need several writes
	unverifiable map[string]bool   // the keys that can't be read back, if others can
	needsJournal map[string]bool   // the keys that are not sent any more once the end of the journal is cut off

	prepare func(s *tortureService)                // stores the records that the file changes; nil for none
	stored  func(s *tortureService) map[string]int // returns how often the service stores each key
}

// remainingCalls returns the number of calls that are left, given how often each key
// is stored.
func (f inputFile) remainingCalls(batchSize int, stored map[string]int) int {
	left, batched := 0, map[string]bool{}
	for key, valid := range f.rows {
		if row := f.rowOf[key]; !valid || stored[key] > 0 {
			continue
		} else if row != "" && strings.HasPrefix(key, "keyword") {
			batched[row] = true
		} else {
			left++
		}
	}
	if f.batched {
		left = (left + batchSize - 1) / batchSize
	}
	return left + len(batched)
}

// validRows returns the number of rows that the service accepts.
func (f inputFile) validRows() int {
	n := 0
	for _, valid := range f.rows {
		if valid {
			n++
		}
	}
	return n
}

// keywordFile returns a file of n keywords of four campaigns in random order and
// spelling. Some of them are repeated; the first invalid ones are too long.
func keywordFile(random *rand.Rand, n, invalid int) inputFile {
	f := inputFile{name: "keywords", command: []string{"keywords", "add"}, format: "csv", rows: map[string]bool{}, batched: true, skips: true, readable: true, stored: storedKeywords}
	spell := []func(string) string{
		strings.ToUpper, strings.ToLower,
		func(s string) string { return "  " + strings.ReplaceAll(s, " ", "  ") + " " },
		func(s string) string { return strings.ReplaceAll(s, "ö", "o\u0308") },
		func(s string) string { return s },
	}
	var rows []string
	for i := range n {
		account, text := 1+random.IntN(4), fmt.Sprintf("Plumber K%06d in Köln, \"fast\"", i)
		kind := []string{"target", "interest"}[random.IntN(2)]
		valid := i >= invalid
		if !valid {
			text += strings.Repeat(" very fast", 100)
		}
		f.rows[fmt.Sprintf("%d K%06d", 100+account, i)] = valid
		if valid && i%10 != 3 && len(f.singles) < 4 { // a load can't know one that was altered before it began
			f.singles = append(f.singles, []string{"keywords", "add", text, "--account", fmt.Sprint(account), "--campaign", fmt.Sprint(100 + account), "--type", kind})
		}
		for range 1 + random.IntN(8)/7 {
			cell := strings.ReplaceAll(spell[random.IntN(len(spell))](text), `"`, `""`)
			rows = append(rows, fmt.Sprintf("%d,%d,\"%s\",%s\n", account, 100+account, cell, kind))
		}
	}
	random.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	f.file = []byte("account_id,campaign_id,keyword,keyword_type\n" + strings.Join(rows, ""))
	return f
}

// accountFile returns a file of n accounts.
func accountFile(random *rand.Rand, n int) inputFile {
	f := inputFile{name: "accounts", command: []string{"accounts", "create"}, format: "ndjson", rows: map[string]bool{}, skips: true, readable: true, stored: storedAccounts}
	for i := range n {
		key := fmt.Sprintf("crm-%06d", i)
		f.rows[key] = true
		row, _ := json.Marshal(map[string]string{
			"account_name": fmt.Sprintf("Customer %d of %d", i, random.IntN(5)), "phone": "555-0100", "email": "ada@example.com", "first_name": "Ada", "last_name": "Quist",
			"address_1": "1 Quay Street", "city": "Portland", "state": "OR", "postal": "97201", "country_code": "US",
			"website_url": "https://bikes.example.com", "external_account_identifier": key,
		})
		f.file = append(append(f.file, row...), '\n')
	}
	return f
}

// credentialsFile returns a file of n credentials, which can't be read back.
func credentialsFile(random *rand.Rand, n int) inputFile {
	f := inputFile{name: "credentials", command: []string{"accounts", "credentials", "create"}, rateArgs: []string{"--rate", "200"}, format: "csv", rows: map[string]bool{}, stored: storedCredentials}
	f.file = []byte("reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n")
	for i := range n {
		key, password := fmt.Sprintf("user-%06d", i), fmt.Sprintf("secret-%016x", random.Uint64())
		f.rows[key], f.secrets = true, append(f.secrets, password)
		f.file = fmt.Appendf(f.file, "1,1,101,2,%s,%s,none\n", key, password)
	}
	return f
}

var keywordKey = regexp.MustCompile(`(?i)k\d{6}`)

func storedKeywords(s *tortureService) map[string]int {
	var list []struct {
		CampaignID int `json:"campaign_id"`
		Keyword    string
	}
	count := map[string]int{}
	s.read("/api/v1/keywords", &list)
	for _, k := range list {
		if id := keywordKey.FindString(k.Keyword); id != "" {
			count[fmt.Sprintf("%d %s", k.CampaignID, strings.ToUpper(id))]++
		}
	}
	return count
}

func storedAccounts(s *tortureService) map[string]int {
	var list []struct {
		Identifier struct {
			Value string `json:"field_value"`
		} `json:"external_account_identifier"`
	}
	count := map[string]int{}
	s.read("/api/v1/accounts", &list)
	for _, a := range list {
		if strings.HasPrefix(a.Identifier.Value, "crm-0") {
			count[a.Identifier.Value]++
		}
	}
	return count
}

// storedCredentials reads the database, which alone contains them.
func storedCredentials(s *tortureService) map[string]int {
	count := map[string]int{}
	s.each("credentials", func(raw []byte) {
		var c struct{ Username string }
		_ = json.Unmarshal(raw, &c)
		count[c.Username]++
	})
	return count
}

// each visits the records of a bucket of the service's database.
func (s *tortureService) each(bucket string, visit func(raw []byte)) {
	db, err := bolt.Open(s.db, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		panic(err)
	}
	defer func() { _ = db.Close() }()
	_ = db.View(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte(bucket)).ForEach(func(_, raw []byte) error {
			visit(raw)
			return nil
		})
	})
}

// read reads a list without faults.
func (s *tortureService) read(path string, into any) { s.call(http.MethodGet, path, nil, into) }

// call makes a call without faults, and decodes the data of its response.
func (s *tortureService) call(method, path string, body, into any) {
	text, _ := json.Marshal(body)
	r := httptest.NewRequest(method, path, bytes.NewReader(text))
	r.Header.Set("Authorization", "Bearer "+s.token)
	w := httptest.NewRecorder()
	s.faultless.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &struct{ Data any }{into}); err != nil || w.Code != http.StatusOK {
		panic(fmt.Sprintf("%s %s: %v in %d %s", method, path, err, w.Code, w.Body))
	}
}
