// Package output prints records as tables, JSON, CSV and in other formats. A
// Printer takes a sequence of records and writes them as they come:
//
//	records → sort or collect all columns → jq program or encoder → buffer → writer
//
// A Shape describes the records of a command, Options hold what the user asked
// for, and a File is where a command writes its output.
//
// The packages below it:
//
//	output/encode     writes records in each format
//	output/chart      draws charts
//	output/textwidth  measures texts on a terminal
package output
