package torture_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
)

// The records that a file changes are stored before the first start, behind those of a
// new database, so their ids are known. Some more follow that the file does not name: a
// list that lacks its newest records lacks those, and nothing must change them.
const (
	firstAccount  = 8
	firstCampaign = 108
	firstKeyword  = 1043
	bystanders    = 5
	unknownID     = 1_000_000 // added to an id, it is that of no record
)

// A changeFile collects the rows of a file that changes records.
type changeFile struct {
	inputFile
	csv     *csv.Writer
	text    bytes.Buffer
	initial map[string]string // by key: the state of each record before the load
	wanted  map[string]string // by key: the state that the file asks for
	before  map[string]string // by key: the state that an earlier version of the file asks for
}

// newChangeFile returns a file for n records with the initial state that initial returns.
// states returns the current states of all records with an id from first on.
func newChangeFile(name string, command, header []string, n int, noun string, first int, initial func(i int) string, states func(s *tortureService) map[string]string) *changeFile {
	f := &changeFile{initial: map[string]string{}, wanted: map[string]string{}, before: map[string]string{}}
	f.inputFile = inputFile{name: name, command: command, format: "csv", rows: map[string]bool{}, readable: true}
	f.csv = csv.NewWriter(&f.text)
	_ = f.csv.Write(header)
	for i := range n + bystanders {
		f.initial[fmt.Sprint(noun, " ", first+i)] = initial(i)
	}
	f.stored = func(s *tortureService) map[string]int { return f.changed(states(s)) }
	return f
}

// add adds a row that sets a record to a state.
func (f *changeFile) add(key, wanted string, valid bool, cells ...string) {
	f.rows[key], f.wanted[key] = valid, wanted
	_ = f.csv.Write(cells)
}

// done returns the complete file.
func (f *changeFile) done() inputFile {
	f.csv.Flush()
	f.file = f.text.Bytes()
	return f.inputFile
}

// edited returns the complete file, of which every second one has an earlier version with other words in place of some.
// change returns what that asks for.
func (f *changeFile) edited(random *rand.Rand, other *strings.Replacer, change func(wanted string) string) inputFile {
	in := f.done()
	if random.IntN(2) == 0 {
		in.earlier = []byte(other.Replace(string(in.file)))
		for key, wanted := range f.wanted {
			f.before[key] = change(wanted)
		}
	}
	return in
}

// changed returns the keys of the records that have the state which the file asks for. A
// record with a state that nobody asked for has a key that is not in the file.
func (f *changeFile) changed(states map[string]string) map[string]int {
	count := map[string]int{}
	for key, was := range f.initial {
		switch is := states[key]; {
		case is == f.wanted[key]:
			count[key] = 1
		case is != was && is != f.before[key]:
			count[fmt.Sprintf("%s with %q, not %q or %q,", key, is, was, f.wanted[key])] = 1
		}
	}
	return count
}

// pickID returns the id of the ith record, or one of no record for the first invalid ones.
func pickID(first, i, invalid int) (id int, valid bool) {
	if i < invalid {
		return first + i + unknownID, false
	}
	return first + i, true
}

// keywordUpdatesFile returns a file that changes the status and the type of n keywords.
func keywordUpdatesFile(random *rand.Rand, n, invalid int) inputFile {
	f := newKeywordChanges("keyword updates", []string{"keywords", "update"}, []string{"rank_id", "status", "keyword_type"}, n)
	for i := range n {
		id, valid := pickID(firstKeyword, i, invalid)
		changes := [][3]string{{"deactivate", "target", "0 target"}, {"deactivate", "interest", "0 interest"}, {"activate", "interest", "1 interest"}}
		c := changes[random.IntN(len(changes))]
		if c[1] == "target" && random.IntN(2) == 0 && valid {
			c[1] = "" // keeps the type
		}
		f.add(fmt.Sprint("keyword ", id), c[2], valid, fmt.Sprint(id), c[0], c[1])
	}
	in := f.edited(random, strings.NewReplacer(",deactivate,", ",activate,", ",activate,", ",deactivate,"), func(wanted string) string {
		return map[string]string{"0 target": "1 target", "0 interest": "1 interest", "1 interest": "0 interest"}[wanted]
	})
	for key, before := range f.before { // in any order
		if status, kind, _ := strings.Cut(before, " "); f.rows[key] && len(in.singles) < 4 {
			change := map[string]string{"0": "deactivate", "1": "activate"}[status]
			in.singles = append(in.singles, []string{"keywords", "update", strings.TrimPrefix(key, "keyword "), "--status", change, "--type", kind})
		}
	}
	return in
}

// keywordDeletesFile returns a file that deletes n keywords.
func keywordDeletesFile(n, invalid int) inputFile {
	f := newKeywordChanges("keyword deletes", []string{"keywords", "delete"}, []string{"rank_id"}, n)
	for i := range n {
		id, valid := pickID(firstKeyword, i, invalid)
		f.add(fmt.Sprint("keyword ", id), "0 target", valid, fmt.Sprint(id))
	}
	return f.done()
}

// newKeywordChanges returns a file that changes n keywords.
func newKeywordChanges(name string, command, header []string, n int) *changeFile {
	f := newChangeFile(name, command, header, n, "keyword", firstKeyword, func(int) string { return "1 target" }, func(s *tortureService) map[string]string {
		var list []struct {
			RankID int `json:"rank_id"`
			Status int
			Type   string
		}
		s.read("/api/v1/keywords", &list)
		states := map[string]string{}
		for _, k := range list {
			states[fmt.Sprint("keyword ", k.RankID)] = fmt.Sprint(k.Status, " ", k.Type)
		}
		return states
	})
	f.batched = true
	f.prepare = func(s *tortureService) {
		keywords := make([]map[string]string, n+bystanders)
		for i := range keywords {
			keywords[i] = map[string]string{"keyword": fmt.Sprint("changed ", i), "keyword_type": "target"}
		}
		s.call(http.MethodPost, "/api/v1/keywords", map[string]any{"account_id": 1, "campaign_id": 101, "keywords": keywords}, new(any))
	}
	return f
}

// statusFile returns a file that deactivates and reactivates n accounts.
func statusFile(random *rand.Rand, n, invalid int) inputFile {
	initial := func(i int) string { return []string{"active", "deactivated"}[i%2] }
	f := newChangeFile("account status", []string{"accounts", "status"}, []string{"account_id", "status"}, n, "account", firstAccount, initial,
		accountStates(func(a listedAccount) string { return a.Status }))
	f.prepare = func(s *tortureService) {
		storeAccounts(s, n)
		for i := range n + bystanders {
			if i%2 == 1 {
				s.call(http.MethodPut, "/api/v1/accounts/status", map[string]any{"account_id": firstAccount + i, "status": "deactivate"}, new(any))
			}
		}
	}
	for i := range n {
		id, valid := pickID(firstAccount, i, invalid)
		words := []string{"deactivate", "reactivate"}
		f.add(fmt.Sprint("account ", id), initial(i+1), valid, fmt.Sprint(id), words[i%2])
	}
	other := strings.NewReplacer(",deactivate", ",reactivate", ",reactivate", ",deactivate")
	in := f.edited(random, other, func(wanted string) string {
		return map[string]string{"active": "deactivated", "deactivated": "active"}[wanted]
	})
	if in.earlier != nil { // to change everything, and then to change it back
		in.earlier, in.file, f.before, f.wanted = in.file, in.earlier, f.wanted, f.before
	}
	return in
}

// accountUpdatesFile returns a file that changes n accounts.
func accountUpdatesFile(random *rand.Rand, n, invalid int) inputFile {
	f := newChangeFile("account updates", []string{"accounts", "update"}, []string{"account_id", "phone", "city"}, n, "account", firstAccount,
		func(int) string { return "555-0100 Portland" }, accountStates(func(a listedAccount) string { return a.Phone + " " + a.City }))
	f.prepare = func(s *tortureService) { storeAccounts(s, n) }
	for i := range n {
		id, valid := pickID(firstAccount, i, invalid)
		phone, city := fmt.Sprintf("555-1%03d", i), []string{"Salem", ""}[random.IntN(2)]
		wanted := phone + " " + city
		if city == "" { // keeps the city
			wanted = phone + " Portland"
		}
		f.add(fmt.Sprint("account ", id), wanted, valid, fmt.Sprint(id), phone, city)
	}
	return f.edited(random, strings.NewReplacer("555-1", "555-9"), func(wanted string) string { return strings.Replace(wanted, "555-1", "555-9", 1) })
}

// listedAccount has the fields of an account in version 2 that files change.
type listedAccount struct {
	AccountID           int `json:"account_id"`
	Status, Phone, City string
}

// accountStates returns a function that reads a state of all accounts.
func accountStates(state func(listedAccount) string) func(s *tortureService) map[string]string {
	return func(s *tortureService) map[string]string {
		var list []listedAccount
		s.read("/api/v2/accounts", &list)
		states := map[string]string{}
		for _, a := range list {
			states[fmt.Sprint("account ", a.AccountID)] = state(a)
		}
		return states
	}
}

// storeAccounts stores n accounts and the bystanders, each with a campaign.
func storeAccounts(s *tortureService, n int) {
	for range n + bystanders {
		s.call(http.MethodPost, "/api/v2/accounts", map[string]string{
			"account_name": "Customer", "phone": "555-0100", "email": "ada@example.com", "first_name": "Ada", "last_name": "Quist",
			"address_1": "1 Quay Street", "address_2": "", "city": "Portland", "state": "OR", "postal": "97201", "country_code": "US",
			"website_url": "https://bikes.example.com", "external_account_identifier": "changed",
		}, new(any))
	}
}

// addNotes adds the stored notes to the states, by campaign.
func addNotes(s *tortureService, states map[string]string) {
	s.each("notes", func(raw []byte) {
		var stored struct {
			CampaignID   int    `json:"campaign_id"`
			Writer       string `json:"writer_instructions"`
			Instructions string `json:"additional_instructions"`
		}
		_ = json.Unmarshal(raw, &stored)
		states[fmt.Sprint("campaign ", stored.CampaignID)] = stored.Writer + ", " + stored.Instructions
	})
}

// notesFile returns a file that changes the notes of n campaigns.
func notesFile(random *rand.Rand, n, invalid int) inputFile {
	f := newChangeFile("notes", []string{"campaigns", "notes", "update"}, []string{"campaign_id", "writer_instructions", "additional_instructions"},
		n, "campaign", firstCampaign, func(int) string { return "before, kept" }, func(s *tortureService) map[string]string {
			states := map[string]string{}
			addNotes(s, states)
			return states
		})
	f.prepare = func(s *tortureService) {
		storeAccounts(s, n)
		for i := range n + bystanders {
			s.call(http.MethodPut, "/api/v2/campaigns/notes", map[string]any{
				"campaign_id": firstCampaign + i, "writer_instructions": "before", "additional_instructions": "kept",
			}, new(any))
		}
	}
	for i := range n {
		id, valid := pickID(firstCampaign, i, invalid)
		writer, more := fmt.Sprintf("Write \"plainly\" for customer %d.", i), ""
		wanted := writer + ", kept"
		if random.IntN(2) == 0 {
			more = fmt.Sprintf("Ask for offer %d.\nKeep it short.", i)
			wanted = writer + ", " + more
		}
		f.add(fmt.Sprint("campaign ", id), wanted, valid, fmt.Sprint(id), writer, more)
	}
	return f.edited(random, strings.NewReplacer("plainly", "briefly"), func(wanted string) string { return strings.Replace(wanted, "plainly", "briefly", 1) })
}
