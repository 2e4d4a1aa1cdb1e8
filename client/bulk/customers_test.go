package bulk_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"reseller/client/mock/fault"
)

// customers is a file of n customers with all that may belong to one; of bad
// ones a keyword is too long. Its rows are the writes that they need.
func customers(dice *rand.Rand, n, bad int) load {
	l := load{
		name: "customers", command: []string{"onboard"}, speed: []string{"--rate", "200"}, format: "ndjson",
		rows: map[string]bool{}, owner: map[string]string{}, unproof: map[string]bool{}, readable: true,
	}
	for i := range n {
		owner := fmt.Sprintf("crm-%06d", i)
		key := func(kind string, number int) string {
			k := fmt.Sprintf("%s-%06d", kind, number)
			l.rows[k], l.owner[k] = true, owner
			return k
		}
		key("crm", i)
		row := map[string]any{
			"account_name": "Customer", "phone": "555-0100", "email": "ada@example.com", "first_name": "Ada", "last_name": "Quist",
			"address_1": "1 Quay Street", "city": "Portland", "state": "OR", "postal": "97201", "country_code": "US",
			"website_url": "https://bikes.example.com", "external_account_identifier": owner,
		}
		if dice.IntN(4) > 0 {
			user, password := key("user", i), fmt.Sprintf("secret-%016x", dice.Uint64())
			l.unproof[user], l.secrets = true, append(l.secrets, password)
			row["credentials"] = map[string]any{"reseller_account_id": 1, "credentials_types_id": 4, "username": user, "password": password}
		}
		if dice.IntN(3) > 0 {
			row["writer_instructions"] = key("notes", i)
		}
		if dice.IntN(3) > 0 {
			l.unproof[key("plan", 100000+i)] = true
			row["service_plan_id"] = 100000 + i
		}
		var keywords []string
		for k := range dice.IntN(30) {
			keywords = append(keywords, strings.ToUpper(key("keyword", 100*i+k)))
		}
		if i < bad {
			text := key("keyword", 100*i+99)
			l.rows[text] = false
			keywords = append(keywords, text+strings.Repeat(" very fast", 100))
		}
		row["keywords"] = keywords
		line, _ := json.Marshal(row)
		l.file = append(append(l.file, line...), '\n')
	}
	return l
}

// shown tells whether all is in that can be read back.
func (l load) shown(in map[string]int) bool {
	for key, good := range l.rows {
		if good && in[key] == 0 && !l.unproof[key] {
			return false
		}
	}
	return true
}

// customers counts what the service holds of the file's customers.
func (s *stage) customers(count map[string]int) {
	note := func(key string) {
		if _, ours := s.trial.load.rows[key]; ours {
			count[key]++
		}
	}
	for bucket, field := range map[string]string{"accounts": "Identifier", "credentials": "Username", "notes": "writer_instructions", "plans": "service_plan_id", "keywords": "keyword"} {
		s.each(bucket, func(raw []byte) {
			var item map[string]any
			_ = json.Unmarshal(raw, &item)
			switch v := item[field].(type) {
			case map[string]any:
				note(fmt.Sprint(v["field_value"]))
			case float64:
				note(fmt.Sprintf("plan-%06.0f", v))
			case string:
				word, _, _ := strings.Cut(v, " ")
				note(strings.ToLower(word))
			}
		})
	}
}

// customerSteps are loads of customers in which one thing goes wrong: a fault of
// each kind at the second call of each kind.
func customerSteps(names []string) []trial {
	calls := [][2]string{
		{http.MethodPost, "/api/v2/accounts"}, {http.MethodPost, "/api/v1/accounts/iam/credentials"}, {http.MethodPut, "/api/v2/campaigns/notes"},
		{http.MethodPost, "/api/v1/products/plans/campaigns"}, {http.MethodPost, "/api/v1/keywords"},
		{http.MethodGet, "/api/v1/accounts"}, {http.MethodGet, "/api/v2/campaigns/notes"}, {http.MethodGet, "/api/v1/keywords"},
	}
	var trials []trial
	for _, name := range names {
		hook, err := fault.NewSchedule(0, 1, name)
		if err != nil {
			panic(err)
		}
		for _, call := range calls {
			if injected := hook(1, call[0], call[1]); injected != (fault.Fault{}) {
				trials = append(trials, trial{
					seed: int64(len(trials)), load: customers(rand.New(rand.NewPCG(1, 1)), 6, 0), batchSize: 8, workers: 1, timeout: time.Minute,
					weather: second(call, injected), title: fmt.Sprintf("%s at the second %s %s", name, call[0], call[1]),
				})
			}
		}
	}
	return trials
}

// second lets the second call of a kind fail. Where that is a read, the first
// write of what it shows has lost its answer, so that there is something to read.
func second(call [2]string, injected fault.Fault) fault.Schedule {
	writes := map[string]string{"/api/v1/accounts": "/api/v2/accounts"}
	seen := map[[2]string]int{}
	return func(_ int, method, path string) fault.Fault {
		this := [2]string{method, path}
		seen[this]++
		write := path == call[1] || path == writes[call[1]]
		switch {
		case this == call && seen[this] == 2:
			return injected
		case call[0] == http.MethodGet && method != http.MethodGet && write && seen[this] == 1:
			return fault.Fault{Reset: true}
		}
		return fault.Fault{}
	}
}
