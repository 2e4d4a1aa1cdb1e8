// Package output prints records as tables, JSON, CSV and in other formats. A
// Printer takes a sequence of records and writes them as they come:
//
//	records → sort, or all columns → jq, or an encoder → buffer → writer
//
// A Shape says which columns the records of a command have, Options what the
// user asked for. File is the place that the output goes to.
//
// The packages below it:
//
//	output/encode     writes records in each format
//	output/chart      draws charts
//	output/textwidth  measures texts on a terminal
package output
