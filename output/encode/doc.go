// Package encode writes records in the formats of the command line, one file a
// format. An Encoder appends a document to a buffer: Begin, a Record for each
// record, and End. A Layout says which columns to write and how.
//
// To add a format, write its Encoder and the constant with its name in a file
// of its own and add a line to the list in formats.go. The flags, the
// completion, the configuration and the help take the format from there.
//
// The texts in records come from others. The encoders escape control characters,
// which a terminal would act on. Those of formats for reading escape invisible
// characters, too. All other characters are copied.
package encode
