// Package decode reads input files: csv, tsv, txt, json, ndjson and yaml become
// raw records, one at a time. It detects the format, copies standard input so that
// it can be read again, and notices when a file changes between two passes. What
// the columns mean is the caller's business: it gives a Schema.
//
// Begin with Open, which returns a File; File.Decoder reads its records.
package decode
