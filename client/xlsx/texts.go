package xlsx

import "strings"

// maxTexts is how much memory the shared texts of a workbook take at most, in bytes.
const maxTexts = 128 << 20

// A textTable is the texts that cells share, one behind the other.
type textTable struct {
	all  strings.Builder
	ends []uint32 // where each text ends in all
}

func (t *textTable) add(text []byte) error {
	t.all.Write(text)
	t.ends = append(t.ends, uint32(t.all.Len()))
	if t.all.Len()+4*len(t.ends) > maxTexts {
		return errorf("has texts of more than %d MB: save it as CSV", maxTexts>>20)
	}
	return nil
}

func (w *Workbook) sharedText(number int) (string, error) {
	if err := w.loadTexts(); err != nil {
		return "", err
	}
	ends := w.texts.ends
	if number >= len(ends) {
		return "", errorf("refers to the shared text %d, but the workbook has %d", number, len(ends))
	}
	start := uint32(0)
	if number > 0 {
		start = ends[number-1]
	}
	return w.texts.all.String()[start:ends[number]], nil
}

func (w *Workbook) readTexts() error {
	if w.textsPath == "" {
		return nil
	}
	var text []byte
	return w.archive.eachStart(w.textsPath, maxInflated, func(x *xmlReader) (err error) {
		if x.depth() != 2 || x.Name.Local != "si" {
			return nil
		}
		if text, err = richText(x, text[:0]); err != nil {
			return err
		}
		return w.texts.add(text)
	})
}

// richText appends the text of the element whose start was read last, and reads to its
// end: the texts of its runs one behind the other, without those that say how it is
// pronounced.
func richText(x *xmlReader, dst []byte) ([]byte, error) {
	_, err := x.inside(nil, func() (err error) {
		switch x.Name.Local {
		case "rPh":
			err = x.skip()
		case "t":
			dst, err = plainText(x, dst)
		}
		return err
	})
	return dst, err
}

// plainText appends the text of the element whose start was read last, and reads to its
// end. It drops white space around a text that does not ask for it to be kept, as Excel
// does.
func plainText(x *xmlReader, dst []byte) ([]byte, error) {
	keeps, start := x.attr("space") == "preserve", len(dst)
	dst, err := x.text(dst)
	if err != nil {
		return dst, err
	}
	text := dst[start:]
	if !keeps {
		text = trimmed(text)
	}
	return appendUnescapedControl(dst[:start], text), nil
}
