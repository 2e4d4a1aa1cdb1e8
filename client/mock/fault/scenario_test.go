package fault

import (
	"math"
	"testing"
)

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		share float64
		name  string
	}{{-0.1, "all"}, {1.1, "all"}, {math.NaN(), "all"}, {0.5, ""}, {0.5, "nonsense"}} {
		if _, err := NewSchedule(1, c.share, c.name); err == nil {
			t.Errorf("Plan(%v, %q) accepted", c.share, c.name)
		}
	}
	plan := func(seed int64) Schedule {
		hook, err := NewSchedule(seed, 0.25, "all")
		if err != nil {
			t.Fatal(err)
		}
		return hook
	}
	one, again, other := plan(1), plan(1), plan(2)
	seen, differ := map[Fault]int{}, false
	const calls = 20_000
	for n := 1; n <= calls; n++ {
		f := one(n, "POST", "/api/v1/keywords")
		seen[f]++
		if f != again(n, "POST", "/api/v1/keywords") {
			t.Fatal("the same seed told another story")
		}
		differ = differ || f != other(n, "POST", "/api/v1/keywords")
	}
	if !differ {
		t.Error("another seed told the same story")
	}
	if share := 1 - float64(seen[Fault{}])/calls; share < 0.23 || share > 0.27 {
		t.Errorf("%v of the calls fail", share)
	}
	for _, k := range scenarios() {
		if fits := k.fits("POST", "/api/v1/keywords"); fits != (seen[k.fault] > 100) {
			t.Errorf("%s befell %d calls", k.name, seen[k.fault])
		}
	}
}

// The faults befall only what they make sense for, and no 503 with Retry-After
// was carried out.
func TestKinds(t *testing.T) {
	befalls := func(name, method, path string) bool {
		hook, err := NewSchedule(1, 1, name)
		if err != nil {
			t.Fatal(err)
		}
		f := hook(1, method, path)
		if f.RetryAfter != "" && f.Execute != ExecuteNone {
			t.Errorf("%s: %+v", name, f)
		}
		return f != Fault{}
	}
	for _, name := range Names() {
		list, single := befalls(name, "GET", "/api/v1/keywords"), befalls(name, "GET", "/api/v1/keywords"+"/1001")
		batch, login := befalls(name, "POST", "/api/v1/keywords"), befalls(name, "POST", loginPath)
		create := befalls(name, "POST", "/api/v2/accounts")
		want := map[string][5]bool{
			"late": {false, false, true, true, false}, "late-reset": {false, false, true, true, false},
			"half": {false, false, true, false, false}, "fold": {false, false, true, false, false},
			"lag": {true, false, false, false, false}, "missing": {true, false, false, false, false},
			"expire": {true, true, true, true, false},
		}
		w, special := want[name]
		if got := [5]bool{list, single, batch, create, login}; special && got != w || !special && got != [5]bool{true, true, true, true, true} {
			t.Errorf("%s befalls list, record, batch, account, login: %v", name, got)
		}
	}
	if hook, _ := NewSchedule(1, 1, "lag"); hook(1, "POST", "/api/v1/keywords") != (Fault{}) {
		t.Error("a write lags")
	}
}
