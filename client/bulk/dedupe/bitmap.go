package dedupe

// A Bitmap is a set of row ordinals.
type Bitmap []uint64

// Has reports whether a row is in the set.
func (b Bitmap) Has(ordinal int) bool {
	return ordinal >= 0 && ordinal/64 < len(b) && b[ordinal/64]&(1<<(ordinal%64)) != 0
}

// Clear removes a row.
func (b Bitmap) Clear(ordinal int) {
	if ordinal/64 < len(b) {
		b[ordinal/64] &^= 1 << (ordinal % 64)
	}
}

// Set adds a row to the set.
func (b *Bitmap) Set(ordinal int) {
	for ordinal/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[ordinal/64] |= 1 << (ordinal % 64)
}
