// Package decode reads the rows of csv, tsv, xlsx, txt, json, ndjson and yaml files, one at a time. It detects the format,
// copies standard input so that it can be read again, and returns an error if a file has changed between two passes. It does
// not know what the columns mean: the caller's Schema tells which names are columns and which hold passwords.
//
// Begin with Open, which returns a File. File.Rows returns its rows.
package decode
