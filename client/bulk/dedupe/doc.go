// Package dedupe finds rows of one file that are about the same thing. It keeps a
// fingerprint of each row's identity, in 16 bytes a row, and looks new rows up in
// a goroutine of its own while the caller reads on.
//
// Begin with NewIndex. Index.Match looks rows up as they are added.
package dedupe
