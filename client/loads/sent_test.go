package loads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/history"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// A credentialsService stores credentials. It responds to each user as respond says, and
// with a success otherwise.
type credentialsService struct {
	mu      sync.Mutex
	stored  []string // user and password of each request
	respond map[string]func(w http.ResponseWriter)
}

func (s *credentialsService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, text, _ := strings.Cut(string(body), `"username":"`)
	user, text, _ := strings.Cut(text, `","password":"`)
	password, _, _ := strings.Cut(text, `"`)
	s.mu.Lock()
	s.stored = append(s.stored, user+"/"+password)
	respond := s.respond[user]
	s.mu.Unlock()
	if respond != nil {
		respond(w)
		return
	}
	fmt.Fprint(w, `{"data":{"iam_credentials_id":1},"error":false}`)
}

// TestPlansThatCanNotBeRead attaches a plan after the list of the plans was refused: the error is that refusal.
func TestPlansThatCanNotBeRead(t *testing.T) {
	for status, want := range map[int]error{http.StatusUnauthorized: client.ErrUnauthorized, http.StatusServiceUnavailable: client.ErrNoResponse} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		c, err := client.New(client.Options{BaseURL: server.URL})
		noError(t, err)
		load := Plans(c, func(rows.Values) bool { return true })
		row := rows.Row{}
		for _, name := range []string{"account_id", "campaign_id", "service_plan_id"} {
			row.Values.Set(name, record.Integer(1))
		}
		if _, err := load.Operation.Send([]rows.Row{row})(t.Context(), func() error { return nil }); !errors.Is(err, want) {
			t.Errorf("status %d: got the error %v, want %v", status, err, want)
		}
		server.Close()
	}
}

// newCredentialsService starts a service, and returns it with a client of it.
func newCredentialsService(t *testing.T) (*credentialsService, *client.Client) {
	t.Helper()
	s := &credentialsService{respond: map[string]func(http.ResponseWriter){}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	c, err := client.New(client.Options{BaseURL: server.URL})
	noError(t, err)
	return s, c
}

// wantStored fails the test unless the service got exactly these requests since the last
// call, in any order.
func (s *credentialsService) wantStored(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.stored)
	slices.Sort(want)
	if !slices.Equal(s.stored, want) {
		t.Errorf("got the requests %q, want %q", s.stored, want)
	}
	s.stored = nil
}

// loadCredentials loads a new file of credentials, each as user/password.
func loadCredentials(t *testing.T, c *client.Client, store job.Store, o bulk.Options, users ...string) (sum job.Summary, notes []string, err error) {
	t.Helper()
	text := "reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n"
	for _, user := range users {
		name, password, _ := strings.Cut(user, "/")
		text += fmt.Sprintf("1,2,3,4,%s,%s,n\n", name, password)
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	noError(t, os.WriteFile(path, []byte(text), 0o600))
	o.Note = func(note string) { notes = append(notes, note) }
	sum, err = Credentials(c, nil).Run(t.Context(), path, store, o)
	return sum, notes, err
}

func wantSummary(t *testing.T, sum job.Summary, err error, sent, present, unknown int) {
	t.Helper()
	if err != nil || sum.Sent != sent || sum.Present != present || sum.Unknown != unknown {
		t.Errorf("got %d sent, %d present, %d unknown, error %v; want %d, %d, %d", sum.Sent, sum.Present, sum.Unknown, err, sent, present, unknown)
	}
}

func newStore(t *testing.T) job.Store {
	t.Helper()
	return job.Store(filepath.Join(t.TempDir(), "jobs"))
}

// TestRememberedRowsAreNotSentAgain checks that rows which an earlier load has sent count
// as present, in whatever file they are.
func TestRememberedRowsAreNotSentAgain(t *testing.T) {
	s, c := newCredentialsService(t)
	store := newStore(t)
	sum, notes, err := loadCredentials(t, c, store, bulk.Options{}, "a/1", "b/1")
	wantSummary(t, sum, err, 2, 0, 0)
	s.wantStored(t, "a/1", "b/1")
	if len(notes) > 0 {
		t.Errorf("got the notes %q, want none", notes)
	}
	sum, notes, err = loadCredentials(t, c, store, bulk.Options{}, "c/1", "b/1", "a/1")
	wantSummary(t, sum, err, 1, 2, 0)
	s.wantStored(t, "c/1")
	if len(notes) != 2 || !strings.HasPrefix(notes[0], "line 3: sent on 20") || !strings.HasSuffix(notes[0], ", counts as present; Options.ResendSent sends it again") || !strings.HasPrefix(notes[1], "line 4: ") {
		t.Errorf("got the notes %q, want the lines 3 and 4 with their dates", notes)
	}
	sum, _, err = loadCredentials(t, c, store, bulk.Options{}, "a/2", "c/1")
	wantSummary(t, sum, err, 1, 1, 0)
	s.wantStored(t, "a/2") // a changed password
	sum, _, err = loadCredentials(t, c, store, bulk.Options{}, "c/1", "a/1")
	wantSummary(t, sum, err, 1, 1, 0)
	s.wantStored(t, "a/1") // the first password again, which the service does not have any more
	sum, _, err = loadCredentials(t, c, store, bulk.Options{}, "a/2", "c/1")
	wantSummary(t, sum, err, 1, 1, 0)
	s.wantStored(t, "a/2")
	sum, _, err = loadCredentials(t, c, store, bulk.Options{ResendSent: true}, "c/1", "a/1")
	wantSummary(t, sum, err, 2, 0, 0)
	s.wantStored(t, "a/1", "c/1")
	sum, _, err = loadCredentials(t, c, newStore(t), bulk.Options{}, "c/1")
	wantSummary(t, sum, err, 1, 0, 0)
	s.wantStored(t, "c/1") // another machine has no history
}

func TestManyRememberedRows(t *testing.T) {
	_, c := newCredentialsService(t)
	store := newStore(t)
	var users []string
	for n := range 23 {
		users = append(users, fmt.Sprintf("u%d/p", n))
	}
	if _, _, err := loadCredentials(t, c, store, bulk.Options{}, users...); err != nil {
		t.Fatal(err)
	}
	_, notes, err := loadCredentials(t, c, store, bulk.Options{}, append([]string{"new/p"}, users...)...)
	if err != nil || len(notes) != 21 || notes[20] != "3 more were sent before" {
		t.Errorf("got error %v and %d notes %q, want 20 lines and the number of the others", err, len(notes), notes)
	}
}

// TestUnsureRowsAreNotSentAgain checks that a row whose call had no known outcome is
// unknown to later loads, and that a row which was surely not carried out is sent.
func TestUnsureRowsAreNotSentAgain(t *testing.T) {
	s, c := newCredentialsService(t)
	store := newStore(t)
	s.respond["lost"] = func(w http.ResponseWriter) { http.Error(w, `{"error":true}`, http.StatusInternalServerError) }
	s.respond["refused"] = func(w http.ResponseWriter) {
		http.Error(w, `{"error":true,"messages":["no"]}`, http.StatusUnprocessableEntity)
	}
	sum, notes, err := loadCredentials(t, c, store, bulk.Options{}, "lost/1", "refused/1", "a/1")
	wantSummary(t, sum, err, 1, 0, 1)
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "line 2: unknown: ") {
		t.Errorf("got the notes %q, want line 2, and nothing of a run that would find out more", notes)
	}
	s.wantStored(t, "lost/1", "refused/1", "a/1")
	clear(s.respond)
	sum, notes, err = loadCredentials(t, c, store, bulk.Options{}, "refused/1", "a/1", "lost/1")
	wantSummary(t, sum, err, 1, 1, 1)
	s.wantStored(t, "refused/1")
	if last := notes[len(notes)-1]; !strings.HasPrefix(last, "line 4: unknown: sent on 20") || !strings.HasSuffix(last, " by a call without a known outcome; Options.ResendUnknown sends it again") {
		t.Errorf("got the note %q, want line 4 with its date", last)
	}
	sum, _, err = loadCredentials(t, c, store, bulk.Options{ResendUnknown: true}, "a/1", "lost/1")
	wantSummary(t, sum, err, 1, 1, 0)
	s.wantStored(t, "lost/1")
}

// TestRowsOfCallsThatEndedEarlyAreSent interrupts a load while it waits to repeat a call that was not carried out, and checks
// that the next one sends the row.
func TestRowsOfCallsThatEndedEarlyAreSent(t *testing.T) {
	s, c := newCredentialsService(t)
	store := newStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	l := Credentials(c, nil)
	l.Operation.Send = func([]rows.Row) bulk.Call { // whose context ends after a first attempt that was not carried out
		return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
			err := onSend()
			cancel()
			return nil, cmp.Or(err, context.Cause(ctx))
		}
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	noError(t, os.WriteFile(path, []byte("reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n1,2,3,4,a,1,n\n"), 0o600))
	if _, err := l.Run(ctx, path, store, bulk.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that the load was interrupted", err)
	}
	sum, _, err := loadCredentials(t, c, store, bulk.Options{}, "a/1")
	wantSummary(t, sum, err, 1, 0, 0)
	s.wantStored(t, "a/1")
}

// TestLoadsAtTheSameTime checks that of several loads with the same rows at the same
// time, one sends each row.
func TestLoadsAtTheSameTime(t *testing.T) {
	s, c := newCredentialsService(t)
	store := newStore(t)
	var users, want []string
	for n := range 20 {
		users = append(users, fmt.Sprintf("u%02d/p", n))
	}
	want = slices.Clone(users)
	var group sync.WaitGroup
	for n := range 3 {
		own := fmt.Sprintf("own%d/p", n)
		want = append(want, own)
		group.Go(func() {
			if sum, _, err := loadCredentials(t, c, store, bulk.Options{}, append([]string{own}, users...)...); err != nil || sum.Sent+sum.Present+sum.Unknown != len(users)+1 {
				t.Errorf("got %+v, error %v; want all rows sent, present or unknown", sum, err)
			}
		})
	}
	group.Wait()
	s.wantStored(t, want...)
}

// TestNothingIsSentWithoutAHistory checks that a history which can't be read or written
// stops the load before it sends anything.
func TestNothingIsSentWithoutAHistory(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"corrupt": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("x", 100)), 0o600) },
		"locked by a folder": func(path string) error {
			if err := os.Remove(path + ".lock"); err != nil {
				return err
			}
			return os.Mkdir(path+".lock", 0o700)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := newCredentialsService(t)
			store := newStore(t)
			if _, _, err := loadCredentials(t, c, store, bulk.Options{}, "a/1"); err != nil {
				t.Fatal(err)
			}
			s.wantStored(t, "a/1")
			noError(t, damage(history.Path(string(store))))
			if _, _, err := loadCredentials(t, c, store, bulk.Options{}, "a/1", "b/1"); err == nil || !strings.Contains(err.Error(), "sent.log") {
				t.Errorf("got error %v, want one that names the file", err)
			}
			s.wantStored(t)
		})
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
