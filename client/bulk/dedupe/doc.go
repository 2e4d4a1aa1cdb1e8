// Package dedupe finds rows of a file that are about the same thing: rows with the same identity. An Index stores a
// fingerprint of 16 bytes for each row, in memory or, if there are more than a million rows, in a temporary file. A Matcher
// adds rows to an index in a goroutine of its own, and reports each row whose identity an earlier row has already.
//
// Begin with NewIndex. Index.Match returns a Matcher.
package dedupe
