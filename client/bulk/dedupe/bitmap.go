package dedupe

// A Bitmap is a set of row ordinals.
type Bitmap []uint64

func (b Bitmap) Has(ordinal int) bool {
	return ordinal >= 0 && ordinal/64 < len(b) && b[ordinal/64]&(1<<(ordinal%64)) != 0
}

func (b Bitmap) Clear(ordinal int) {
	if ordinal/64 < len(b) {
		b[ordinal/64] &^= 1 << (ordinal % 64)
	}
}

func (b *Bitmap) Set(ordinal int) {
	for ordinal/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[ordinal/64] |= 1 << (ordinal % 64)
}
