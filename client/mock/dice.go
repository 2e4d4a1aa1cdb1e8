package mock

import "hash/fnv"

// dice is plausible data that is the same each time: numbers that follow from what
// they are about and from nothing else.
type dice uint64

// throw begins a series for a text, such as a domain, and some numbers, such as a
// campaign and a day.
func throw(about string, numbers ...int64) dice {
	h := fnv.New64a()
	_, _ = h.Write([]byte(about))
	d := dice(h.Sum64())
	for _, n := range numbers {
		d = dice(mix(uint64(d) ^ mix(uint64(n))))
	}
	return d
}

// mix is the finishing step of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// between returns the next number of the series, both ends included.
func (d *dice) between(low, high int) int {
	*d = dice(mix(uint64(*d)))
	return low + int(uint64(*d)%uint64(high-low+1))
}

// pick returns one of the words.
func (d *dice) pick(words ...string) string { return words[d.between(0, len(words)-1)] }

// rankOf is where a keyword ranks on a day; which tells the lists of ranks apart.
func rankOf(rankID, day, which int64) int {
	place := throw("rank", rankID, which)
	if place.between(0, 9) == 0 {
		return 999
	}
	start := place.between(1, 60)
	wobble := throw("wobble", rankID, which, day)
	return max(1, start+wobble.between(-4, 4))
}
