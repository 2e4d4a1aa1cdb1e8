// Package random returns numbers that look random but depend only on the arguments of
// New, so that the mock service shows the same data every time.
package random

import "hash/fnv"

type Series uint64

// New returns the series for a text, such as a domain, and numbers, such as a campaign
// and a day. The same arguments give the same series.
func New(about string, numbers ...int64) Series {
	h := fnv.New64a()
	_, _ = h.Write([]byte(about))
	s := Series(h.Sum64())
	for _, n := range numbers {
		s = Series(mix(uint64(s) ^ mix(uint64(n))))
	}
	return s
}

// mix is one step of the generator SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Between returns the next number of the series, both bounds included.
func (s *Series) Between(low, high int) int {
	*s = Series(mix(uint64(*s)))
	return low + int(uint64(*s)%uint64(high-low+1))
}

func (s *Series) Pick(words ...string) string { return words[s.Between(0, len(words)-1)] }
