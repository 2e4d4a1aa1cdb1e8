package bulk_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// load is a file and the command that loads it.
type load struct {
	name     string
	command  []string
	speed    []string // flags that are no part of a job
	format   string
	file     []byte
	rows     map[string]bool // by their key; false: the service refuses it
	secrets  []string
	batched  bool // many rows a call
	skips    bool // rows that the service holds are not sent again
	readable bool // the service shows what it holds

	owner   map[string]string // by key: the row, where it needs several writes
	unproof map[string]bool   // keys that can't be read back, where others can
}

// calls is how many calls are left to be made.
func (l load) calls(batchSize int, in map[string]int) int {
	left, batched := 0, map[string]bool{}
	for key, good := range l.rows {
		if owner := l.owner[key]; !good || in[key] > 0 {
			continue
		} else if owner != "" && strings.HasPrefix(key, "keyword") {
			batched[owner] = true
		} else {
			left++
		}
	}
	if l.batched {
		left = (left + batchSize - 1) / batchSize
	}
	return left + len(batched)
}

// good counts the rows that the service takes.
func (l load) good() int {
	n := 0
	for _, good := range l.rows {
		if good {
			n++
		}
	}
	return n
}

// keywords is a file of n keywords of four campaigns in any order, spelled in many
// ways; some are there twice, and bad ones are too long.
func keywords(dice *rand.Rand, n, bad int) load {
	l := load{name: "keywords", command: []string{"keywords", "add"}, format: "csv", rows: map[string]bool{}, batched: true, skips: true, readable: true}
	spell := []func(string) string{
		strings.ToUpper, strings.ToLower,
		func(s string) string { return "  " + strings.ReplaceAll(s, " ", "  ") + " " },
		func(s string) string { return strings.ReplaceAll(s, "ö", "o\u0308") },
		func(s string) string { return s },
	}
	var rows []string
	for i := range n {
		account, text := 1+dice.IntN(4), fmt.Sprintf("Plumber K%06d in Köln, \"fast\"", i)
		kind := []string{"target", "interest"}[dice.IntN(2)]
		good := i >= bad
		if !good {
			text += strings.Repeat(" very fast", 100)
		}
		l.rows[fmt.Sprintf("%d K%06d", 100+account, i)] = good
		for range 1 + dice.IntN(8)/7 {
			cell := strings.ReplaceAll(spell[dice.IntN(len(spell))](text), `"`, `""`)
			rows = append(rows, fmt.Sprintf("%d,%d,\"%s\",%s\n", account, 100+account, cell, kind))
		}
	}
	dice.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	l.file = []byte("account_id,campaign_id,keyword,keyword_type\n" + strings.Join(rows, ""))
	return l
}

func accounts(dice *rand.Rand, n int) load {
	l := load{name: "accounts", command: []string{"accounts", "create"}, format: "ndjson", rows: map[string]bool{}, skips: true, readable: true}
	for i := range n {
		key := fmt.Sprintf("crm-%06d", i)
		l.rows[key] = true
		row, _ := json.Marshal(map[string]string{
			"account_name": fmt.Sprintf("Customer %d", dice.IntN(5)), "phone": "555-0100", "email": "ada@example.com", "first_name": "Ada", "last_name": "Quist",
			"address_1": "1 Quay Street", "city": "Portland", "state": "OR", "postal": "97201", "country_code": "US",
			"website_url": "https://bikes.example.com", "external_account_identifier": key,
		})
		l.file = append(append(l.file, row...), '\n')
	}
	return l
}

func credentials(dice *rand.Rand, n int) load {
	l := load{name: "credentials", command: []string{"accounts", "credentials", "create"}, speed: []string{"--rate", "200"}, format: "csv", rows: map[string]bool{}}
	l.file = []byte("reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n")
	for i := range n {
		key, password := fmt.Sprintf("user-%06d", i), fmt.Sprintf("secret-%016x", dice.Uint64())
		l.rows[key], l.secrets = true, append(l.secrets, password)
		l.file = fmt.Appendf(l.file, "1,1,101,2,%s,%s,none\n", key, password)
	}
	return l
}

var keyOfKeyword = regexp.MustCompile(`(?i)k\d{6}`)

// stored counts the rows that the service holds by their keys.
func (s *stage) stored() map[string]int {
	count := map[string]int{}
	switch s.trial.load.name {
	case "keywords":
		var list []struct {
			CampaignID int `json:"campaign_id"`
			Keyword    string
		}
		s.read("/api/v1/keywords", &list)
		for _, k := range list {
			if id := keyOfKeyword.FindString(k.Keyword); id != "" {
				count[fmt.Sprintf("%d %s", k.CampaignID, strings.ToUpper(id))]++
			}
		}
	case "accounts":
		var list []struct {
			Identifier struct {
				Value string `json:"field_value"`
			} `json:"external_account_identifier"`
		}
		s.read("/api/v1/accounts", &list)
		for _, a := range list {
			if strings.HasPrefix(a.Identifier.Value, "crm-0") {
				count[a.Identifier.Value]++
			}
		}
	case "customers":
		s.customers(count)
	default: // nothing shows them but the database itself
		s.each("credentials", func(raw []byte) {
			var c struct{ Username string }
			_ = json.Unmarshal(raw, &c)
			count[c.Username]++
		})
	}
	return count
}

// each walks a bucket of the service's database.
func (s *stage) each(bucket string, visit func(raw []byte)) {
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

// read gets a list without any fault.
func (s *stage) read(path string, into any) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+s.token)
	w := httptest.NewRecorder()
	s.calm.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &struct{ Data any }{into}); err != nil {
		panic(fmt.Sprintf("%s: %v in %s", path, err, w.Body))
	}
}
