package xlsx

// maxTexts is how much memory the shared texts take at most, in bytes. A workbook with more of them is refused.
const maxTexts = 128 << 20

// pageTexts is how many texts are joined to one string, so that a text takes four bytes besides its own.
const pageTexts = 1 << 10

// A textTable is the texts that cells share, by their numbers.
type textTable struct {
	pages []string
	ends  []uint32 // where each text ends in its page
	last  []byte   // the page that is not complete
	size  int
}

func (t *textTable) add(text []byte) error {
	if t.size += len(text) + 4; t.size > maxTexts {
		return errorf("has more than %d MB of texts: save it as CSV", maxTexts>>20)
	}
	t.last = append(t.last, text...)
	if t.ends = append(t.ends, uint32(len(t.last))); len(t.ends)%pageTexts == 0 {
		t.endPage()
	}
	return nil
}

func (t *textTable) endPage() { t.pages, t.last = append(t.pages, string(t.last)), t.last[:0] }

func (t *textTable) text(number int) string {
	start := uint32(0)
	if number%pageTexts > 0 {
		start = t.ends[number-1]
	}
	return t.pages[number/pageTexts][start:t.ends[number]]
}

func (w *Workbook) sharedText(number int) (string, error) {
	w.loadTexts.Do(func() { w.textsErr = w.readTexts() })
	if w.textsErr != nil {
		return "", w.textsErr
	}
	if number < 0 || number >= len(w.texts.ends) {
		return "", errorf("refers to the shared text %d, but the workbook has %d", number, len(w.texts.ends))
	}
	return w.texts.text(number), nil
}

func (w *Workbook) readTexts() error {
	if w.textsPath == "" {
		return nil
	}
	var text []byte
	err := w.archive.eachStart(w.textsPath, maxInflated, func(x *xmlReader) (err error) {
		if x.depth() != 2 || string(x.name) != "si" {
			return nil
		}
		if text, err = richText(x, text[:0]); err != nil {
			return err
		}
		return w.texts.add(text)
	})
	w.texts.endPage()
	w.texts.last = nil
	return err
}

// richText appends the text of the element whose start was read last, and reads to its end: the texts of its runs one behind the
// other, without those that say how it is pronounced.
func richText(x *xmlReader, dst []byte) ([]byte, error) {
	err := x.inside(func(t token) (err error) {
		switch {
		case t == tokenStart && string(x.name) == "rPh":
			err = x.skip()
		case t == tokenStart && string(x.name) == "t":
			dst, err = plainText(x, dst)
		}
		return err
	})
	return dst, err
}

// plainText appends the text of the element whose start was read last, and reads to its end. It drops white space around a text
// that does not ask for it to be kept, as Excel does.
func plainText(x *xmlReader, dst []byte) ([]byte, error) {
	keeps, start := string(x.attr("space")) == "preserve", len(dst)
	dst, err := elementText(x, dst)
	if err != nil {
		return dst, err
	}
	text := dst[start:]
	if !keeps {
		text = trimmed(text)
	}
	return appendUnescapedControl(dst[:start], text), nil
}

// elementText appends the text of the element whose start was read last as it is, and reads to its end.
func elementText(x *xmlReader, dst []byte) ([]byte, error) {
	depth := x.depth()
	err := x.inside(func(t token) (err error) {
		if t == tokenText && x.depth() == depth {
			if dst, err = x.appendText(dst); len(dst) > maxRowText {
				err = errTooLong
			}
		}
		return err
	})
	return dst, err
}
