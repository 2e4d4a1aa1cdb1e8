// Package xlsx reads and writes workbooks of spreadsheet programs (Office Open XML, .xlsx)
// row by row, in memory that does not grow with their rows.
//
// Begin with Open, which returns a Workbook, or with NewWriter. A workbook that comes from
// elsewhere may be hostile: how much of it is inflated, nested and kept in memory is
// bounded, and it names no file outside of itself that is opened.
package xlsx
