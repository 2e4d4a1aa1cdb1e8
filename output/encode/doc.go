// Package encode writes records in the formats of the command line, one file a
// format. An Encoder appends a document to a buffer: Begin, a Record for each
// record, and End. A Layout tells it which columns to write and where they go.
//
// To add a format, write its Encoder and the constant with its name in a file
// of its own and add a line to the list in formats.go. The flags, the
// completion, the configuration and the help take the format from there.
//
// The encoders copy what is harmless. What a terminal or a spreadsheet would
// obey they escape, since the texts in records come from others.
package encode
