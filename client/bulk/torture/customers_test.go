package torture_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"reseller/client/mock/fault"
)

// customerFile returns a file of n customers with all that may belong to one. The
// first invalid ones have a keyword that is too long. The keys are those of the writes
// that the customers need.
func customerFile(random *rand.Rand, n, invalid int) inputFile {
	f := inputFile{
		name: "customers", command: []string{"onboard"}, rateArgs: []string{"--rate", "200"}, format: "ndjson",
		rows: map[string]bool{}, rowOf: map[string]string{}, unverifiable: map[string]bool{}, needsJournal: map[string]bool{}, readable: true,
		stored: storedCustomers,
	}
	for i := range n {
		customer := fmt.Sprintf("crm-%06d", i)
		key := func(kind string, number int) string {
			k := fmt.Sprintf("%s-%06d", kind, number)
			f.rows[k], f.rowOf[k] = true, customer
			return k
		}
		key("crm", i)
		row := map[string]any{
			"account_name": "Customer " + customer, "phone": "555-0100", "email": "ada@example.com", "first_name": "Ada", "last_name": "Quist",
			"address_1": "1 Quay Street", "city": "Portland", "state": "OR", "postal": "97201", "country_code": "US",
			"website_url": "https://bikes.example.com", "external_account_identifier": customer,
		}
		if random.IntN(4) > 0 {
			user, password := key("user", i), fmt.Sprintf("secret-%016x", random.Uint64())
			// Credentials go with accounts that the same job creates, which only the journal knows.
			f.unverifiable[user], f.needsJournal[user], f.secrets = true, true, append(f.secrets, password)
			row["credentials"] = map[string]any{"reseller_account_id": 1, "credentials_types_id": 4, "username": user, "password": password}
		}
		if random.IntN(3) > 0 {
			row["writer_instructions"] = key("notes", i)
		}
		if random.IntN(3) > 0 {
			f.unverifiable[key("plan", 100000+i)] = true
			row["service_plan_id"] = 100000 + i
		}
		var keywords []string
		for k := range random.IntN(30) {
			keywords = append(keywords, strings.ToUpper(key("keyword", 100*i+k)))
		}
		if i < invalid {
			text := key("keyword", 100*i+99)
			f.rows[text] = false
			keywords = append(keywords, text+strings.Repeat(" very fast", 100))
		}
		row["keywords"] = keywords
		line, _ := json.Marshal(row)
		f.file = append(append(f.file, line...), '\n')
	}
	return f
}

// allReadBack reports whether the service stores all writes that can be read back.
func (f inputFile) allReadBack(stored map[string]int) bool {
	for key, valid := range f.rows {
		if valid && stored[key] == 0 && !f.unverifiable[key] {
			return false
		}
	}
	return true
}

// storedCustomers counts the records of the file's customers.
func storedCustomers(s *tortureService) map[string]int {
	count := map[string]int{}
	add := func(key string) {
		if _, ours := s.run.input.rows[key]; ours {
			count[key]++
		}
	}
	for bucket, field := range map[string]string{"accounts": "Identifier", "credentials": "Username", "notes": "writer_instructions", "plans": "service_plan_id", "keywords": "keyword"} {
		s.each(bucket, func(raw []byte) {
			var item map[string]any
			_ = json.Unmarshal(raw, &item)
			switch v := item[field].(type) {
			case map[string]any:
				add(fmt.Sprint(v["field_value"]))
			case float64:
				add(fmt.Sprintf("plan-%06.0f", v))
			case string:
				word, _, _ := strings.Cut(v, " ")
				add(strings.ToLower(word))
			}
		})
	}
	return count
}

// customerFaults returns runs of customer files with one fault each: every named fault
// at the second call of every endpoint.
func customerFaults(names []string) []tortureRun {
	calls := [][2]string{
		{http.MethodPost, "/api/v2/accounts"}, {http.MethodPost, "/api/v1/accounts/iam/credentials"}, {http.MethodPut, "/api/v2/campaigns/notes"},
		{http.MethodPost, "/api/v1/products/plans/campaigns"}, {http.MethodPost, "/api/v1/keywords"},
		{http.MethodGet, "/api/v1/accounts"}, {http.MethodGet, "/api/v2/campaigns/notes"}, {http.MethodGet, "/api/v1/keywords"},
	}
	var runs []tortureRun
	for _, name := range names {
		hook := newSchedule(0, 1, name)
		for _, call := range calls {
			if injected := hook(1, call[0], call[1]); injected != (fault.Fault{}) {
				runs = append(runs, tortureRun{
					seed: int64(len(runs)), input: customerFile(rand.New(rand.NewPCG(1, 1)), 6, 0), batchSize: 8, concurrency: 1, timeout: time.Minute,
					schedule: atSecondCall(call, injected), title: fmt.Sprintf("%s at the second %s %s", name, call[0], call[1]),
				})
			}
		}
	}
	return runs
}

// atSecondCall injects a fault into the second call of an endpoint. If that is a read,
// the response to the first write of the same records is lost, so that they are read back.
func atSecondCall(call [2]string, injected fault.Fault) fault.Schedule {
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
