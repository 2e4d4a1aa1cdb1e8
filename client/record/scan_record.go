package record

// record scans the object that begins at i and notes its fields in rec. What
// the records of a list look like goes the short way.
func (s *scanner) record(i, depth int, rec *Record) (int, error) {
	b, start := s.b, i
	i = s.space(i + 1)
	if i < len(b) && b[i] == '}' {
		rec.finish(s, 0)
		return i + 1, nil
	}
	known, fields := rec.cache.cached(), rec.fields[:cap(rec.fields)]
	for n := 0; ; n++ {
		if n == len(fields) {
			fields = append(fields, field{})
			fields = fields[:cap(fields)]
		}
		f := &fields[n] // filled in place: to copy it costs as much as to scan it
		var end int
		var marks Marks
		if n < len(known) && known[n].isPrefixOf(b[i:]) {
			end, marks = i+len(known[n].quoted), known[n].marks
			s.marks |= marks
		} else {
			var err error
			if end, marks, err = s.name(i); err != nil {
				return end, err
			}
			rec.cache.set(n, b[i:end], marks)
		}
		f.key, f.keyEnd, f.keyMarks = uint32(i-start), uint32(end-start), marks
		i = end + 1
		if i >= len(b) || b[end] != ':' || b[i] <= ' ' {
			var err error
			if i, err = s.colon(end); err != nil {
				return i, err
			}
		}
		end, marks, err := s.member(i, depth)
		if err != nil {
			return end, err
		}
		f.val, f.end, f.marks = uint32(i-start), uint32(end-start), marks
		i = end + 1
		if i < len(b) && b[end] == ',' && b[i] > ' ' {
			continue
		}
		var more bool
		if i, more, err = s.next(end); err != nil {
			return i, err
		}
		if !more {
			rec.fields = fields[:n+1]
			rec.finish(s, n+1)
			return i, nil
		}
	}
}

// member returns the index behind the value of a field that begins at i, and
// its marks.
func (s *scanner) member(i, depth int) (int, Marks, error) {
	if i < len(s.b) {
		switch c := s.b[i]; {
		case c == '"':
			return s.stringEnd(i)
		case c >= '1' && c <= '9':
			end := digits(s.b, i+1)
			if end < len(s.b) && (s.b[end] == ',' || s.b[end] == '}') {
				return end, 0, nil
			}
		}
	}
	before := s.marks
	s.marks = 0
	end, err := s.value(i, depth+1)
	marks := s.marks
	s.marks |= before
	return end, marks, err
}
