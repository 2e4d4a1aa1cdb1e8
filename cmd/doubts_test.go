package cmd_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"reseller/client/mock"
)

// A doubtfulService is the mock behind a line that breaks once, during a write with a text.
type doubtfulService struct {
	*mock.Service
	mu       sync.Mutex
	text     []byte
	isStored bool // the write is carried out all the same
	broke    bool
	carried  int // the writes with the text that were carried out
}

func (s *doubtfulService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	isMeant := r.Method != http.MethodGet && bytes.Contains(body, s.text)
	s.mu.Lock()
	breaks := isMeant && !s.broke
	s.broke = s.broke || breaks
	if isMeant && (!breaks || s.isStored) {
		s.carried++
	}
	s.mu.Unlock()
	if breaks && s.isStored {
		s.Service.ServeHTTP(httptest.NewRecorder(), r)
	}
	if breaks {
		panic(http.ErrAbortHandler)
	}
	s.Service.ServeHTTP(w, r)
}

// endsDoubt finds the commands that a hint names for unknown rows.
var endsDoubt = regexp.MustCompile("`reseller ([^`]+)` (?:sends them again|looks up the unknown rows again)")

// TestDoubtsEnd loses the response to the last call of each load, and of a single write, and checks that no row stays unknown: the
// load finds out, or the commands that it names, one after the other, end the doubt. A write is carried out a second time only by a command
// that says so, and that nobody needs where the first was carried out.
func TestDoubtsEnd(t *testing.T) {
	t.Parallel()
	customers := `[{"account_name":"One","phone":"555-0141","email":"one@example.com","first_name":"A","last_name":"B","address_1":"S","city":"Portland","state":"OR",
"postal":"97201","country_code":"US","website_url":"https://one.example.com","external_account_identifier":"doubt-1"},
{"account_name":"Two","phone":"555-0142","email":"two@example.com","first_name":"A","last_name":"B","address_1":"S","city":"Portland","state":"OR",
"postal":"97201","country_code":"US","website_url":"https://two.example.com","external_account_identifier":"doubt-2","writer_instructions":"doubt notes",
"service_plan_id":77,"keywords":["doubt a","doubt b"],
"credentials":{"reseller_account_id":1,"credentials_types_id":4,"username":"doubtful","password":"p"}}]`
	held := `[{"account_id":1,"phone":"555-0151"},{"account_id":2,"phone":"555-0152","status":"deactivated","writer_instructions":"doubt notes","service_plan_id":77,"keywords":["doubt a"]}]`
	for _, c := range []struct {
		command, file, text string
	}{
		{"keywords add", "account_id,campaign_id,keyword,type\n1,101,doubt a,target\n1,101,doubt b,target\n", "doubt b"},
		{"keywords add", "account_id,campaign_id,keyword,type\n1,101,doubt a,target\n", "doubt a"},
		{"keywords update", "rank_id,status,keyword_type\n1001,deactivate,target\n1004,deactivate,target\n", "1004"},
		{"keywords delete", "rank_id\n1001\n1004\n", "1004"},
		{"accounts create", customers[:strings.Index(customers, "},")] + "}]", "doubt-1"},
		{"accounts update", "account_id,phone\n1,555-0151\n2,555-0152\n", "555-0152"},
		{"accounts status", "account_id,status\n1,deactivate\n2,deactivate\n", `"account_id":2`},
		{"accounts credentials create", "reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n1,1,101,4,a,p,n\n1,1,101,4,doubtful,p,n\n", "doubtful"},
		{"campaigns notes update", "campaign_id,writer_instructions\n101,one\n102,doubt\n", "doubt"},
		{"onboard", customers, "doubt-2"}, {"onboard", customers, "doubtful"}, {"onboard", customers, "doubt notes"}, {"onboard", customers, `"service_plan_id":77`}, {"onboard", customers, "doubt b"},
		{"apply", customers, "doubt-2"}, {"apply", customers, "doubtful"}, {"apply", customers, "doubt b"},
		{"apply", held, "555-0152"}, {"apply", held, "deactivate"}, {"apply", held, "doubt notes"}, {"apply", held, `"service_plan_id":77`}, {"apply", held, "doubt a"},
		{"gbp create --ticket-id 77 --gpid x", "", `"ticket_id":77`},
	} {
		for name, isStored := range map[string]bool{"stored": true, "not stored": false} {
			t.Run(c.command+" "+c.text+" "+name, func(t *testing.T) {
				t.Parallel()
				home := t.TempDir()
				service, err := mock.Open(mock.Options{Path: filepath.Join(home, "mock.db")})
				noError(t, err)
				token, err := service.Token(1)
				noError(t, err)
				s := &doubtfulService{Service: service, text: []byte(c.text), isStored: isStored}
				server := httptest.NewServer(s)
				defer server.Close()
				user := session{home: home, env: map[string]string{"RESELLER_BASE_URL": server.URL, "RESELLER_TOKEN": token}}
				args := append(strings.Fields(c.command), "--yes", "-o", "json")
				if c.file != "" {
					file := filepath.Join(home, "rows.csv")
					if strings.HasPrefix(c.file, "[") {
						file = filepath.Join(home, "rows.json")
					}
					noError(t, os.WriteFile(file, []byte(c.file), 0o600))
					args = append(args, "--file", file, "--settle-time", "100ms", "--batch-size", "1", "--concurrency", "1", "--rate", "100")
				}
				code, _, told := user.run(t, args...)
				next := endsDoubt.FindAllStringSubmatch(told, -1)
				switch {
				case !s.broke:
					t.Fatalf("no write has the text %s; exit code %d: %s", c.text, code, told)
				case c.file == "" && strings.Contains(told, "which takes --resend-sent"):
					next = [][]string{{"", strings.Join(args, " ") + " --resend-sent"}}
				case code != 0 && next == nil:
					t.Fatalf("no command is named that ends the doubt: %s", told)
				}
				for ; code != 0 && len(next) > 0 && !(isStored && strings.Contains(next[0][1], "--resend")); next = next[1:] { // what is stored, the user sees in the service
					if strings.Contains(told, "the same command finds out") { // a busy machine took seconds to read the list
						time.Sleep(25 * time.Second)
					}
					code, _, told = user.run(t, strings.Fields(next[0][1])...)
				}
				if s.carried != 1 || code != 0 && !isStored {
					t.Errorf("got %d writes, exit code %d: %s", s.carried, code, told)
				}
			})
		}
	}
}
