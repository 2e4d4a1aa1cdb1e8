package random

import "testing"

// The numbers must not change: with them the mock's data would.
func TestSeriesStaysTheSame(t *testing.T) {
	s := New("traffic", 1, 101)
	got := [4]int{s.Between(1, 1000), s.Between(1, 1000), s.Between(1, 1000), s.Between(7, 7)}
	if want := [4]int{138, 743, 942, 7}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := s.Pick("a", "b", "c"); got != "c" {
		t.Errorf("got %q, want c", got)
	}
}

func TestSeriesDiffer(t *testing.T) {
	base := New("a", 1, 2)
	for name, other := range map[string]Series{"text": New("b", 1, 2), "number": New("a", 1, 3), "order": New("a", 2, 1), "fewer": New("a", 1)} {
		t.Run(name, func(t *testing.T) {
			if other == base {
				t.Error("got the same series")
			}
		})
	}
}
