// Package output prints records as tables, JSON, CSV and in other formats. A
// Printer takes a sequence of records and writes them as they come:
//
//	records → sort, jq, or all columns → Encoder → buffer → writer
//
// Each format has an Encoder in a file of its own; formats.go lists them. The
// encoders copy what is harmless and escape what a terminal or spreadsheet
// would obey, since the texts in records come from others.
package output
