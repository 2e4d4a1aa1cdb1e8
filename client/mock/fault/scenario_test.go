package fault

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

const keywords = "/api/v1/keywords"

// mustSchedule returns a schedule of named faults.
func mustSchedule(t *testing.T, seed int64, share float64, names ...string) Schedule {
	t.Helper()
	s, err := NewSchedule(seed, share, names...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInvalidSchedules(t *testing.T) {
	for name, c := range map[string]struct {
		share float64
		name  string
	}{
		"negative share": {-0.1, "all"}, "share above 1": {1.1, "all"}, "no share": {math.NaN(), "all"},
		"empty name": {0.5, ""}, "unknown name": {0.5, "nonsense"},
		"lag without a duration": {0.5, "lag=long"}, "negative lag": {0.5, "lag=-1s"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := NewSchedule(1, c.share, c.name); err == nil {
				t.Errorf("NewSchedule(1, %v, %q): got no error", c.share, c.name)
			}
		})
	}
}

func TestScheduleFollowsItsSeed(t *testing.T) {
	one, again, other := mustSchedule(t, 1, 0.25, "all"), mustSchedule(t, 1, 0.25, "all"), mustSchedule(t, 2, 0.25, "all")
	seen, differ := map[Fault]int{}, false
	const requests = 20_000
	for n := 1; n <= requests; n++ {
		f := one(n, "POST", keywords)
		seen[f]++
		if got := again(n, "POST", keywords); got != f {
			t.Fatalf("request %d with the same seed: got %+v, want %+v", n, got, f)
		}
		differ = differ || f != other(n, "POST", keywords)
	}
	if !differ {
		t.Error("another seed gave the same faults")
	}
	if share := 1 - float64(seen[Fault{}])/requests; share < 0.23 || share > 0.27 {
		t.Errorf("got a share of %v, want 0.25", share)
	}
	for _, s := range scenarios() {
		if fits := s.fits("POST", keywords); fits != (seen[s.fault] > 100) {
			t.Errorf("%s: got %d requests with it; it applies to them: %v", s.name, seen[s.fault], fits)
		}
	}
}

// A fault that is called after a status responds with it.
func TestScenariosHaveTheirStatus(t *testing.T) {
	for _, s := range scenarios() {
		name, _, _ := strings.Cut(strings.TrimPrefix(s.name, "gateway-"), "-")
		if status, err := strconv.Atoi(name); err == nil && s.fault.Status != status {
			t.Errorf("%s: got status %d, want %d", s.name, s.fault.Status, status)
		}
	}
}

// A fault applies only to requests that it makes sense for. A 503 with Retry-After, which
// clients read as "not carried out", is never sent for a request that was.
func TestScenariosFit(t *testing.T) {
	type hits struct{ list, record, batch, account, login bool }
	special := map[string]hits{
		"late":        {batch: true, account: true},
		"late-reset":  {batch: true, account: true},
		"gateway-200": {batch: true, account: true},
		"gateway-500": {batch: true, account: true},
		"gateway-503": {batch: true, account: true},
		"gateway-524": {batch: true, account: true},
		"half":        {batch: true},
		"fold":        {batch: true},
		"lag":         {list: true},
		"missing":     {list: true},
		"expire":      {list: true, record: true, batch: true, account: true},
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			schedule := mustSchedule(t, 1, 1, name)
			hit := func(method, path string) bool {
				f := schedule(1, method, path)
				if f.RetryAfter != "" && f.Execute != ExecuteNone && f.Body == "" {
					t.Errorf("got Retry-After in the envelope for a request that is carried out: %+v", f)
				}
				return f != Fault{}
			}
			got := hits{
				list: hit("GET", keywords), record: hit("GET", keywords+"/1001"), batch: hit("POST", keywords),
				account: hit("POST", "/api/v2/accounts"), login: hit("POST", loginPath),
			}
			want, ok := special[name]
			if !ok {
				want = hits{true, true, true, true, true}
			}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	if f := mustSchedule(t, 1, 1, "missing")(1, "GET", keywords); f.HideNewest != 3 {
		t.Errorf("got %d hidden records, want the 3 that the guide names", f.HideNewest)
	}
}
