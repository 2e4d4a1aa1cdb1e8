package torture_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
)

// portfolioFile returns a portfolio that changes n customers, creates some, and names all
// others that must not be changed. With prune, it also deactivates the keywords and the
// accounts that it does not name.
func portfolioFile(random *rand.Rand, n, invalid int, prune bool) inputFile {
	const created, pruned = 4, 2
	held := n + pruned // the bystanders follow
	f := customerFile(random, created, invalid)
	f.name, f.command = "portfolio", []string{"apply"}
	initial, wanted := map[string]string{}, map[string]string{}
	change := func(customer, key, was, is string) {
		initial[key] = was
		if was != is {
			wanted[key], f.rows[key], f.rowOf[key] = is, true, customer
		}
	}
	var names []map[string]any
	for i := range held + bystanders {
		account, campaign := fmt.Sprint("account ", firstAccount+i), fmt.Sprint("campaign ", firstCampaign+i)
		customer := fmt.Sprint("held-", i)
		row := map[string]any{"account_id": firstAccount + i}
		if i < n && random.IntN(2) == 0 {
			row = map[string]any{"external_account_identifier": customer}
		}
		phone, status, notes := "555-0100", "active", "before, kept"
		kinds := maps.Clone(heldKinds)
		if i < n {
			if random.IntN(2) == 0 {
				phone = fmt.Sprintf("555-1%03d", i)
				row["phone"] = phone
			}
			if random.IntN(3) == 0 {
				status = "deactivated"
				row["status"] = status
			}
			if random.IntN(2) == 0 {
				text := fmt.Sprintf("Write \"plainly\" for customer %d.", i)
				notes, row["writer_instructions"] = text+", kept", text
			}
			if random.IntN(3) == 0 {
				key := fmt.Sprintf("plan-%06d", 200000+i)
				f.rows[key], f.rowOf[key], f.unverifiable[key], row["service_plan_id"] = true, customer, true, 200000+i
			}
			if random.IntN(4) > 0 {
				list := []any{heldKeyword(i, "a")}
				b := map[string]string{"keyword": strings.ToUpper(heldKeyword(i, "b")), "type": "interest"}
				kinds["b"] = "1 interest"
				if random.IntN(2) == 0 {
					b["type"], b["status"], kinds["b"] = "target", "deactivated", "0 target"
				}
				list = append(list, b, heldKeyword(i, "d"))
				kinds["d"] = "1 target"
				if prune {
					kinds["c"] = "0 interest"
				}
				for k := range random.IntN(8) {
					key := fmt.Sprintf("keyword-%06d", 500000+100*i+k)
					f.rows[key], f.rowOf[key] = true, customer
					list = append(list, key)
				}
				row["keywords"] = list
			}
		}
		if i >= n && i < held {
			row = nil
			if prune {
				status = "deactivated"
			}
		}
		change(customer, account, "555-0100 active", phone+" "+status)
		change(customer, campaign, "before, kept", notes)
		for letter, was := range heldKinds {
			change(customer, heldKeyword(i, letter), was, kinds[letter])
		}
		if row != nil {
			names = append(names, row)
		}
	}
	if prune {
		f.command = append(f.command, "--prune", "keywords,accounts", "--prune-limit", "100%")
		for id := 1; id <= 5; id++ { // those of a new database
			names = append(names, map[string]any{"account_id": id})
		}
	}
	random.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	for _, row := range names {
		line, _ := json.Marshal(row)
		f.file = append(append(f.file, line...), '\n')
	}
	f.prepare = func(s *tortureService) { storePortfolio(s, held+bystanders) }
	f.stored = func(s *tortureService) map[string]int {
		count := storedCustomers(s)
		maps.Copy(count, (&changeFile{initial: initial, wanted: wanted}).changed(heldStates(s)))
		return count
	}
	return f
}

// heldKinds are the status and type of the keywords that each customer has before, by the
// letter at the end of their texts.
var heldKinds = map[string]string{"a": "1 target", "b": "1 target", "c": "1 interest", "d": "0 target"}

func heldKeyword(customer int, letter string) string {
	return fmt.Sprintf("held %d %s", customer, letter)
}

// storePortfolio stores n customers with keywords and notes.
func storePortfolio(s *tortureService, n int) {
	for i := range n {
		s.call(http.MethodPost, "/api/v2/accounts", map[string]string{
			"account_name": fmt.Sprint("Held ", i), "phone": "555-0100", "email": "ada@example.com", "first_name": "Ada", "last_name": "Quist",
			"address_1": "1 Quay Street", "address_2": "", "city": "Portland", "state": "OR", "postal": "97201", "country_code": "US",
			"website_url": "https://bikes.example.com", "external_account_identifier": fmt.Sprint("held-", i),
		}, new(any))
		s.call(http.MethodPut, "/api/v2/campaigns/notes", map[string]any{
			"campaign_id": firstCampaign + i, "writer_instructions": "before", "additional_instructions": "kept",
		}, new(any))
		var keywords []map[string]string
		for _, letter := range []string{"a", "b", "c", "d"} {
			_, kind, _ := strings.Cut(heldKinds[letter], " ")
			keywords = append(keywords, map[string]string{"keyword": heldKeyword(i, letter), "keyword_type": kind})
		}
		s.call(http.MethodPost, "/api/v1/keywords", map[string]any{"account_id": firstAccount + i, "campaign_id": firstCampaign + i, "keywords": keywords}, new(any))
		s.call(http.MethodPut, "/api/v1/keywords", map[string]any{"keywords": []map[string]any{
			{"rank_id": firstKeyword + 4*i + 3, "status": "deactivate", "keyword_type": "target"},
		}}, new(any))
	}
}

// heldStates returns the states of all records that a portfolio may change.
func heldStates(s *tortureService) map[string]string {
	states := accountStates(func(a listedAccount) string { return a.Phone + " " + a.Status })(s)
	addNotes(s, states)
	var list []struct {
		Keyword, Type string
		Status        int
	}
	s.read("/api/v1/keywords", &list)
	for _, k := range list {
		if strings.HasPrefix(k.Keyword, "held ") {
			states[k.Keyword] = fmt.Sprint(k.Status, " ", k.Type)
		}
	}
	return states
}
