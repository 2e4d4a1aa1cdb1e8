// Package xlsx writes workbooks of spreadsheet programs (Office Open XML, .xlsx) row by
// row, in memory that does not grow with their size.
package xlsx
